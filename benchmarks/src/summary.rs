//! What the ratios are meant to reach (issue "Declare, lock, enforce", *What it must reach*). It is reported, never
//! asserted.

use std::fmt;

use crate::statistics::Spread;
use crate::steps::TOLERANCE;

/// A measured ratio beside its bound.
pub(crate) struct Goal {
    pub(crate) what: String,
    pub(crate) ratio: Spread,
    bound: Option<f64>,
    aim: Option<f64>,
}

impl Goal {
    /// The cost of an operator, as a part of what serde's derives cost.
    pub(crate) fn per_op(what: impl Into<String>, ratio: Spread) -> Self {
        Goal { what: what.into(), ratio, bound: Some(0.25), aim: Some(0.1) }
    }

    /// The cost of an operator among many, against that among few.
    pub(crate) fn growth(what: impl Into<String>, ratio: Spread) -> Self {
        Goal { what: what.into(), ratio, bound: Some(1.2), aim: None }
    }

    /// A cold build, against that of serde with its derives.
    pub(crate) fn cold_build(what: impl Into<String>, ratio: Spread) -> Self {
        Goal { what: what.into(), ratio, bound: Some(1.3), aim: None }
    }

    /// Loading a graph, against decoding its protobuf (issue "Data versions and graphs").
    pub(crate) fn load(what: impl Into<String>, ratio: Spread) -> Self {
        Goal { what: what.into(), ratio, bound: Some(2.0), aim: None }
    }

    /// What a step takes, against its budget.
    pub(crate) fn budget(what: impl Into<String>, ratio: Spread) -> Self {
        Goal { what: what.into(), ratio, bound: Some(1.0 + f64::from(TOLERANCE) / 100.0), aim: None }
    }

    /// A ratio that has no bound.
    pub(crate) fn reported(what: impl Into<String>, ratio: Spread) -> Self {
        Goal { what: what.into(), ratio, bound: None, aim: None }
    }

    fn verdict(&self, bound: f64) -> &'static str {
        if self.ratio.median > bound {
            "above it"
        } else if self.aim.is_some_and(|aim| self.ratio.median <= aim) {
            "reaches the aim"
        } else {
            "within it"
        }
    }
}

impl fmt::Display for Goal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:<58} {:<24.3}", self.what, self.ratio)?;
        let Some(bound) = self.bound else { return Ok(()) };
        write!(f, " bound {bound}")?;
        if let Some(aim) = self.aim {
            write!(f, ", aim {aim}")?;
        }
        write!(f, ": {}", self.verdict(bound))
    }
}

/// Prints the goals under a title.
pub(crate) fn print(goals: &[Goal]) {
    println!("\nratios, median (least to greatest)");
    for goal in goals {
        println!("  {goal}");
    }
}
