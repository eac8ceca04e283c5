//! The middle and the ends of a few measurements.

use std::fmt;

/// The median of several runs, with the least and the greatest.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Spread {
    pub(crate) median: f64,
    pub(crate) least: f64,
    pub(crate) greatest: f64,
}

impl Spread {
    /// Of at least one number; none is NaN.
    pub(crate) fn of(numbers: impl IntoIterator<Item = f64>) -> Self {
        let mut numbers: Vec<f64> = numbers.into_iter().collect();
        numbers.sort_by(f64::total_cmp);
        let at = |index: usize| numbers.get(index).copied().unwrap_or(f64::NAN);
        let last = numbers.len().saturating_sub(1);
        // Of an even count the mean of the middle two.
        let median = f64::midpoint(at(last / 2), at(last.div_ceil(2)));
        Spread { median, least: at(0), greatest: at(last) }
    }
}

/// `0.14 (0.13 to 0.15)`
impl fmt::Display for Spread {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let digits = f.precision().unwrap_or(3);
        let Spread { median, least, greatest } = self;
        let text = format!("{median:.digits$} ({least:.digits$} to {greatest:.digits$})");
        let width = f.width().unwrap_or(0);
        write!(f, "{text:<width$}")
    }
}

#[cfg(test)]
mod tests {
    use super::Spread;

    #[test]
    fn the_middle_and_the_ends() {
        assert_eq!(Spread::of([3.0, 1.0, 2.0]), Spread { median: 2.0, least: 1.0, greatest: 3.0 });
        assert_eq!(Spread::of([4.0, 1.0]), Spread { median: 2.5, least: 1.0, greatest: 4.0 });
        assert_eq!(Spread::of([7.0]), Spread { median: 7.0, least: 7.0, greatest: 7.0 });
    }

    #[test]
    fn the_text() {
        assert_eq!(format!("{:.1}", Spread::of([0.12, 0.31, 0.2])), "0.2 (0.1 to 0.3)");
        assert_eq!(format!("{:20.1}|", Spread::of([0.5])), "0.5 (0.5 to 0.5)    |");
    }
}
