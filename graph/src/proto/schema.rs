//! What a file may hold: the fields of `graph.proto`, as `wire::scan` asks for them. A test holds them equal to `graph.proto`.

crate::wire_table! {
    pub(crate) GRAPH "Graph" false {
        1 "magic": Required String;
        2 "format": Once Uint32;
        3 "blocks": Repeated Message(&BLOCK);
        4 "packages": Repeated Message(&PACKAGE);
        5 "owners": Repeated Message(&OWNER);
        6 "added": Repeated Message(&ADDED);
        7 "extra": Repeated Message(&EXTRA);
        8 "export": Once Enum(2);
        15 "end": Required Bool;
    }
    pub(crate) BLOCK "Block" false {
        1 "inputs": Repeated String;
        2 "outputs": Repeated String;
        3 "nodes": Repeated Message(&NODE);
    }
    pub(crate) NODE "Node" false {
        1 "op": Required String;
        2 "inputs": Repeated Message(&OPERAND);
        3 "outputs": Repeated Message(&OPERAND);
        4 "attrs": Repeated Message(&ATTR);
        5 "extra": Repeated Message(&ATTR);
    }
    pub(crate) OPERAND "Operand" false {
        1 "name": Required String;
        2 "vars": Repeated String;
    }
    pub(crate) ATTR "Attr" false {
        1 "name": Required String;
        2 "value": Required Message(&VALUE);
    }
    pub(crate) VALUE "Value" true {
        1 "bool": Once Bool;
        2 "i32": Once Sint32;
        3 "i64": Once Sint64;
        4 "u32": Once Uint32;
        5 "u64": Once Uint64;
        6 "f32": Once Float;
        7 "f64": Once Double;
        8 "string": Once String;
        9 "bytes": Once Bytes;
        10 "dtype": Once String;
        11 "block": Once Uint32;
        12 "var": Once String;
        13 "scalar": Once Message(&SCALAR);
        14 "absent": Once Message(&ABSENT);
        15 "bools": Once Message(&BOOLS);
        16 "i32s": Once Message(&I32S);
        17 "i64s": Once Message(&I64S);
        18 "u32s": Once Message(&U32S);
        19 "u64s": Once Message(&U64S);
        20 "f32s": Once Message(&F32S);
        21 "f64s": Once Message(&F64S);
        22 "strings": Once Message(&STRINGS);
        23 "list": Once Message(&LIST);
        24 "complex128": Once Message(&COMPLEX);
        25 "shape": Once Message(&SHAPE);
        26 "tensor": Once Message(&TENSOR);
        27 "sparse_tensor": Once Message(&SPARSE_TENSOR);
        28 "func": Once Message(&FUNC);
        29 "type_proto": Once String;
    }
    pub(crate) SCALAR "Scalar" true {
        1 "bool": Once Bool;
        2 "i64": Once Sint64;
        3 "f64": Once Double;
        4 "complex128": Once Message(&COMPLEX);
    }
    pub(crate) COMPLEX "Complex" false {
        1 "re": Present Double;
        2 "im": Present Double;
    }
    pub(crate) SHAPE "Shape" false { 1 "dims": Once Message(&DIMS); }
    pub(crate) DIMS "Dims" false { 1 "items": Repeated Message(&DIM); }
    pub(crate) DIM "Dim" false { 1 "size": Once Uint64; }
    pub(crate) TENSOR "Tensor" false {
        1 "dtype": Once String;
        2 "dims": Repeated Uint64;
        3 "data": Required Message(&TENSOR_DATA);
    }
    pub(crate) TENSOR_DATA "TensorData" true {
        1 "raw": Once Bytes;
        2 "strings": Once Message(&BYTE_STRINGS);
    }
    pub(crate) BYTE_STRINGS "ByteStrings" false { 1 "items": Repeated Bytes; }
    pub(crate) SPARSE_TENSOR "SparseTensor" false {
        1 "dims": Repeated Uint64;
        2 "indices": Required Message(&TENSOR);
        3 "values": Required Message(&TENSOR);
    }
    pub(crate) FUNC "Func" false nested 4 {
        1 "name": Once String;
        2 "attrs": Repeated Message(&ATTR);
    }
    pub(crate) ABSENT "Absent" false {}
    pub(crate) BOOLS "Bools" false { 1 "items": Repeated Bool; }
    pub(crate) I32S "I32s" false { 1 "items": Repeated Sint32; }
    pub(crate) I64S "I64s" false { 1 "items": Repeated Sint64; }
    pub(crate) U32S "U32s" false { 1 "items": Repeated Uint32; }
    pub(crate) U64S "U64s" false { 1 "items": Repeated Uint64; }
    pub(crate) F32S "F32s" false { 1 "items": Repeated Float; }
    pub(crate) F64S "F64s" false { 1 "items": Repeated Double; }
    pub(crate) STRINGS "Strings" false { 1 "items": Repeated String; }
    pub(crate) LIST "List" false nested 2 { 1 "items": Repeated Message(&VALUE); }
    pub(crate) PACKAGE "Package" false {
        1 "name": Required String;
        2 "stamp": Required Message(&STAMP);
    }
    pub(crate) STAMP "Stamp" false {
        1 "producer": Once Sint64;
        2 "min_consumer": Once Sint64;
        3 "bad_consumers": Repeated Sint64;
        4 "releases": Repeated Message(&RELEASE);
        5 "oldest_reader": Once Message(&OLDEST_READER);
        6 "unpromised": Once Message(&UNPROMISED);
    }
    pub(crate) RELEASE "Release" false {
        1 "version": Required String;
        2 "data_version": Once Sint64;
        3 "digest": Once String;
    }
    pub(crate) OLDEST_READER "OldestReader" false {
        1 "version": Required String;
        2 "because": Once String;
    }
    pub(crate) UNPROMISED "Unpromised" false {
        1 "reason": Once String;
        2 "digests": Repeated Message(&OP_DIGEST);
    }
    pub(crate) OP_DIGEST "OpDigest" false {
        1 "op": Required String;
        2 "digest": Once String;
    }
    pub(crate) OWNER "Owner" false {
        1 "op": Required String;
        2 "package": Once String;
    }
    pub(crate) EXTRA "Extra" false {
        1 "op": Required String;
        2 "operands": Required Message(&OPERANDS);
    }
    pub(crate) OPERANDS "Operands" false {
        1 "inputs": Repeated String;
        2 "outputs": Repeated String;
    }
    pub(crate) ADDED "Added" false {
        1 "op": Required String;
        2 "attrs": Repeated Message(&ATTR);
    }
}
