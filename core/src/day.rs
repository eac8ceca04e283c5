//! Days, as locks and approvals write them: `YYYY-MM-DD`, in the calendar that everybody uses.

/// Whether a text is a day that the calendar has.
pub fn is_day(text: &str) -> bool {
    parse(text).is_some()
}

/// The day so many days later; `None` where the text is no day.
#[cfg(feature = "tools")]
pub(crate) fn day_after(day: &str, days: u32) -> Option<String> {
    let (mut year, mut month, mut day) = parse(day)?;
    day += days;
    while day > length(year, month)? {
        day -= length(year, month)?;
        (year, month) = if month == 12 { (year + 1, 1) } else { (year, month + 1) };
    }
    Some(format!("{year:04}-{month:02}-{day:02}"))
}

/// Year, month and day.
fn parse(text: &str) -> Option<(u32, u32, u32)> {
    let mut parts = text.split('-');
    let mut number = |digits: usize| {
        let part = parts.next().filter(|part| part.len() == digits && part.bytes().all(|b| b.is_ascii_digit()))?;
        part.parse::<u32>().ok().filter(|number| *number > 0)
    };
    let (year, month, day) = (number(4)?, number(2)?, number(2)?);
    (parts.next().is_none() && day <= length(year, month)?).then_some((year, month, day))
}

/// How many days a month has.
fn length(year: u32, month: u32) -> Option<u32> {
    const LENGTHS: [u32; 12] = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
    let is_leap = year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400));
    LENGTHS.get(month as usize - 1).map(|length| length + u32::from(month == 2 && is_leap))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_day_is_one_of_the_calendar() {
        for day in ["2026-01-31", "2024-02-29", "2000-02-29", "0001-01-01", "9999-12-31"] {
            assert!(is_day(day), "{day}");
        }
        for text in [
            "",
            "soon",
            "2026-13-01",
            "2026-00-01",
            "2026-01-00",
            "2026-01-32",
            "2026-02-29",
            "1900-02-29",
            "2026-04-31",
            "0000-01-01",
            "2026-1-1",
            "26-01-01",
            "2026-01-01-01",
            "2026-01",
            "+026-01-01",
            "2026-01-01 ",
            "2026/01/01",
        ] {
            assert!(!is_day(text), "{text}");
        }
    }

    #[cfg(feature = "tools")]
    #[test]
    fn days_are_counted_over_months_and_leap_years() {
        for (day, days, expected) in [
            ("2026-03-01", 180, "2026-08-28"),
            ("2024-02-28", 1, "2024-02-29"),
            ("2026-02-28", 1, "2026-03-01"),
            ("1900-02-28", 1, "1900-03-01"),
            ("2026-12-31", 1, "2027-01-01"),
            ("2026-01-01", 365, "2027-01-01"),
            ("2026-01-31", 0, "2026-01-31"),
        ] {
            assert_eq!(day_after(day, days).as_deref(), Some(expected), "{day} {days}");
        }
        assert_eq!(day_after("2026-13-01", 1), None);
        assert_eq!(day_after("soon", 1), None);
    }
}
