//! A package through its life, step by step, as the commands lead it.

#![allow(dead_code, unreachable_pub)]

use std::collections::BTreeMap;

use oplock_core::judge::{Context, Remedy, SealError, Verdict, WithdrawError, judge_set, seal, updated, withdraw};
use oplock_core::lock::Since;
use oplock_core::{Kind, Lock, OpDef};

use super::{op_named, v};

/// A package through its life: its source, its version and its lock.
#[derive(Clone, Debug)]
pub struct Package {
    pub lock: Lock,
    pub context: Context,
    pub source: BTreeMap<String, OpDef>,
}

impl Package {
    /// Version 1.0.0 with these operators, sealed.
    pub fn released(ops: &[(&str, &str)]) -> Self {
        let mut package = Package::fresh("1.0.0", ops);
        package.update();
        package.seal();
        package
    }

    /// With an empty lock.
    pub fn fresh(version: &str, ops: &[(&str, &str)]) -> Self {
        Package { lock: Lock::new("p"), context: super::context(version), source: super::set(ops) }
    }

    pub fn version(&mut self, version: &str) -> &mut Self {
        self.context.version = v(version);
        self
    }

    pub fn plan(&mut self, next: &str) -> &mut Self {
        self.lock.next = Some(v(next));
        self
    }

    pub fn declare(&mut self, name: &str, signature: &str) -> &mut Self {
        self.source.insert(name.to_owned(), op_named(name, signature));
        self
    }

    pub fn delete(&mut self, name: &str) -> &mut Self {
        self.source.remove(name).unwrap();
        self
    }

    /// Each finding in short: `rule path: verdict`.
    pub fn said(&self) -> Vec<String> {
        let judged = judge_set(&self.lock, &self.context, &self.source).findings;
        judged
            .iter()
            .map(|judged| {
                let verdict = match &judged.verdict {
                    Verdict::Compatible => "compatible".to_owned(),
                    Verdict::Accepted(version) => format!("accepted for {version}"),
                    Verdict::Approved(approved) => format!("approved by {}", approved.by),
                    Verdict::Refused(Remedy::Withdraw { path }) => format!("withdraw {path}"),
                    Verdict::Refused(Remedy::Mend) => "a mistake".to_owned(),
                    Verdict::Refused(Remedy::Major { version }) => format!("needs {version}"),
                };
                format!("{} {}: {verdict}", judged.finding.rule.name, judged.finding.path())
            })
            .collect()
    }

    pub fn is_stale(&self) -> bool {
        judge_set(&self.lock, &self.context, &self.source).stale
    }

    #[track_caller]
    pub fn says(&mut self, expected: &[&str]) -> &mut Self {
        assert_eq!(self.said(), expected);
        self
    }

    /// `cargo oplock update`, which nothing refuses, and after which nothing is left to say.
    #[track_caller]
    pub fn update(&mut self) -> &mut Self {
        let judgement = judge_set(&self.lock, &self.context, &self.source);
        assert_eq!(judgement.refused().map(|j| j.finding.message()).collect::<Vec<_>>(), [""; 0]);
        self.lock = self.next_lock();
        self.check();
        assert_eq!(self.said(), [""; 0], "after an update\n{}", self.lock);
        assert!(!self.is_stale());
        assert_eq!(self.next_lock().to_string(), self.lock.to_string(), "a second update changes nothing");
        self
    }

    pub fn next_lock(&self) -> Lock {
        updated(&self.lock, &self.context, &self.source, &|_| false)
    }

    /// The lock reads back as written; and where there is nothing to say, an update has nothing to do, but for naming
    /// another release for breaks that were accepted.
    #[track_caller]
    pub fn check(&self) {
        let text = self.lock.to_string();
        let again = Lock::parse(&text, Some(&self.lock.package)).unwrap_or_else(|e| panic!("{e}\n{text}"));
        assert_eq!(again, self.lock, "{text}");
        if self.said().is_empty() && !self.is_stale() {
            let [mut now, mut next] = [self.lock.clone(), self.next_lock()];
            now.ledger.values_mut().chain(next.ledger.values_mut()).for_each(|row| row.accepted_for = None);
            assert_eq!(next.to_string(), now.to_string());
        }
    }

    #[track_caller]
    pub fn withdraw(&mut self, path: &str) -> &mut Self {
        self.lock = withdraw(&self.lock, path).unwrap_or_else(|e| panic!("{e}\n{}", self.lock));
        self.check();
        self
    }

    pub fn cannot_withdraw(&self, path: &str) -> WithdrawError {
        withdraw(&self.lock, path).expect_err(path)
    }

    /// `cargo oplock seal`, which nothing refuses.
    #[track_caller]
    pub fn seal(&mut self) -> &mut Self {
        self.lock = self.try_seal().unwrap_or_else(|e| panic!("{e}\n{}", self.lock));
        self.check();
        self
    }

    pub fn try_seal(&self) -> Result<Lock, SealError> {
        seal(&self.lock, &self.context, "2026-01-01")
    }

    /// What `seal` says against it.
    #[track_caller]
    pub fn cannot_seal(&self) -> String {
        self.try_seal().expect_err("it can be sealed").to_string()
    }

    /// The unsealed rows of the ledger, as the lock writes them.
    pub fn rows(&self) -> Vec<String> {
        self.lock.to_string().lines().filter(|l| l.contains(".unreleased.")).map(str::to_owned).collect()
    }

    pub fn since(&self, op: &str, kind: Kind, item: &str) -> Option<Since> {
        self.lock.ops[op].item_since(kind, item).cloned()
    }
}

/// Since when something is promised that this release was the first to carry.
pub fn since(version: &str) -> Since {
    Since::Release(v(version))
}
