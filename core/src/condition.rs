//! The condition under which an operator exists: the argument of `#[op("…", cfg(…))]`.
//!
//! Conditions are compared by what they say: a change that keeps an operator in every build that had it
//! widens it, any other narrows it.

use std::fmt;

use crate::model::Set;

/// A `cfg` predicate, as Rust spells it.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Condition {
    /// `unix`, or `feature = "cuda"` with its value.
    Flag(String, Option<String>),
    /// `not(…)`.
    Not(Box<Condition>),
    /// `all(…)`.
    All(Vec<Condition>),
    /// `any(…)`.
    Any(Vec<Condition>),
}

/// What is left of a condition, some of whose flags are never on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reduced {
    /// It always holds.
    Always,
    /// It never does.
    Never,
    /// It holds where this does.
    If(Condition),
}

/// Above this number of different flags, implication is not searched for.
const MAX_FLAGS: usize = 12;
/// Above this depth, a text is refused.
const MAX_DEPTH: usize = 16;

/// A text that is not a condition.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ConditionError {
    /// What is wrong with it.
    pub reason: String,
}

impl fmt::Display for ConditionError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.reason)
    }
}

impl std::error::Error for ConditionError {}

impl Condition {
    /// Reads a predicate such as `all(feature = "cuda", not(windows))`.
    ///
    /// # Errors
    ///
    /// When the text is not one predicate, or nests deeper than 16.
    pub fn parse(text: &str) -> Result<Self, ConditionError> {
        let mut parser = Parser { rest: text };
        let condition = parser.condition(0)?;
        if parser.rest.trim_start().is_empty() { Ok(condition) } else { Err(parser.error("the end")) }
    }

    /// Whether every build that satisfies `self` satisfies `other`.
    ///
    /// Flags are taken as independent of each other. With more than 12 different ones only equal
    /// conditions are known to imply each other.
    pub fn implies(&self, other: &Condition) -> bool {
        if self == other {
            return true;
        }
        let mut flags = Set::new();
        self.collect(&mut flags);
        other.collect(&mut flags);
        let flags: Vec<_> = flags.into_iter().collect();
        if flags.len() > MAX_FLAGS {
            return false;
        }
        (0..1_u32 << flags.len()).all(|set| {
            let on = |flag: &Condition| flags.iter().position(|f| *f == flag).is_some_and(|i| set >> i & 1 == 1);
            !self.eval(&on) || other.eval(&on)
        })
    }

    /// The condition under which either holds, in canonical form.
    #[must_use]
    pub fn or(self, other: Condition) -> Self {
        let mut members = Set::new();
        for condition in [self, other] {
            match condition {
                Condition::Any(inner) => members.extend(inner),
                single => {
                    members.insert(single);
                }
            }
        }
        let mut members: Vec<_> = members.into_iter().collect();
        if members.len() == 1 { members.remove(0) } else { Condition::Any(members) }
    }

    /// Whether this is `other`, or an `any(…)` that has it as a member: several structs may declare one
    /// operator under conditions of their own.
    pub fn covers(&self, other: &Condition) -> bool {
        self == other || matches!(self, Condition::Any(members) if members.contains(other))
    }

    /// The names of all features that it mentions.
    pub fn features(&self) -> Set<&str> {
        let mut flags = Set::new();
        self.collect(&mut flags);
        let features = flags.into_iter().filter_map(|flag| match flag {
            Condition::Flag(key, Some(value)) if key == "feature" => Some(value.as_str()),
            _ => None,
        });
        features.collect()
    }

    /// What is left of it where the flags that `gone` names are never on.
    pub fn without(&self, gone: &dyn Fn(&Condition) -> bool) -> Reduced {
        match self {
            Condition::Flag(..) if gone(self) => Reduced::Never,
            Condition::Flag(..) => Reduced::If(self.clone()),
            Condition::Not(inner) => match inner.without(gone) {
                Reduced::Always => Reduced::Never,
                Reduced::Never => Reduced::Always,
                Reduced::If(inner) => Reduced::If(Condition::Not(Box::new(inner))),
            },
            Condition::All(members) | Condition::Any(members) => {
                let is_all = matches!(self, Condition::All(_));
                let (decides, is_idle) =
                    if is_all { (Reduced::Never, Reduced::Always) } else { (Reduced::Always, Reduced::Never) };
                let mut left = Set::new();
                for member in members {
                    match member.without(gone) {
                        Reduced::If(member) => {
                            left.insert(member);
                        }
                        reduced if reduced == decides => return decides,
                        _ => {}
                    }
                }
                let mut left: Vec<_> = left.into_iter().collect();
                match left.len() {
                    0 => is_idle,
                    1 => Reduced::If(left.remove(0)),
                    _ => Reduced::If(if is_all { Condition::All(left) } else { Condition::Any(left) }),
                }
            }
        }
    }

    fn collect<'a>(&'a self, flags: &mut Set<&'a Condition>) {
        match self {
            Condition::Flag(..) => {
                flags.insert(self);
            }
            Condition::Not(inner) => inner.collect(flags),
            Condition::All(members) | Condition::Any(members) => {
                for member in members {
                    member.collect(flags);
                }
            }
        }
    }

    /// Whether it holds where these flags are on.
    pub fn eval(&self, on: &dyn Fn(&Condition) -> bool) -> bool {
        match self {
            Condition::Flag(word, None) if word == "true" || word == "false" => word == "true",
            Condition::Flag(..) => on(self),
            Condition::Not(inner) => !inner.eval(on),
            Condition::All(members) => members.iter().all(|m| m.eval(on)),
            Condition::Any(members) => members.iter().any(|m| m.eval(on)),
        }
    }
}

/// The canonical text, which is also valid inside `#[cfg(…)]`.
impl fmt::Display for Condition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let list = |f: &mut fmt::Formatter<'_>, name: &str, members: &[Condition]| {
            write!(f, "{name}(")?;
            for (i, member) in members.iter().enumerate() {
                if i > 0 {
                    f.write_str(", ")?;
                }
                member.fmt(f)?;
            }
            f.write_str(")")
        };
        match self {
            Condition::Flag(key, None) => f.write_str(key),
            // As it stands, since what is read has no escapes.
            Condition::Flag(key, Some(value)) if !value.contains(['"', '\\']) => write!(f, "{key} = \"{value}\""),
            Condition::Flag(key, Some(value)) => {
                let hashes = "#".repeat(
                    value.split('"').map(|text| text.len() - text.trim_start_matches('#').len() + 1).max().unwrap_or(1),
                );
                write!(f, "{key} = r{hashes}\"{value}\"{hashes}")
            }
            Condition::Not(inner) => write!(f, "not({inner})"),
            Condition::All(members) => list(f, "all", members),
            Condition::Any(members) => list(f, "any", members),
        }
    }
}

struct Parser<'a> {
    rest: &'a str,
}

impl Parser<'_> {
    fn condition(&mut self, depth: usize) -> Result<Condition, ConditionError> {
        if depth > MAX_DEPTH {
            return Err(ConditionError { reason: format!("a condition nests deeper than {MAX_DEPTH}") });
        }
        let key = self.word()?;
        if self.eat('=') {
            return Ok(Condition::Flag(key, Some(self.string()?)));
        }
        if !self.eat('(') {
            return Ok(Condition::Flag(key, None));
        }
        let mut members = Vec::new();
        while !self.eat(')') {
            members.push(self.condition(depth + 1)?);
            if !self.eat(',') {
                if self.eat(')') {
                    break;
                }
                return Err(self.error("`,` or `)`"));
            }
        }
        match key.as_str() {
            // Order and repetition mean nothing, so the canonical form has none.
            "all" | "any" => {
                let sorted: Set<_> = members.into_iter().collect();
                let mut members: Vec<_> = sorted.into_iter().collect();
                Ok(if members.len() == 1 {
                    members.remove(0)
                } else if key == "all" {
                    Condition::All(members)
                } else {
                    Condition::Any(members)
                })
            }
            "not" if members.len() == 1 => Ok(Condition::Not(Box::new(members.remove(0)))),
            "not" => Err(ConditionError { reason: "`not` takes exactly one condition".to_owned() }),
            _ => Err(ConditionError { reason: format!("`{key}(…)` is not a condition: use `all`, `any` or `not`") }),
        }
    }

    fn word(&mut self) -> Result<String, ConditionError> {
        let rest = self.rest.trim_start();
        let end = rest.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(rest.len());
        if end == 0 {
            return Err(self.error("a flag such as `unix` or `feature = \"…\"`"));
        }
        self.rest = &rest[end..];
        Ok(rest[..end].to_owned())
    }

    fn string(&mut self) -> Result<String, ConditionError> {
        let rest = self.rest.trim_start();
        // A raw string may be spelled with escapes and quotation marks, which are then its own.
        let raw = rest.strip_prefix('r').map(|r| r.split_at(r.len() - r.trim_start_matches('#').len()));
        let inner = match raw {
            Some((hashes, text)) => text.strip_prefix('"').and_then(|text| text.split_once(&format!("\"{hashes}"))),
            None => {
                rest.strip_prefix('"').and_then(|text| text.split_once('"')).filter(|(text, _)| !text.contains('\\'))
            }
        };
        let Some((text, after)) = inner else { return Err(self.error("a string without escapes")) };
        self.rest = after;
        Ok(text.to_owned())
    }

    fn eat(&mut self, c: char) -> bool {
        match self.rest.trim_start().strip_prefix(c) {
            Some(rest) => {
                self.rest = rest;
                true
            }
            None => false,
        }
    }

    fn error(&self, expected: &str) -> ConditionError {
        let rest = self.rest.trim_start();
        let found = if rest.is_empty() { "the end".to_owned() } else { format!("`{rest}`") };
        ConditionError { reason: format!("expected {expected}, found {found}") }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(text: &str) -> Condition {
        Condition::parse(text).unwrap_or_else(|e| panic!("{text}: {e}"))
    }

    #[test]
    fn text_is_canonical() {
        let condition = parse(" all ( unix , feature=\"cuda\", not(any(windows)), unix ,)");
        assert_eq!(condition.to_string(), "all(feature = \"cuda\", unix, not(windows))");
        assert_eq!(parse(&condition.to_string()), condition);
        assert_eq!(condition.features().into_iter().collect::<Vec<_>>(), ["cuda"]);
    }

    #[test]
    fn raw_strings_say_the_same() {
        for text in ["feature = \"cuda\"", "feature = r\"cuda\"", "feature = r#\"cuda\"#", "feature=r##\"cuda\"##"] {
            assert_eq!(parse(text).to_string(), "feature = \"cuda\"", "{text}");
        }
        for value in ["a\"b", "a\\b", "\"#", "a\"##b\"#"] {
            let flag = Condition::Flag("flag".to_owned(), Some(value.to_owned()));
            assert_eq!(parse(&flag.to_string()), flag, "{flag}");
        }
        // With no more marks than it takes.
        let spelled = |value: &str| Condition::Flag("flag".to_owned(), Some(value.to_owned())).to_string();
        assert_eq!(spelled("a\\b"), "flag = r#\"a\\b\"#");
        assert_eq!(spelled("a\"##b\"#"), "flag = r###\"a\"##b\"#\"###");
        for bad in ["a = r\"b", "a = r#\"b\"", "a = r", "a = r#", "a = rb\"c\""] {
            assert!(Condition::parse(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn what_is_left_without_a_flag() {
        let left = |text: &str| match parse(text).without(&|flag| *flag == parse("gone")) {
            Reduced::Always => "always".to_owned(),
            Reduced::Never => "never".to_owned(),
            Reduced::If(condition) => condition.to_string(),
        };
        for (text, expected) in [
            ("gone", "never"),
            ("unix", "unix"),
            ("not(gone)", "always"),
            ("not(unix)", "not(unix)"),
            ("any(gone, unix)", "unix"),
            ("any(a, b, gone)", "any(a, b)"),
            ("any(not(gone), unix)", "always"),
            ("any(gone, all(gone, unix))", "never"),
            ("all(gone, unix)", "never"),
            ("all(not(gone), unix)", "unix"),
            ("all(any(gone, unix), unix)", "unix"),
            ("not(all(unix, any(a, gone)))", "not(all(a, unix))"),
            ("all()", "always"),
            ("any()", "never"),
        ] {
            assert_eq!(left(text), expected, "{text}");
        }
    }

    #[test]
    fn widening_and_narrowing() {
        let (cuda, any) = (parse("feature = \"cuda\""), parse("any(feature = \"cuda\", feature = \"rocm\")"));
        assert!(cuda.implies(&any) && !any.implies(&cuda));
        assert!(parse("all(unix, windows)").implies(&parse("unix")));
        assert!(!parse("unix").implies(&parse("not(unix)")));
        assert!(parse("any()").implies(&parse("unix")));
        assert!(parse("unix").implies(&parse("true")) && parse("false").implies(&parse("unix")));
        assert!(cuda.clone().or(parse("feature = \"rocm\"")).covers(&cuda));
    }

    #[test]
    fn implication_is_searched_for_among_a_dozen_flags() {
        let all = |count: usize| Condition::All((0..count).map(|i| Condition::Flag(format!("f{i}"), None)).collect());
        assert!(all(12).implies(&parse("f0")));
        // More would take long.
        assert!(!all(13).implies(&parse("f0")));
        assert!(all(13).implies(&all(13)));
        assert!(!all(14).implies(&parse("f0")));
    }

    #[test]
    fn either_of_two_is_written_once_and_in_order() {
        let either = |a: &str, b: &str| parse(a).or(parse(b)).to_string();
        assert_eq!(either("unix", "unix"), "unix");
        assert_eq!(either("windows", "unix"), "any(unix, windows)");
        assert_eq!(either("any(b, c)", "any(a, b)"), "any(a, b, c)");
    }

    #[test]
    fn only_a_feature_is_one() {
        let condition = parse("any(feature = \"cuda\", not(feature = \"rocm\"), target_os = \"linux\", unix)");
        assert_eq!(condition.features().into_iter().collect::<Vec<_>>(), ["cuda", "rocm"]);
    }

    #[test]
    fn bad_texts() {
        for bad in ["", "(", "not()", "not(a, b)", "foo(a)", "feature = cuda", "a b", "feature = \"a", "all(a"] {
            assert!(Condition::parse(bad).is_err(), "{bad}");
        }
        for (bad, why) in [
            ("not(a, b)", "`not` takes exactly one condition"),
            ("none(a)", "`none(…)` is not a condition: use `all`, `any` or `not`"),
        ] {
            let error = Condition::parse(bad).unwrap_err();
            assert_eq!((error.reason.as_str(), error.to_string().as_str()), (why, why));
        }
        let nested = |depth: usize| Condition::parse(&format!("{}a{}", "not(".repeat(depth), ")".repeat(depth)));
        assert!(nested(MAX_DEPTH).is_ok());
        assert_eq!(nested(MAX_DEPTH + 1).unwrap_err().reason, "a condition nests deeper than 16");
    }
}
