//! `TensorFlow`'s own judgement: the history of its operators passes but for what it broke in truth; each single break is
//! found in every operator that can have it, and each legal change passes in every operator.
//!
//! On an excerpt, and on the whole files where `OPLOCK_DATA` says in which folder they are.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use oplock_core::{ArgDef, AttrDef, AttrType, Deprecated, ElementType, Kind, OpDef, ScalarType, Value};
use oplock_interop::rules::tensorflow::{Histories, judge, judge_change, judge_histories};
use oplock_interop::tensorflow::op_list::Document;

fn document(path: &Path) -> Document {
    Document::read(&std::fs::read(path).unwrap()).unwrap()
}

/// A file of the excerpt, and the whole file.
fn files(excerpt: &str, whole: &str) -> Vec<(PathBuf, Document)> {
    let mut paths = vec![Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data").join(excerpt)];
    paths.extend(std::env::var_os("OPLOCK_DATA").map(|data| Path::new(&data).join("tensorflow").join(whole)));
    paths.into_iter().map(|path| (path.clone(), document(&path))).collect()
}

/// What is said of an operator's change: rules and items.
fn said(old: &OpDef, new: &OpDef) -> Vec<(&'static str, Option<(Kind, String)>)> {
    judge_change(&[old], new).into_iter().map(|finding| (finding.rule, finding.item)).collect()
}

/// Each change of an operator that is of that kind, with the item where it is to be found.
type Changes = Vec<(OpDef, Option<(Kind, String)>)>;

fn attr_mut<'a>(op: &'a mut OpDef, name: &str) -> &'a mut AttrDef {
    op.attrs.to_mut().iter_mut().find(|attr| attr.name == name).unwrap()
}

/// The operator with one attribute changed, for each that can be.
fn each_attr(op: &OpDef, change: impl Fn(&mut AttrDef) -> bool) -> Changes {
    let changed = |attr: &AttrDef| {
        let mut new = op.clone();
        change(attr_mut(&mut new, &attr.name)).then(|| (new, Some((Kind::Attr, attr.name.to_string()))))
    };
    op.attrs.iter().filter_map(changed).collect()
}

fn args_mut(op: &mut OpDef, kind: Kind) -> &mut Vec<ArgDef> {
    if kind == Kind::Input { op.inputs.to_mut() } else { op.outputs.to_mut() }
}

/// The operator with one operand changed, for each that can be; what is found names the operator only.
fn each_arg(op: &OpDef, kind: Kind, change: impl Fn(&mut OpDef, usize) -> bool) -> Changes {
    let changed = |index| {
        let mut new = op.clone();
        change(&mut new, index).then_some((new, None))
    };
    (0..op.args(kind).len()).filter_map(changed).collect()
}

/// Whether an operand names the attribute.
fn is_named(op: &OpDef, attr: &str) -> bool {
    let mut args = op.inputs.iter().chain(op.outputs.iter());
    args.any(|arg| {
        arg.count.as_deref() == Some(attr) || matches!(&arg.ty, Some(ElementType::Var(name)) if name == attr)
    })
}

fn other_value(value: &Value) -> Option<Value> {
    Some(match value {
        Value::Bool(x) => Value::Bool(!x),
        Value::I64(x) => Value::I64(x + 1),
        Value::F32(x) => Value::F32(if x.is_finite() { f32::INFINITY } else { 1.0 }),
        Value::String(x) => Value::String(format!("{x}'").into()),
        Value::DType(x) => Value::DType(if x == "f32" { "f64" } else { "f32" }.into()),
        Value::Shape(shape) => {
            Value::Shape(if shape.dims.is_none() { oplock_core::Shape::of([]) } else { oplock_core::Shape::default() })
        }
        Value::List(items) => Value::list(items.iter().chain(items.first()).cloned().collect()),
        _ => return None,
    })
}

fn added(op: &OpDef, name: &str, ty: AttrType, default: Option<Value>) -> OpDef {
    let mut new = op.clone();
    new.attrs.to_mut().push(AttrDef { default, ..AttrDef::new(name.to_owned(), ty) });
    new
}

const DTYPE: AttrType = AttrType::of(ScalarType::DType);
const DTYPES: AttrType = AttrType::list(ScalarType::DType);
const INT: AttrType = AttrType::of(ScalarType::I64);

/// A fixed type that becomes an attribute with that default.
fn generalised(op: &OpDef, kind: Kind, index: usize, default: impl Fn(&str) -> String) -> Option<OpDef> {
    let Some(ElementType::Fixed(ty)) = &op.args(kind)[index].ty else { return None };
    let mut new = added(op, "T'", DTYPE, Some(Value::DType(default(ty).into())));
    args_mut(&mut new, kind)[index].ty = Some(ElementType::Var("T'".into()));
    Some(new)
}

/// One operand that becomes several, as many as the default of a new attribute.
fn counted(op: &OpDef, kind: Kind, index: usize, default: i64) -> Option<OpDef> {
    let arg = &op.args(kind)[index];
    if arg.duplicable {
        return None;
    }
    let mut new = added(op, "N'", INT, Some(Value::I64(default)));
    let arg = &mut args_mut(&mut new, kind)[index];
    (arg.count, arg.duplicable) = (Some("N'".into()), true);
    Some(new)
}

fn in_place(change: Option<OpDef>, op: &mut OpDef) -> bool {
    change.map(|new| *op = new).is_some()
}

type Case = (&'static str, fn(&OpDef) -> Changes);

const BREAKS: &[(&str, Case)] = &[
    (
        "attr_removed",
        ("an attribute is removed", |op| {
            let free = op.attrs.iter().filter(|attr| !is_named(op, &attr.name));
            free.map(|attr| {
                let mut new = op.clone();
                new.attrs.to_mut().retain(|other| other.name != attr.name);
                (new, Some((Kind::Attr, attr.name.to_string())))
            })
            .collect()
        }),
    ),
    (
        "attr_type_changed",
        ("an attribute is of another type", |op| {
            each_attr(op, |attr| {
                let is_free = attr.default.is_none() && attr.values.is_empty() && !is_named(op, &attr.name);
                attr.ty = if attr.ty == INT { AttrType::of(ScalarType::F32) } else { INT };
                attr.min = None;
                is_free
            })
        }),
    ),
    (
        "attr_type_changed",
        ("a value becomes a list", |op| {
            each_attr(op, |attr| {
                let is_free = attr.default.is_none() && attr.ty.depth == 0 && !is_named(op, &attr.name);
                attr.ty = AttrType::list(attr.ty.scalar);
                is_free
            })
        }),
    ),
    (
        "attr_values_narrowed",
        ("an allowed value is taken away", |op| {
            each_attr(op, |attr| attr.values.len() > 1 && attr.values.to_mut().pop().is_some())
        }),
    ),
    (
        "attr_values_narrowed",
        ("an allowed value is replaced", |op| {
            each_attr(op, |attr| attr.values.to_mut().first_mut().map(|value| *value = "other".into()).is_some())
        }),
    ),
    (
        "attr_values_narrowed",
        ("values are restricted that were not", |op| {
            each_attr(op, |attr| {
                let is_free =
                    attr.values.is_empty() && matches!(attr.ty.scalar, ScalarType::String | ScalarType::DType);
                attr.values = vec!["f32".into(), "i32".into()].into();
                is_free
            })
        }),
    ),
    (
        "attr_minimum_raised",
        ("a minimum is raised", |op| each_attr(op, |attr| attr.min.as_mut().map(|min| *min += 1).is_some())),
    ),
    (
        "attr_minimum_raised",
        ("a minimum is set that was not", |op| {
            each_attr(op, |attr| {
                let is_free = attr.min.is_none() && (attr.ty == INT || attr.ty.depth > 0);
                attr.min = Some(0);
                is_free
            })
        }),
    ),
    (
        "attr_added_without_default",
        ("an attribute is added without a default", |op| {
            vec![(added(op, "added", INT, None), Some((Kind::Attr, "added".to_owned())))]
        }),
    ),
    ("attr_default_removed", ("a default is removed", |op| each_attr(op, |attr| attr.default.take().is_some()))),
    (
        "attr_default_changed",
        ("a default is changed", |op| {
            each_attr(op, |attr| {
                let other =
                    attr.default.as_ref().and_then(other_value).filter(|other| Some(other) != attr.default.as_ref());
                other.map(|other| attr.default = Some(other)).is_some()
            })
        }),
    ),
    (
        "input_signature_changed",
        ("an input is added", |op| {
            let mut new = op.clone();
            new.inputs.to_mut().push(ArgDef { ty: Some(ElementType::Fixed("f32".into())), ..ArgDef::new("added") });
            vec![(new, None)]
        }),
    ),
    (
        "input_signature_changed",
        ("an input is removed", |op| {
            each_arg(op, Kind::Input, |new, i| {
                new.inputs.to_mut().remove(i);
                true
            })
        }),
    ),
    (
        "input_signature_changed",
        ("two inputs of different types are swapped", |op| {
            each_arg(op, Kind::Input, |new, i| {
                let inputs = new.inputs.to_mut();
                let differ = |a: &ArgDef, b: &ArgDef| (&a.ty, &a.count) != (&b.ty, &b.count);
                i + 1 < inputs.len() && differ(&inputs[i], &inputs[i + 1]) && {
                    inputs.swap(i, i + 1);
                    true
                }
            })
        }),
    ),
    (
        "input_signature_changed",
        ("an input is of another fixed type", |op| {
            each_arg(op, Kind::Input, |new, i| {
                let Some(ElementType::Fixed(ty)) = &mut new.inputs.to_mut()[i].ty else { return false };
                *ty = if ty == "f32" { "f64" } else { "f32" }.into();
                true
            })
        }),
    ),
    (
        "input_signature_changed",
        ("an input's type becomes an attribute whose default is another", |op| {
            each_arg(op, Kind::Input, |new, i| {
                let other = |ty: &str| if ty == "f32" { "f64" } else { "f32" }.to_owned();
                in_place(generalised(new, Kind::Input, i, other), new)
            })
        }),
    ),
    (
        "input_signature_changed",
        ("an input's type is no longer that of the attribute", |op| {
            each_arg(op, Kind::Input, |new, i| {
                let arg = &mut new.inputs.to_mut()[i];
                let is_var = matches!(arg.ty, Some(ElementType::Var(_)));
                arg.ty = Some(ElementType::Fixed("f32".into()));
                is_var
            })
        }),
    ),
    (
        "input_signature_changed",
        ("an input becomes two", |op| {
            each_arg(op, Kind::Input, |new, i| in_place(counted(new, Kind::Input, i, 2), new))
        }),
    ),
    (
        "input_signature_changed",
        ("an input becomes none", |op| {
            each_arg(op, Kind::Input, |new, i| in_place(counted(new, Kind::Input, i, 0), new))
        }),
    ),
    (
        "input_signature_changed",
        ("inputs are no longer counted", |op| {
            each_arg(op, Kind::Input, |new, i| new.inputs.to_mut()[i].count.take().is_some())
        }),
    ),
    (
        "input_became_ref",
        ("an input takes references only", |op| {
            each_arg(op, Kind::Input, |new, i| !std::mem::replace(&mut new.inputs.to_mut()[i].by_ref, true))
        }),
    ),
    (
        "output_signature_changed",
        ("an output is added", |op| {
            let mut new = op.clone();
            new.outputs.to_mut().push(ArgDef { ty: Some(ElementType::Fixed("f32".into())), ..ArgDef::new("added") });
            vec![(new, None)]
        }),
    ),
    (
        "output_signature_changed",
        ("an output is removed", |op| {
            each_arg(op, Kind::Output, |new, i| {
                new.outputs.to_mut().remove(i);
                true
            })
        }),
    ),
    (
        "output_signature_changed",
        ("an output is renamed", |op| {
            each_arg(op, Kind::Output, |new, i| {
                new.outputs.to_mut()[i].name = "renamed".into();
                true
            })
        }),
    ),
    (
        "output_signature_changed",
        ("two outputs are swapped", |op| {
            each_arg(op, Kind::Output, |new, i| {
                i + 1 < new.outputs.len() && {
                    new.outputs.to_mut().swap(i, i + 1);
                    true
                }
            })
        }),
    ),
    (
        "output_signature_changed",
        ("an output is of another type", |op| {
            each_arg(op, Kind::Output, |new, i| {
                let arg = &mut new.outputs.to_mut()[i];
                let other = if arg.ty == Some(ElementType::Fixed("f32".into())) { "f64" } else { "f32" };
                arg.ty = Some(ElementType::Fixed(other.into()));
                true
            })
        }),
    ),
    (
        "output_lost_ref",
        ("an output is no longer a reference", |op| {
            each_arg(op, Kind::Output, |new, i| std::mem::replace(&mut new.outputs.to_mut()[i].by_ref, false))
        }),
    ),
];

const LEGAL: &[Case] = &[
    ("nothing", |op| vec![(op.clone(), None)]),
    ("an attribute is added with a default", |op| vec![(added(op, "added", INT, Some(Value::I64(0))), None)]),
    ("an allowed value is added", |op| {
        each_attr(op, |attr| {
            !attr.values.is_empty() && {
                attr.values.to_mut().insert(0, "other".into());
                true
            }
        })
    }),
    ("a restriction is lifted", |op| each_attr(op, |attr| !std::mem::take(&mut attr.values).is_empty())),
    ("allowed values are in another order", |op| {
        each_attr(op, |attr| {
            attr.values.to_mut().reverse();
            attr.values.len() > 1
        })
    }),
    ("a minimum is lowered", |op| each_attr(op, |attr| attr.min.as_mut().map(|min| *min -= 1).is_some())),
    ("a minimum is dropped", |op| each_attr(op, |attr| attr.min.take().is_some())),
    ("a default is given", |op| each_attr(op, |attr| attr.ty == INT && attr.default.replace(Value::I64(9)).is_none())),
    ("attributes are in another order", |op| {
        let mut new = op.clone();
        new.attrs.to_mut().reverse();
        vec![(new, None)]
    }),
    ("an input is renamed", |op| {
        each_arg(op, Kind::Input, |new, i| {
            new.inputs.to_mut()[i].name = "renamed".into();
            true
        })
    }),
    ("two inputs of one type are swapped", |op| {
        each_arg(op, Kind::Input, |new, i| {
            let inputs = new.inputs.to_mut();
            let alike = |a: &ArgDef, b: &ArgDef| (&a.ty, &a.count, a.by_ref) == (&b.ty, &b.count, b.by_ref);
            i + 1 < inputs.len() && alike(&inputs[i], &inputs[i + 1]) && {
                inputs.swap(i, i + 1);
                true
            }
        })
    }),
    ("an input's type becomes an attribute with that default", |op| {
        each_arg(op, Kind::Input, |new, i| in_place(generalised(new, Kind::Input, i, str::to_owned), new))
    }),
    ("an output's type becomes an attribute with that default", |op| {
        each_arg(op, Kind::Output, |new, i| in_place(generalised(new, Kind::Output, i, str::to_owned), new))
    }),
    ("an input becomes as many as a new attribute says, by default one", |op| {
        each_arg(op, Kind::Input, |new, i| in_place(counted(new, Kind::Input, i, 1), new))
    }),
    ("an output becomes as many as a new attribute says, by default one", |op| {
        each_arg(op, Kind::Output, |new, i| in_place(counted(new, Kind::Output, i, 1), new))
    }),
    ("inputs of any types are added, by default none", |op| {
        let mut new = added(op, "T'", DTYPES, Some(Value::list(vec![])));
        let ty = Some(ElementType::Var("T'".into()));
        new.inputs.to_mut().push(ArgDef { ty, duplicable: true, dispensable: true, ..ArgDef::new("added") });
        vec![(new, None)]
    }),
    ("all inputs of fixed types become those of a list with that default", |op| {
        let fixed = |arg: &ArgDef| match (&arg.ty, &arg.count) {
            (Some(ElementType::Fixed(ty)), None) if !arg.by_ref => Some(Value::DType(ty.clone())),
            _ => None,
        };
        let Some(types) = op.inputs.iter().map(fixed).collect::<Option<Vec<_>>>() else { return Vec::new() };
        let mut new = added(op, "T'", DTYPES, Some(Value::list(types)));
        new.inputs =
            vec![ArgDef { ty: Some(ElementType::Var("T'".into())), duplicable: true, ..ArgDef::new("all") }].into();
        vec![(new, None)]
    }),
    ("an input takes values too", |op| {
        each_arg(op, Kind::Input, |new, i| std::mem::replace(&mut new.inputs.to_mut()[i].by_ref, false))
    }),
    ("an output becomes a reference", |op| {
        each_arg(op, Kind::Output, |new, i| !std::mem::replace(&mut new.outputs.to_mut()[i].by_ref, true))
    }),
    ("its flags are others", |op| {
        let mut new = op.clone();
        for name in oplock_core::Flags::NAMES {
            let flag = new.flags.get_mut(name).unwrap();
            *flag = !*flag;
        }
        vec![(new, None)]
    }),
    ("it is deprecated", |op| {
        let mut new = op.clone();
        new.deprecated = Some(Deprecated { version: 99, note: "use another".into() });
        vec![(new, None)]
    }),
];

#[test]
fn each_break_is_found_in_every_operator() {
    for (path, document) in files("tensorflow_2.10.1_excerpt.json", "tf_2.10.1.json") {
        let ops = document.definitions().unwrap();
        for (rule, (name, change)) in BREAKS {
            let mut injected = 0;
            for op in &ops {
                for (new, item) in change(op) {
                    let found = said(op, &new);
                    assert_eq!(found, [(*rule, item)], "{name}: {op:?}\n{new:?}");
                    injected += 1;
                }
            }
            assert!(injected > 0, "{name} in {}", path.display());
            println!("{injected:6} {name}");
        }
        let one = |op: &OpDef| BTreeMap::from([(op.name.to_string(), op.clone())]);
        for op in ops.iter().filter(|op| op.is_guarded()) {
            let removed = judge(&one(op), &BTreeMap::new());
            assert_eq!(removed.findings.iter().map(|finding| finding.rule).collect::<Vec<_>>(), ["op_removed"]);
        }
    }
}

#[test]
fn no_legal_change_is_reported() {
    for (path, document) in files("tensorflow_2.10.1_excerpt.json", "tf_2.10.1.json") {
        let ops = document.definitions().unwrap();
        for (name, change) in LEGAL {
            let mut made = 0;
            for op in &ops {
                for (new, _) in change(op) {
                    assert_eq!(said(op, &new), [], "{name}: {op:?}\n{new:?}");
                    made += 1;
                }
            }
            assert!(made > 0, "{name} in {}", path.display());
            println!("{made:6} {name}");
        }
        let map: BTreeMap<String, OpDef> = ops.iter().map(|op| (op.name.to_string(), op.clone())).collect();
        assert!(judge(&BTreeMap::new(), &map).is_clean() && judge(&map, &map).is_clean());
    }
}

/// The breaks of the 1.x line itself: four operators that lost types for which they never worked, and three defaults that
/// changed before `TensorFlow` judged defaults.
const BROKEN: [(&str, usize, &str, &str); 7] = [
    ("MaxPoolGradWithArgmax", 1, "attr_default_removed", "T"),
    ("MaxPoolWithArgmax", 1, "attr_default_removed", "T"),
    ("Placeholder", 1, "attr_default_changed", "shape"),
    ("Softplus", 4, "attr_values_narrowed", "T"),
    ("SoftplusGrad", 4, "attr_values_narrowed", "T"),
    ("Softsign", 4, "attr_values_narrowed", "T"),
    ("SoftsignGrad", 4, "attr_values_narrowed", "T"),
];

#[test]
fn the_history_passes_but_for_what_it_broke() {
    for (path, document) in files("tensorflow_history_excerpt.json", "tf_ops_history_v1.json") {
        let histories = document.histories().unwrap();
        let expected: Vec<_> = BROKEN.iter().filter(|(op, ..)| histories.contains_key(*op)).collect();
        assert!(!expected.is_empty());
        let mut found = Vec::new();
        let mut pairs = 0;
        for (name, history) in &histories {
            for (i, pair) in history.windows(2).enumerate() {
                pairs += 1;
                for finding in judge_change(&[&pair[0]], &pair[1]) {
                    found.push((name.as_str(), i + 1, finding.rule, finding.item.unwrap().1));
                }
            }
        }
        let found: Vec<_> = found.iter().map(|(op, i, rule, item)| (*op, *i, *rule, item.as_str())).collect();
        assert!(found.iter().eq(expected.iter().copied()), "{}: {found:#?}", path.display());
        println!("{pairs} pairs");
        // Against all before it, each says the same.
        let whole = judge_histories(&Histories::new(), &histories);
        let whole: Vec<_> = whole.findings.iter().map(|finding| (finding.op.as_str(), finding.rule)).collect();
        assert!(whole.iter().eq(expected.iter().map(|(op, _, rule, _)| (*op, *rule)).collect::<Vec<_>>().iter()));
    }
}

/// What broke stays broken against the definitions before, whatever comes after.
#[test]
fn a_definition_is_held_against_all_before_it() {
    let op = |values: &[&'static str]| {
        let mut op = OpDef::new("A");
        let values = values.iter().map(|value| (*value).into()).collect::<Vec<_>>().into();
        op.attrs = vec![AttrDef { values, ..AttrDef::new("T", DTYPE) }].into();
        op
    };
    let (first, second, third) = (op(&["f16", "f32"]), op(&["f32"]), op(&["f32", "f64"]));
    assert_eq!(said(&second, &third), []);
    let found = judge_change(&[&first, &second], &third);
    assert_eq!(found.len(), 1);
    assert_eq!(found[0].to_string(), "A.attr.T: a value is no longer allowed: `f16` [attr_values_narrowed]");
    // What is the same as the last passes: it was judged when it was made.
    assert_eq!(judge_change(&[&first, &second], &second), []);

    let histories = |ops: &[&OpDef]| Histories::from([("A".to_owned(), ops.iter().map(|op| (*op).clone()).collect())]);
    let rules = |old: &[&OpDef], new: &[&OpDef]| {
        let judgement = judge_histories(&histories(old), &histories(new));
        judgement.findings.iter().map(|finding| finding.rule).collect::<Vec<_>>()
    };
    // A history that goes on is judged from where the older one ends; a single definition by the whole older history.
    assert_eq!(rules(&[&first, &second], &[&first, &second, &third]), ["attr_values_narrowed"]);
    assert_eq!(rules(&[&first], &[&first, &third]), ["attr_values_narrowed"]);
    assert_eq!(rules(&[&first, &second], &[&third]), ["attr_values_narrowed"]);
    assert_eq!(rules(&[&second], &[&second, &third]), Vec::<&str>::new());
    assert_eq!(rules(&[&first], &[&first]), Vec::<&str>::new());
    assert_eq!(rules(&[&second, &third], &[&second, &third]), Vec::<&str>::new());
}

#[test]
fn findings_say_what_was_and_what_is() {
    let fixed =
        |name: &'static str, ty: &'static str| ArgDef { ty: Some(ElementType::Fixed(ty.into())), ..ArgDef::new(name) };
    let op = |inputs: Vec<ArgDef>, attrs: Vec<AttrDef>| OpDef {
        inputs: inputs.into(),
        attrs: attrs.into(),
        ..OpDef::new("A")
    };
    let int = |min, default| AttrDef { min, default, ..AttrDef::new("n", INT) };
    let of = |old: &OpDef, new: &OpDef| judge_change(&[old], new).iter().map(ToString::to_string).collect::<Vec<_>>();
    let counted = ArgDef { count: Some("n".into()), duplicable: true, ..fixed("z", "f32") };
    let old = op(vec![fixed("x", "f32"), fixed("y", "i32"), counted.clone()], vec![int(None, Some(Value::I64(1)))]);
    let new = op(vec![fixed("y", "i32"), fixed("x", "f32"), counted], vec![int(Some(2), Some(Value::I64(3)))]);
    assert_eq!(
        of(&old, &new),
        [
            "A.attr.n: its default was 1, and is 3 [attr_default_changed]",
            "A.attr.n: it had no minimum, and is 2 [attr_minimum_raised]",
            "A: its inputs were (f32, i32, n * f32), and are (i32, f32, n * f32) [input_signature_changed]",
        ]
    );
    let text = AttrDef::new("n", AttrType::of(ScalarType::String));
    assert_eq!(
        of(&op(vec![], vec![int(None, None)]), &op(vec![], vec![text])),
        ["A.attr.n: its type was `i64`, and is `string` [attr_type_changed]"]
    );
}

/// Operators that begin with `_` are internal.
#[test]
fn internal_operators_are_not_judged() {
    let ops = BTreeMap::from([("_Send".to_owned(), OpDef::new("_Send"))]);
    assert!(judge(&ops, &BTreeMap::new()).is_clean());
}

/// What the data says of three releases, by an independent program.
#[test]
fn releases() {
    let of = |excerpt, whole| files(excerpt, whole).pop().unwrap().1;
    let map = |document: Document| {
        document.definitions().unwrap().into_iter().map(|op| (op.name.to_string(), op)).collect::<BTreeMap<_, _>>()
    };
    let old = map(of("tensorflow_2.7.0_excerpt.json", "tf_2.7.0.json"));
    let new = map(of("tensorflow_2.10.1_excerpt.json", "tf_2.10.1.json"));
    let found: Vec<_> = judge(&old, &new).findings.iter().map(ToString::to_string).collect();
    assert_eq!(
        found,
        [
            "XlaAllReduce.attr.mode: it is new and has no default, and older graphs do not state it [attr_added_without_default]"
        ]
    );
}
