//! Sorted lists at a small cost to every author's build.
//!
//! The standard library's sort is some three thousand lines of machine code for each type that is sorted. Here one serves all.

/// Sorts by name; what has one name stays in its order.
pub fn sort_by_name<T>(items: &mut [T], name: fn(&T) -> &str) {
    if (1..items.len()).all(|i| name(&items[i - 1]) <= name(&items[i])) {
        return;
    }
    let mut places = places(&items.iter().map(name).collect::<Vec<_>>());
    for i in 0..items.len() {
        // Each swap puts one item at its place.
        while places[i] != i {
            let place = places[i];
            items.swap(i, place);
            places.swap(i, place);
        }
    }
}

/// At which place of the sorted list each name stands.
fn places(names: &[&str]) -> Vec<usize> {
    let mut order: Vec<(&str, usize)> = Vec::new();
    for (i, name) in names.iter().enumerate() {
        order.push((name, i));
    }
    order.sort_unstable();
    let mut places = vec![0; names.len()];
    for (place, (_, i)) in order.iter().enumerate() {
        places[*i] = place;
    }
    places
}

/// Sorts a list of few items, or one that is nearly sorted, by number; what has one number stays in its order.
pub fn sort_few<T>(items: &mut [T], number: fn(&T) -> u32) {
    for end in 1..items.len() {
        let mut at = end;
        while at > 0 && number(&items[at - 1]) > number(&items[at]) {
            items.swap(at - 1, at);
            at -= 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every list of up to five of three names, which is every way in which names can stand.
    #[test]
    fn as_the_standard_library_sorts() {
        let mut lists: Vec<Vec<(String, usize)>> = vec![Vec::new()];
        for _ in 0..5 {
            let longer = lists.iter().flat_map(|list| {
                ["a", "b", "c"].map(|name| {
                    let next = (name.to_owned(), list.len());
                    list.iter().cloned().chain([next]).collect::<Vec<_>>()
                })
            });
            lists = longer.chain([Vec::new()]).collect();
            for list in &lists {
                let mut expected = list.clone();
                expected.sort_by(|a, b| a.0.cmp(&b.0));
                let mut sorted = list.clone();
                sort_by_name(&mut sorted, |item| &item.0);
                assert_eq!(sorted, expected);
                let mut sorted: Vec<_> = list.iter().map(|(name, i)| (u32::from(name.as_bytes()[0]), *i)).collect();
                sort_few(&mut sorted, |item| item.0);
                assert_eq!(
                    sorted.iter().map(|item| item.1).collect::<Vec<_>>(),
                    expected.iter().map(|item| item.1).collect::<Vec<_>>()
                );
            }
        }
    }
}
