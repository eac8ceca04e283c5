//! What each change of element types, numbers of variables and flags means.

/// A name, the signature of `f` before, after, and all that is to be said of it.
pub const TYPES: &[(&str, &str, &str, &[&str])] = &[
    // ---- fixed types ----
    (
        "a fixed type changes",
        "input.X = { type = \"f32\" }",
        "input.X = { type = \"f64\" }",
        &["operand_type_changed input.X of: f32 -> f64 => break"],
    ),
    (
        "an untyped input gets a type",
        "input.X = {}",
        "input.X = { type = \"f32\" }",
        &["operand_type_changed input.X of: any -> f32 => break"],
    ),
    (
        "an untyped input gets a type variable, though that allows any type",
        "input.X = {}",
        "types.T = {}; input.X = { of = \"T\" }",
        &[
            "type_variable_changed types: none -> T = any => patch",
            "operand_type_changed input.X of: any -> T = any => break",
        ],
    ),
    (
        "an input loses its type",
        "input.X = { type = \"f32\" }",
        "input.X = {}",
        &["operand_type_widened input.X of: f32 -> any => minor"],
    ),
    (
        "an output loses its type, which was promised to what reads it",
        "output.Y = { type = \"f32\" }",
        "output.Y = {}",
        &["operand_type_changed output.Y of: f32 -> any => break"],
    ),
    // ---- fixed types and type variables ----
    (
        "a fixed type becomes a type variable that allows it",
        "input.X = { type = \"f32\" }; output.Y = { type = \"f32\" }",
        "types.T = { allowed = [\"f16\", \"f32\"] }; input.X = { of = \"T\" }; output.Y = { of = \"T\" }",
        &[
            "type_variable_changed types: none -> T = [\"f16\", \"f32\"] => patch",
            "operand_type_widened input.X of: f32 -> T = [\"f16\", \"f32\"] => minor",
            "operand_type_widened output.Y of: f32 -> T = [\"f16\", \"f32\"] => minor",
        ],
    ),
    (
        "a fixed type becomes a type variable that does not allow it",
        "input.X = { type = \"f64\" }",
        "types.T = { allowed = [\"f16\", \"f32\"] }; input.X = { of = \"T\" }",
        &[
            "type_variable_changed types: none -> T = [\"f16\", \"f32\"] => patch",
            "operand_type_changed input.X of: f64 -> T = [\"f16\", \"f32\"] => break",
        ],
    ),
    (
        "an input of a fixed type must now be like one of any",
        "types.T = {}; input.A = { of = \"T\" }; input.X = { type = \"f32\" }",
        "types.T = {}; input.A = { of = \"T\" }; input.X = { of = \"T\" }",
        &["operand_type_changed input.X of: f32 -> T = any => break"],
    ),
    (
        "an input of a fixed type must now be like a new one that may be absent",
        "input.X = { type = \"f32\" }",
        "types.T = {}; input.A = { of = \"T\", dispensable = true }; input.X = { of = \"T\" }",
        &[
            "type_variable_changed types: none -> T = any => patch",
            "input_added input.A: absent -> { dispensable = true, of = \"T\" } => minor",
            "operand_type_widened input.X of: f32 -> T = any => minor",
        ],
    ),
    (
        "an output of a fixed type is of a variable that no input tells",
        "output.Y = { type = \"f32\" }",
        "types.T = { allowed = [\"f32\", \"f64\"] }; output.Y = { of = \"T\" }",
        &[
            "type_variable_changed types: none -> T = [\"f32\", \"f64\"] => patch",
            "operand_type_changed output.Y of: f32 -> T = [\"f32\", \"f64\"] => break",
        ],
    ),
    (
        "a type variable becomes the only type that it allowed",
        "types.T = { allowed = [\"f32\"] }; input.X = { of = \"T\" }",
        "input.X = { type = \"f32\" }",
        &[
            "type_variable_changed types: T = [\"f32\"] -> none => patch",
            "type_variable_changed input.X of: T = [\"f32\"] -> f32 => patch",
        ],
    ),
    (
        "a fixed type becomes a type variable that allows nothing else",
        "output.Y = { type = \"f32\" }",
        "types.T = { allowed = [\"f32\"] }; output.Y = { of = \"T\" }",
        &[
            "type_variable_changed types: none -> T = [\"f32\"] => patch",
            "type_variable_changed output.Y of: f32 -> T = [\"f32\"] => patch",
        ],
    ),
    (
        "a type variable becomes one of the types that it allowed",
        "types.T = { allowed = [\"f32\", \"f64\"] }; input.X = { of = \"T\" }",
        "input.X = { type = \"f32\" }",
        &[
            "type_variable_changed types: T = [\"f32\", \"f64\"] -> none => patch",
            "operand_type_changed input.X of: T = [\"f32\", \"f64\"] -> f32 => break",
        ],
    ),
    (
        "outputs of a fixed type are of a variable that only an output tells",
        "output.Y = { type = \"f32\" }; output.Z = { type = \"f32\" }",
        "types.T = { allowed = [\"f32\", \"f64\"] }; output.Y = { of = \"T\" }; output.Z = { of = \"T\" }",
        &[
            "type_variable_changed types: none -> T = [\"f32\", \"f64\"] => patch",
            "operand_type_changed output.Y of: f32 -> T = [\"f32\", \"f64\"] => break",
            "operand_type_changed output.Z of: f32 -> T = [\"f32\", \"f64\"] => break",
        ],
    ),
    (
        "an output of a fixed type is of a variable that only a new input tells, which graphs lack",
        "output.Y = { type = \"f32\" }",
        "types.T = { allowed = [\"f32\", \"f64\"] }; input.X = { of = \"T\", dispensable = true }; output.Y = { of = \"T\" }",
        &[
            "type_variable_changed types: none -> T = [\"f32\", \"f64\"] => patch",
            "input_added input.X: absent -> { dispensable = true, of = \"T\" } => minor",
            "operand_type_changed output.Y of: f32 -> T = [\"f32\", \"f64\"] => break",
        ],
    ),
    // ---- fixed types and attributes ----
    (
        "a fixed type becomes an attribute that allows nothing else",
        "input.X = { type = \"f32\" }",
        "input.X = { of = \"d\" }; attr.d = { type = \"dtype\", values = [\"f32\"], default = \"f32\" }",
        &[
            "type_variable_changed input.X of: f32 -> attribute `d` => patch",
            "attr_added attr.d: absent -> { type = \"dtype\", default = \"f32\", values = [\"f32\"] } => minor",
        ],
    ),
    (
        "a fixed type becomes an attribute that graphs could only have with that type",
        "input.X = { type = \"f32\" }; attr.d = { type = \"dtype\", values = [\"f32\"] }",
        "input.X = { of = \"d\" }; attr.d = { type = \"dtype\", values = [\"f32\", \"f64\"] }",
        &[
            "operand_type_widened input.X of: f32 -> attribute `d` => minor",
            "attr_value_added attr.d values: [\"f32\"] -> [\"f32\", \"f64\"] => minor",
        ],
    ),
    (
        "a fixed type becomes a list of types, of which graphs may have had any number",
        "input.X = { type = \"f32\", duplicable = true }; attr.d = { type = \"[dtype]\", values = [\"f32\"] }",
        "input.X = { of = \"d\", duplicable = true }; attr.d = { type = \"[dtype]\", values = [\"f32\", \"f64\"] }",
        &[
            "operand_type_changed input.X of: f32 -> attribute `d` => break",
            "attr_value_added attr.d values: [\"f32\"] -> [\"f32\", \"f64\"] => minor",
        ],
    ),
    (
        "a fixed type becomes an attribute that was a text",
        "input.X = { type = \"f32\" }; attr.d = { type = \"string\", values = [\"f32\"] }",
        "input.X = { of = \"d\" }; attr.d = { type = \"dtype\", values = [\"f32\", \"f64\"] }",
        &[
            "operand_type_changed input.X of: f32 -> attribute `d` => break",
            "attr_changed attr.d type: string -> dtype => break",
        ],
    ),
    (
        "the attribute that says a type is renamed",
        "input.X = { of = \"d\" }; attr.d = { type = \"dtype\" }",
        "input.X = { of = \"e\" }; attr.e = { type = \"dtype\", alias = [\"d\"] }",
        &[
            "type_variable_changed input.X of: attribute `d` -> attribute `e` => patch",
            "attr_deleted attr.d: { type = \"dtype\" } -> e => renaming",
            "attr_added attr.e: absent -> { type = \"dtype\", alias = [\"d\"] } => minor",
        ],
    ),
    (
        "another attribute says a type",
        "input.X = { of = \"d\" }; attr.d = { type = \"dtype\" }; attr.e = { type = \"dtype\" }",
        "input.X = { of = \"e\" }; attr.d = { type = \"dtype\" }; attr.e = { type = \"dtype\" }",
        &["operand_type_changed input.X of: attribute `d` -> attribute `e` => break"],
    ),
    // ---- type variables ----
    (
        "a type variable allows more",
        "types.T = { allowed = [\"f32\"] }; input.X = { of = \"T\" }",
        "types.T = { allowed = [\"bf16\", \"f32\"] }; input.X = { of = \"T\" }",
        &["type_set_widened types: T = [\"f32\"] -> T = [\"bf16\", \"f32\"] => minor"],
    ),
    (
        "a type variable allows any type",
        "types.T = { allowed = [\"f32\"] }; input.X = { of = \"T\" }",
        "types.T = {}; input.X = { of = \"T\" }",
        &["type_set_widened types: T = [\"f32\"] -> T = any => minor"],
    ),
    (
        "a type variable allows less",
        "types.T = {}; input.X = { of = \"T\" }",
        "types.T = { allowed = [\"f32\"] }; input.X = { of = \"T\" }",
        &["type_set_narrowed types: T = any -> T = [\"f32\"] => break"],
    ),
    (
        "a type variable allows another type in the place of one",
        "types.T = { allowed = [\"f16\", \"f32\"] }; input.X = { of = \"T\" }",
        "types.T = { allowed = [\"bf16\", \"f32\"] }; input.X = { of = \"T\" }",
        &["type_set_narrowed types: T = [\"f16\", \"f32\"] -> T = [\"bf16\", \"f32\"] => break"],
    ),
    (
        "a type variable is named otherwise",
        "types.T = { allowed = [\"f32\"] }; input.X = { of = \"T\" }; output.Y = { of = \"T\" }",
        "types.U = { allowed = [\"f32\"] }; input.X = { of = \"U\" }; output.Y = { of = \"U\" }",
        &[
            "type_variable_changed types: T = [\"f32\"] -> none => patch",
            "type_variable_changed types: none -> U = [\"f32\"] => patch",
            "type_variable_changed input.X of: T = [\"f32\"] -> U = [\"f32\"] => patch",
            "type_variable_changed output.Y of: T = [\"f32\"] -> U = [\"f32\"] => patch",
        ],
    ),
    (
        "a type variable of nothing that was there is another one of that name",
        "types.T = { allowed = [\"f32\"] }; input.X = { of = \"T\" }",
        "types.T = { allowed = [\"i64\"] }; types.U = { allowed = [\"f32\"] }; input.X = { of = \"U\" }; \
         input.Y = { of = \"T\", dispensable = true }",
        &[
            "type_variable_changed types: T = [\"f32\"] -> T = [\"i64\"] => patch",
            "type_variable_changed types: none -> U = [\"f32\"] => patch",
            "type_variable_changed input.X of: T = [\"f32\"] -> U = [\"f32\"] => patch",
            "input_added input.Y: absent -> { dispensable = true, of = \"T\" } => minor",
        ],
    ),
    (
        "an input is of a narrower variable",
        "types.T = { allowed = [\"f32\", \"f64\"] }; input.X = { of = \"T\" }",
        "types.U = { allowed = [\"f32\"] }; input.X = { of = \"U\" }",
        &[
            "type_variable_changed types: T = [\"f32\", \"f64\"] -> none => patch",
            "type_variable_changed types: none -> U = [\"f32\"] => patch",
            "operand_type_changed input.X of: T = [\"f32\", \"f64\"] -> U = [\"f32\"] => break",
        ],
    ),
    (
        "two inputs must now be of one type",
        "types.T = {}; types.U = {}; input.A = { of = \"T\" }; input.B = { of = \"U\" }",
        "types.T = {}; input.A = { of = \"T\" }; input.B = { of = \"T\" }",
        &[
            "type_variable_changed types: U = any -> none => patch",
            "operand_type_changed input.B of: U = any -> T = any => break",
        ],
    ),
    (
        "two inputs need no longer be of one type",
        "types.T = {}; input.A = { of = \"T\" }; input.B = { of = \"T\" }",
        "types.T = {}; types.U = {}; input.A = { of = \"T\" }; input.B = { of = \"U\" }",
        &[
            "type_variable_changed types: none -> U = any => patch",
            "operand_type_widened input.B of: T = any -> U = any => minor",
        ],
    ),
    (
        "an output is no longer like an input",
        "types.T = {}; input.A = { of = \"T\" }; output.Y = { of = \"T\" }",
        "types.T = {}; types.U = {}; input.A = { of = \"T\" }; output.Y = { of = \"U\" }",
        &[
            "type_variable_changed types: none -> U = any => patch",
            "operand_type_changed output.Y of: T = any -> U = any => break",
        ],
    ),
    (
        "the variables of an input may be of several types",
        "types.T = {}; input.X = { duplicable = true, of = \"T\" }",
        "types.T = {}; input.X = { duplicable = true, of = \"T\", heterogeneous = true }",
        &["operand_type_widened input.X heterogeneous: false -> true => minor"],
    ),
    (
        "the variables of an input must be of one type",
        "types.T = {}; input.X = { duplicable = true, of = \"T\", heterogeneous = true }",
        "types.T = {}; input.X = { duplicable = true, of = \"T\" }",
        &["operand_type_changed input.X heterogeneous: true -> false => break"],
    ),
    (
        "an output of a fixed type is like another output, from which nobody knows it",
        "output.Y = { type = \"f32\" }; output.Z = { type = \"f32\" }",
        "types.T = {}; output.Y = { of = \"T\" }; output.Z = { of = \"T\" }",
        &[
            "type_variable_changed types: none -> T = any => patch",
            "operand_type_changed output.Y of: f32 -> T = any => break",
            "operand_type_changed output.Z of: f32 -> T = any => break",
        ],
    ),
    (
        "an output of a fixed type is like an input that no graph has",
        "output.Y = { type = \"f32\" }",
        "types.T = {}; input.X = { of = \"T\", dispensable = true }; output.Y = { of = \"T\" }",
        &[
            "type_variable_changed types: none -> T = any => patch",
            "input_added input.X: absent -> { dispensable = true, of = \"T\" } => minor",
            "operand_type_changed output.Y of: f32 -> T = any => break",
        ],
    ),
    // ---- attributes that say a type ----
    (
        "a fixed type becomes a new attribute whose default it is",
        "input.X = { type = \"f32\" }",
        "input.X = { of = \"T\" }; attr.T = { type = \"dtype\", default = \"f32\" }",
        &[
            "operand_type_widened input.X of: f32 -> attribute `T` => minor",
            "attr_added attr.T: absent -> { type = \"dtype\", default = \"f32\" } => minor",
        ],
    ),
    (
        "a fixed type becomes a new attribute that can say no other",
        "input.X = { type = \"f32\" }",
        "input.X = { of = \"T\" }; attr.T = { type = \"dtype\", default = \"f32\", values = [\"f32\"] }",
        &[
            "type_variable_changed input.X of: f32 -> attribute `T` => patch",
            "attr_added attr.T: absent -> { type = \"dtype\", default = \"f32\", values = [\"f32\"] } => minor",
        ],
    ),
    (
        "a fixed type becomes a new attribute of another default",
        "input.X = { type = \"f32\" }",
        "input.X = { of = \"T\" }; attr.T = { type = \"dtype\", default = \"f64\" }",
        &[
            "operand_type_changed input.X of: f32 -> attribute `T` => break",
            "attr_added attr.T: absent -> { type = \"dtype\", default = \"f64\" } => minor",
        ],
    ),
    (
        "a fixed type becomes an attribute that graphs may have set to anything",
        "input.X = { type = \"f32\" }; attr.T = { type = \"dtype\", default = \"f32\" }",
        "input.X = { of = \"T\" }; attr.T = { type = \"dtype\", default = \"f32\" }",
        &["operand_type_changed input.X of: f32 -> attribute `T` => break"],
    ),
    (
        "an input of a fixed type becomes one of many types, of which it is the default",
        "input.X = { type = \"f32\" }",
        "input.X = { duplicable = true, of = \"T\" }; attr.T = { type = \"[dtype]\", default = [\"f32\"] }",
        &[
            "input_changed input.X duplicable: false -> true => relaxation",
            "operand_type_widened input.X of: f32 -> attribute `T` => minor",
            "attr_added attr.T: absent -> { type = \"[dtype]\", default = [\"f32\"] } => minor",
        ],
    ),
    (
        "an attribute no longer says the type of an input",
        "input.X = { of = \"T\" }; attr.T = { type = \"dtype\" }",
        "input.X = {}; attr.T = { type = \"dtype\" }",
        &["operand_type_widened input.X of: attribute `T` -> any => minor"],
    ),
    (
        "an attribute no longer says the type of an input, which is inferred",
        "input.X = { of = \"T\" }; attr.T = { type = \"dtype\" }",
        "types.U = {}; input.X = { of = \"U\" }; attr.T = { type = \"dtype\" }",
        &[
            "type_variable_changed types: none -> U = any => patch",
            "operand_type_widened input.X of: attribute `T` -> U = any => minor",
        ],
    ),
    (
        "an attribute no longer says the type of an input, which is inferred of less",
        "input.X = { of = \"T\" }; attr.T = { type = \"dtype\" }",
        "types.U = { allowed = [\"f32\", \"f64\"] }; input.X = { of = \"U\" }; attr.T = { type = \"dtype\" }",
        &[
            "type_variable_changed types: none -> U = [\"f32\", \"f64\"] => patch",
            "operand_type_changed input.X of: attribute `T` -> U = [\"f32\", \"f64\"] => break",
        ],
    ),
    (
        "an attribute no longer says the type of an input, which may not be all that it said",
        "input.X = { of = \"T\" }; attr.T = { type = \"dtype\" }",
        "input.X = { type = \"f32\" }; attr.T = { type = \"dtype\" }",
        &["operand_type_changed input.X of: attribute `T` -> f32 => break"],
    ),
    (
        "a type that was inferred is said by an attribute",
        "types.T = {}; input.X = { of = \"T\" }",
        "input.X = { of = \"A\" }; attr.A = { type = \"dtype\", default = \"f32\" }",
        &[
            "type_variable_changed types: T = any -> none => patch",
            "operand_type_changed input.X of: T = any -> attribute `A` => break",
            "attr_added attr.A: absent -> { type = \"dtype\", default = \"f32\" } => minor",
        ],
    ),
    (
        "a fixed type becomes a list of types as long as its default, where a graph may have no variable",
        "input.X = { dispensable = true, type = \"f32\" }",
        "input.X = { dispensable = true, duplicable = true, of = \"T\" }; attr.T = { type = \"[dtype]\", default = [\"f32\"] }",
        &[
            "input_changed input.X duplicable: false -> true => relaxation",
            "operand_type_changed input.X of: f32 -> attribute `T` => break",
            "attr_added attr.T: absent -> { type = \"[dtype]\", default = [\"f32\"] } => minor",
        ],
    ),
    (
        "the only type that an input could have is one that an attribute says by default",
        "types.T = { allowed = [\"f32\"] }; input.X = { of = \"T\" }",
        "input.X = { of = \"A\" }; attr.A = { type = \"dtype\", default = \"f32\" }",
        &[
            "type_variable_changed types: T = [\"f32\"] -> none => patch",
            "operand_type_widened input.X of: T = [\"f32\"] -> attribute `A` => minor",
            "attr_added attr.A: absent -> { type = \"dtype\", default = \"f32\" } => minor",
        ],
    ),
    (
        "the only type that an input could have is one that an attribute does not say by default",
        "types.T = { allowed = [\"f32\"] }; input.X = { of = \"T\" }",
        "input.X = { of = \"A\" }; attr.A = { type = \"dtype\", default = \"f64\" }",
        &[
            "type_variable_changed types: T = [\"f32\"] -> none => patch",
            "operand_type_changed input.X of: T = [\"f32\"] -> attribute `A` => break",
            "attr_added attr.A: absent -> { type = \"dtype\", default = \"f64\" } => minor",
        ],
    ),
    (
        "the only type that an input could have is the only one that a known attribute can say",
        "types.T = { allowed = [\"f32\"] }; input.X = { of = \"T\" }; attr.A = { type = \"dtype\", values = [\"f32\"] }",
        "input.X = { of = \"A\" }; attr.A = { type = \"dtype\", values = [\"f32\"] }",
        &[
            "type_variable_changed types: T = [\"f32\"] -> none => patch",
            "operand_type_widened input.X of: T = [\"f32\"] -> attribute `A` => minor",
        ],
    ),
    (
        "the only type that an input could have is one that a known attribute says as often as it likes",
        "types.T = { allowed = [\"f32\"] }; input.X = { of = \"T\", duplicable = true }; \
         attr.A = { type = \"[dtype]\", values = [\"f32\"] }",
        "input.X = { of = \"A\", duplicable = true }; attr.A = { type = \"[dtype]\", values = [\"f32\"] }",
        &[
            "type_variable_changed types: T = [\"f32\"] -> none => patch",
            "operand_type_changed input.X of: T = [\"f32\"] -> attribute `A` => break",
        ],
    ),
    (
        "what an attribute says is no type, whatever text it is",
        "types.T = { allowed = [\"f32\"] }; input.X = { of = \"T\" }; attr.A = { type = \"string\", values = [\"f32\"] }",
        "input.X = { of = \"A\" }; attr.A = { type = \"dtype\", values = [\"f32\"] }",
        &[
            "type_variable_changed types: T = [\"f32\"] -> none => patch",
            "operand_type_changed input.X of: T = [\"f32\"] -> attribute `A` => break",
            "attr_changed attr.A type: string -> dtype => break",
        ],
    ),
    (
        "a variable that nothing was of allows less where something is of it",
        "types.T = { allowed = [\"f32\", \"f64\"] }",
        "types.T = { allowed = [\"f32\"] }; input.X = { of = \"T\", dispensable = true }",
        &[
            "type_variable_changed types: T = [\"f32\", \"f64\"] -> T = [\"f32\"] => patch",
            "input_added input.X: absent -> { dispensable = true, of = \"T\" } => minor",
        ],
    ),
    // ---- how many variables ----
    (
        "an input says that it takes at least one variable, as it did",
        "input.X = { duplicable = true }",
        "input.X = { duplicable = true, min = 1 }",
        &["operand_minimum_lowered input.X min: 1 -> 1 => minor"],
    ),
    (
        "an input is counted that was not",
        "input.X = { duplicable = true }",
        "input.X = { duplicable = true, count = \"N\" }; attr.N = { type = \"i64\", default = 1 }",
        &[
            "operand_count_changed input.X count: none -> N => break",
            "attr_added attr.N: absent -> { type = \"i64\", default = 1 } => minor",
        ],
    ),
    (
        "one variable becomes as many as a new attribute says, which is 1 by default",
        "input.X = {}",
        "input.X = { duplicable = true, count = \"N\" }; attr.N = { type = \"i64\", default = 1 }",
        &[
            "input_changed input.X duplicable: false -> true => relaxation",
            "operand_count_relaxed input.X count: none -> N => minor",
            "attr_added attr.N: absent -> { type = \"i64\", default = 1 } => minor",
        ],
    ),
    (
        "one variable becomes as many as a new attribute says, which is 2 by default",
        "input.X = {}",
        "input.X = { duplicable = true, count = \"N\" }; attr.N = { type = \"i64\", default = 2 }",
        &[
            "input_changed input.X duplicable: false -> true => relaxation",
            "operand_count_changed input.X count: none -> N => break",
            "attr_added attr.N: absent -> { type = \"i64\", default = 2 } => minor",
        ],
    ),
    (
        "one variable that may be absent becomes as many as a new attribute says",
        "input.X = { dispensable = true }",
        "input.X = { duplicable = true, dispensable = true, count = \"N\" }; attr.N = { type = \"i64\", default = 1 }",
        &[
            "input_changed input.X duplicable: false -> true => relaxation",
            "operand_count_changed input.X count: none -> N => break",
            "attr_added attr.N: absent -> { type = \"i64\", default = 1 } => minor",
        ],
    ),
    (
        "an input is no longer counted",
        "input.X = { duplicable = true, count = \"N\" }; attr.N = { type = \"i64\" }",
        "input.X = { duplicable = true }; attr.N = { type = \"i64\" }",
        &["operand_count_relaxed input.X count: N -> none => minor"],
    ),
    (
        "an input is counted by another attribute",
        "input.X = { duplicable = true, count = \"N\" }; attr.N = { type = \"i64\" }; attr.M = { type = \"i64\" }",
        "input.X = { duplicable = true, count = \"M\" }; attr.N = { type = \"i64\" }; attr.M = { type = \"i64\" }",
        &["operand_count_changed input.X count: N -> M => break"],
    ),
    (
        "what counts an input is renamed",
        "input.X = { duplicable = true, count = \"N\" }; attr.N = { type = \"i64\" }",
        "input.X = { duplicable = true, count = \"M\" }; attr.M = { type = \"i64\", alias = [\"N\"] }",
        &[
            "operand_count_relaxed input.X count: N -> M => minor",
            "attr_added attr.M: absent -> { type = \"i64\", alias = [\"N\"] } => minor",
            "attr_deleted attr.N: { type = \"i64\" } -> M => renaming",
        ],
    ),
    (
        "what counts several becomes one",
        "input.X = { duplicable = true, count = \"N\" }; attr.N = { type = \"i64\" }",
        "input.X = {}; attr.N = { type = \"i64\" }",
        &["input_changed input.X duplicable: true -> false => break"],
    ),
    (
        "an input takes more variables at least",
        "input.X = { duplicable = true }",
        "input.X = { duplicable = true, min = 2 }",
        &["operand_minimum_raised input.X min: 1 -> 2 => break"],
    ),
    (
        "an input takes fewer variables at least",
        "input.X = { duplicable = true, min = 3 }",
        "input.X = { duplicable = true, min = 2 }",
        &["operand_minimum_lowered input.X min: 3 -> 2 => minor"],
    ),
    (
        "as many as at least 2 may be none",
        "input.X = { duplicable = true, min = 2 }",
        "input.X = { duplicable = true, dispensable = true }",
        &["operand_minimum_lowered input.X min: 2 -> 0 => minor"],
    ),
    (
        "what an attribute counts may be none, since that may be 0",
        "input.X = { duplicable = true, count = \"N\" }; attr.N = { type = \"i64\", min = 1 }",
        "input.X = { duplicable = true, dispensable = true, count = \"N\" }; attr.N = { type = \"i64\", min = 0 }",
        &["operand_minimum_lowered input.X min: 1 -> 0 => minor", "attr_minimum_lowered attr.N min: 1 -> 0 => minor"],
    ),
    (
        "a list of types may be empty",
        "input.X = { duplicable = true, of = \"Ts\" }; attr.Ts = { type = \"[dtype]\", min = 1 }",
        "input.X = { duplicable = true, dispensable = true, of = \"Ts\" }; attr.Ts = { type = \"[dtype]\" }",
        &[
            "operand_minimum_lowered input.X min: 1 -> 0 => minor",
            "attr_minimum_lowered attr.Ts min: 1 -> none => minor",
        ],
    ),
    (
        "what may be none must be one again",
        "input.X = { duplicable = true, dispensable = true, count = \"N\" }; attr.N = { type = \"i64\", min = 0 }",
        "input.X = { duplicable = true, count = \"N\" }; attr.N = { type = \"i64\", min = 1 }",
        &[
            "input_changed input.X dispensable: true -> false => break",
            "attr_minimum_raised attr.N min: 0 -> 1 => break",
        ],
    ),
    (
        "one or more may be none, of which nothing said how many there are",
        "input.X = { duplicable = true }",
        "input.X = { duplicable = true, dispensable = true }",
        &["input_changed input.X dispensable: false -> true => relaxation"],
    ),
    (
        "as many as an attribute says become one that may be absent",
        "input.X = { duplicable = true, count = \"N\" }; attr.N = { type = \"i64\", default = 1 }",
        "input.X = { dispensable = true }; attr.N = { type = \"i64\", default = 1 }",
        &[
            "input_changed input.X dispensable: false -> true => relaxation",
            "input_changed input.X duplicable: true -> false => break",
        ],
    ),
    (
        "one variable becomes two at least",
        "output.X = {}",
        "output.X = { duplicable = true, min = 2 }",
        &[
            "output_changed output.X duplicable: false -> true => relaxation",
            "operand_minimum_raised output.X min: 1 -> 2 => break",
        ],
    ),
    // ---- references ----
    (
        "an input takes a reference",
        "input.X = {}",
        "input.X = { by_ref = true }",
        &["operand_ref_changed input.X by_ref: false -> true => break"],
    ),
    (
        "an input no longer needs a reference",
        "input.X = { by_ref = true }",
        "input.X = {}",
        &["operand_ref_relaxed input.X by_ref: true -> false => minor"],
    ),
    (
        "an output is a reference",
        "output.X = {}",
        "output.X = { by_ref = true }",
        &["operand_ref_relaxed output.X by_ref: false -> true => minor"],
    ),
    (
        "an output is no longer a reference",
        "output.X = { by_ref = true }",
        "output.X = {}",
        &["operand_ref_changed output.X by_ref: true -> false => break"],
    ),
    // ---- flags ----
    (
        "flags are added",
        "",
        "stateful = true; commutative = true; aggregate = true; communication = true; uninitialized = true",
        &[
            "op_flag_added stateful: false -> true => minor",
            "op_flag_added commutative: false -> true => minor",
            "op_flag_added aggregate: false -> true => minor",
            "op_flag_added communication: false -> true => minor",
            "op_flag_added uninitialized: false -> true => minor",
        ],
    ),
    (
        "flags are removed",
        "stateful = true; commutative = true; aggregate = true; communication = true; uninitialized = true",
        "",
        &[
            "op_flag_removed stateful: true -> false => break",
            "op_flag_removed commutative: true -> false => break",
            "op_flag_removed aggregate: true -> false => break",
            "op_flag_removed communication: true -> false => break",
            "op_flag_removed uninitialized: true -> false => break",
        ],
    ),
    (
        "types and numbers of what is extra carry no promise",
        "input.X = { duplicable = true, dispensable = true, extra = true, type = \"f32\" }",
        "input.X = { duplicable = true, dispensable = true, extra = true, type = \"f64\", by_ref = true }",
        &["extra_changed input.X: { duplicable = true, dispensable = true, extra = true, type = \"f32\" } -> \
           { duplicable = true, dispensable = true, extra = true, type = \"f64\", by_ref = true } => patch"],
    ),
];
