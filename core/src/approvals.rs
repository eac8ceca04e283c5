//! Breaks that a named person allowed: `ops.approvals.toml`.
//!
//! A file of its own, so that a CODEOWNERS line can guard it. Each approval names exactly one finding. The compiler
//! honours it whatever the day; whether it has expired is judged by the command line only, since a commit that
//! compiled once compiles always.

use std::fmt;

use crate::compare::{Finding, rule};
use crate::day::is_day;
use crate::did_you_mean;
use crate::lock::toml::{self, Data, Line, Node};
use crate::lock::{Fields, LockError};
use crate::model::{Kind, write_toml_string};
use crate::version::Bump;

/// The name of the file, which lies beside the lock.
pub const APPROVALS_FILE: &str = "ops.approvals.toml";

const HEADER: &str =
    "# Breaks that a named person allowed. Written by `cargo oplock approve`; guard this file with CODEOWNERS.\n";

/// All approvals of a package.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Approvals {
    /// In the order of the file.
    pub list: Vec<Approval>,
}

/// One break that is allowed.
#[derive(Clone, Debug, Eq)]
pub struct Approval {
    /// The rule that finds it.
    pub rule: String,
    /// The operator.
    pub op: String,
    /// The item; `None` when the break is of the operator itself.
    pub item: Option<(Kind, String)>,
    /// The field that changes, where one does.
    pub field: Option<String>,
    /// What it was, as the finding says it.
    pub from: Option<String>,
    /// What it is.
    pub to: Option<String>,
    /// Why it may be.
    pub reason: String,
    /// Who said so.
    pub by: String,
    /// The last day on which `cargo oplock` accepts it, `YYYY-MM-DD`.
    pub expires: Option<String>,
    /// The line in the file; 0 when it does not come from one.
    pub line: Line,
}

/// Where it stands is not part of what it says.
impl PartialEq for Approval {
    fn eq(&self, other: &Self) -> bool {
        let all = |a: &Self| {
            (
                a.rule.clone(),
                a.op.clone(),
                a.item.clone(),
                a.field.clone(),
                a.from.clone(),
                a.to.clone(),
                a.reason.clone(),
            )
        };
        all(self) == all(other) && (&self.by, &self.expires) == (&other.by, &other.expires)
    }
}

/// Why the approvals cannot be used, and where.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ApprovalsError {
    /// The line at fault.
    pub line: Line,
    /// What is wrong there.
    pub reason: String,
}

impl fmt::Display for ApprovalsError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{APPROVALS_FILE}:{}: {}", self.line, self.reason)
    }
}

impl std::error::Error for ApprovalsError {}

impl From<LockError> for ApprovalsError {
    fn from(error: LockError) -> Self {
        ApprovalsError { line: error.line, reason: error.kind.to_string() }
    }
}

impl Approvals {
    /// Reads the file.
    ///
    /// # Errors
    ///
    /// When it is not TOML, has unknown keys, or an approval names no rule that can be broken, no reason or nobody.
    pub fn parse(text: &str) -> Result<Self, ApprovalsError> {
        let root = toml::parse(text).map_err(|e| ApprovalsError { line: e.line, reason: e.reason })?;
        Fields::new(&root, 1, "the file of approvals").only(&["approval"])?;
        let items = match root.get("approval") {
            None => &[][..],
            Some(Node { data: Data::Array(items), .. }) => items,
            Some(node) => {
                let reason = format!("an approval begins with [[approval]], and this is {}", node.data.describe());
                return Err(ApprovalsError { line: node.line, reason });
            }
        };
        let mut list: Vec<Approval> = Vec::new();
        for node in items {
            let approval = Approval::read(node)?;
            if let Some(first) = list.iter().find(|other| other.names_the_same(&approval)) {
                let reason = format!("the same break is approved on line {} already", first.line);
                return Err(ApprovalsError { line: node.line, reason });
            }
            list.push(approval);
        }
        Ok(Approvals { list })
    }

    /// The approval of exactly that finding.
    pub fn of(&self, finding: &Finding) -> Option<&Approval> {
        self.list.iter().find(|approval| approval.is_of(finding))
    }
}

/// Merges what two sides made of the approvals: each break by itself. Where both approved one differently, ours is taken
/// and theirs is in the second list.
#[cfg(feature = "tools")]
pub fn merge_approvals(base: &Approvals, ours: &Approvals, theirs: &Approvals) -> (Approvals, Vec<Approval>) {
    let same = |list: &Approvals, approval: &Approval| list.list.iter().find(|a| a.names_the_same(approval)).cloned();
    let (mut merged, mut left) = (Approvals::default(), Vec::new());
    let of_theirs = theirs.list.iter().filter(|approval| same(ours, approval).is_none());
    for approval in ours.list.iter().chain(of_theirs) {
        let sides = [base, ours, theirs].map(|side| same(side, approval));
        let [base, ours, theirs] = sides;
        let picked = if ours == theirs || theirs == base {
            ours
        } else if ours == base {
            theirs
        } else {
            left.extend(theirs.clone().filter(|_| ours.is_some()));
            ours.or(theirs)
        };
        merged.list.extend(picked);
    }
    (merged, left)
}

impl Approval {
    /// The approval of a finding.
    pub fn new(finding: &Finding, reason: impl Into<String>, by: impl Into<String>, expires: Option<String>) -> Self {
        Approval {
            rule: finding.rule.name.to_owned(),
            op: finding.op.clone(),
            item: finding.item.clone(),
            field: finding.field.map(str::to_owned),
            from: finding.from.clone(),
            to: finding.to.clone(),
            reason: reason.into(),
            by: by.into(),
            expires,
            line: 0,
        }
    }

    /// Whether it names exactly that finding. Of two operands that took each other's place one is told of and named: what comes
    /// to the place that one leaves, from the place that it goes to, is the other.
    pub fn is_of(&self, finding: &Finding) -> bool {
        let kind = |item: &Option<(Kind, String)>| item.as_ref().map(|(kind, _)| *kind);
        let is_other = finding.rule.name == "operand_moved"
            && kind(&self.item) == kind(&finding.item)
            && (&self.from, &self.to) == (&finding.to, &finding.from);
        self.rule == finding.rule.name
            && self.op == finding.op
            && self.field.as_deref() == finding.field
            && (is_other || (self.item == finding.item && self.from == finding.from && self.to == finding.to))
    }

    fn names_the_same(&self, other: &Approval) -> bool {
        let key = |a: &Approval| {
            (a.rule.clone(), a.op.clone(), a.item.clone(), a.field.clone(), a.from.clone(), a.to.clone())
        };
        key(self) == key(other)
    }

    /// Whether its last day is before that day, both `YYYY-MM-DD`.
    pub fn has_expired(&self, today: &str) -> bool {
        self.expires.as_deref().is_some_and(|last| last < today)
    }

    /// `slice` or `slice.attr.starts`.
    pub fn path(&self) -> String {
        match &self.item {
            None => self.op.clone(),
            Some((kind, item)) => format!("{}.{}.{item}", self.op, kind.key()),
        }
    }

    fn read(node: &Node) -> Result<Self, ApprovalsError> {
        let fail = |line, reason: String| Err(ApprovalsError { line, reason });
        let fields = Fields::of(node, "an approval")?;
        fields.only(&["rule", "op", "input", "output", "attr", "field", "from", "to", "reason", "by", "expires"])?;
        let text = |key: &str| fields.optional(key, |text, _| Ok(text.to_owned()));
        let name = fields.string("rule")?;
        match rule(&name) {
            Some(rule) if rule.cases.iter().any(|case| case.bump == Bump::Major) => {}
            Some(_) => {
                return fail(
                    fields.line_of("rule"),
                    format!("`{name}` finds no breaks, so there is nothing to approve"),
                );
            }
            None => {
                let hint = did_you_mean(&name, crate::compare::RULES.iter().map(|rule| rule.name));
                return fail(fields.line_of("rule"), format!("there is no rule `{name}`{hint}"));
            }
        }
        let mut items = Vec::new();
        for kind in [Kind::Input, Kind::Output, Kind::Attr] {
            items.extend(text(kind.key())?.map(|item| (kind, item)));
        }
        if items.len() > 1 {
            return fail(node.line, "an approval names one item: `input`, `output` or `attr`".to_owned());
        }
        let approval = Approval {
            rule: name,
            op: fields.string("op")?,
            item: items.pop(),
            field: text("field")?,
            from: text("from")?,
            to: text("to")?,
            reason: fields.string("reason")?,
            by: fields.string("by")?,
            expires: text("expires")?,
            line: node.line,
        };
        for (key, value) in [("reason", &approval.reason), ("by", &approval.by)] {
            if value.trim().is_empty() {
                return fail(fields.line_of(key), format!("an approval needs its `{key}`"));
            }
        }
        match &approval.expires {
            Some(day) if !is_day(day) => {
                fail(fields.line_of("expires"), format!("{day:?} is not a day; write YYYY-MM-DD"))
            }
            _ => Ok(approval),
        }
    }
}

impl fmt::Display for Approvals {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(HEADER)?;
        for approval in &self.list {
            f.write_str("\n[[approval]]\n")?;
            let item = approval.item.as_ref().map(|(kind, item)| (kind.key(), Some(item)));
            let fields = [
                ("rule", Some(&approval.rule)),
                ("op", Some(&approval.op)),
                item.unwrap_or(("attr", None)),
                ("field", approval.field.as_ref()),
                ("from", approval.from.as_ref()),
                ("to", approval.to.as_ref()),
                ("reason", Some(&approval.reason)),
                ("by", Some(&approval.by)),
                ("expires", approval.expires.as_ref()),
            ];
            for (key, value) in fields {
                if let Some(value) = value {
                    write!(f, "{key} = ")?;
                    write_toml_string(f, value)?;
                    f.write_str("\n")?;
                }
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "[[approval]]\nrule = \"attr_changed\"\nop = \"slice\"\nattr = \"starts\"\nfield = \"default\"\n\
                        from = \"[]\"\nto = \"[1]\"\nreason = \"no graph was saved\"\nby = \"A. Person\"\nexpires = \"2027-01-31\"\n";

    #[test]
    fn what_is_written_reads_back() {
        let approvals = Approvals::parse(TEXT).unwrap();
        assert_eq!(approvals.list[0].path(), "slice.attr.starts");
        assert_eq!(Approvals::parse(&approvals.to_string()), Ok(approvals));
        assert_eq!(Approvals::parse(""), Ok(Approvals::default()));
    }

    #[test]
    fn a_day_is_the_last_one() {
        let approval = &Approvals::parse(TEXT).unwrap().list[0];
        assert!(!approval.has_expired("2027-01-31"));
        assert!(approval.has_expired("2027-02-01"));
    }

    #[test]
    #[cfg(feature = "tools")]
    fn each_break_is_merged_by_itself() {
        let of = |names: &[(&str, &str)]| {
            let one = &Approvals::parse(TEXT).unwrap().list[0];
            let approval = |(op, by): &(&str, &str)| Approval { op: (*op).into(), by: (*by).into(), ..one.clone() };
            Approvals { list: names.iter().map(approval).collect() }
        };
        let base = of(&[("a", "x"), ("b", "x"), ("c", "x")]);
        // Ours sealed `a` and added `d`; theirs sealed `b`, added `e`, and approved `c` anew.
        let ours = of(&[("b", "x"), ("c", "x"), ("d", "x")]);
        let theirs = of(&[("a", "x"), ("c", "y"), ("e", "x")]);
        let expected = of(&[("c", "y"), ("d", "x"), ("e", "x")]);
        assert_eq!(merge_approvals(&base, &ours, &theirs), (expected, vec![]));
        // Both approved one break, and one side took back what the other approved anew.
        let (ours, theirs) = (of(&[("a", "y"), ("f", "x")]), of(&[("b", "x"), ("c", "x"), ("f", "y")]));
        let (merged, left) = merge_approvals(&base, &ours, &theirs);
        assert_eq!(merged, of(&[("a", "y"), ("f", "x")]));
        assert_eq!(left, of(&[("f", "y")]).list);
    }

    #[test]
    fn what_is_refused() {
        for (from, to, line, reason) in [
            ("attr_changed", "attr_change", 2, "did you mean `attr_changed`?"),
            ("attr_changed", "attr_added", 2, "finds no breaks"),
            ("reason = \"no graph was saved\"", "reason = \" \"", 8, "needs its `reason`"),
            ("by = \"A. Person\"\n", "", 1, "does not say its `by`"),
            ("2027-01-31", "31.1.2027", 10, "write YYYY-MM-DD"),
            ("field =", "fild =", 5, "did you mean `field`?"),
            ("op = ", "input = \"x\"\nop = ", 1, "names one item"),
            ("[[approval]]", "[approval]", 1, "begins with [[approval]]"),
        ] {
            let error = Approvals::parse(&TEXT.replace(from, to)).expect_err(to);
            assert_eq!(error.line, line, "{error}");
            assert!(error.to_string().contains(reason), "{error}");
        }
        let twice = Approvals::parse(&format!("{TEXT}{TEXT}")).unwrap_err();
        assert_eq!((twice.line, twice.reason.as_str()), (11, "the same break is approved on line 1 already"));
    }
}
