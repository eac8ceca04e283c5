//! Maps and sets do what the standard library's trees do, whatever is done with them.

use std::collections::{BTreeMap, BTreeSet};

use oplock_model::{Map, Set};
use proptest::collection::vec;
use proptest::prelude::*;

/// Something that is done with a map of few different keys, so that most are there.
#[derive(Clone, Debug)]
enum Step {
    Insert(String, u8),
    Remove(String),
    GetOrDefault(String, u8),
    GetMut(String, u8),
    Retain(u8),
    Extend(Vec<(String, u8)>),
    Clear,
}

fn key() -> impl Strategy<Value = String> {
    "[a-c]{0,2}"
}

fn step() -> impl Strategy<Value = Step> {
    prop_oneof![
        8 => (key(), any::<u8>()).prop_map(|(key, value)| Step::Insert(key, value)),
        4 => key().prop_map(Step::Remove),
        2 => (key(), any::<u8>()).prop_map(|(key, value)| Step::GetOrDefault(key, value)),
        2 => (key(), any::<u8>()).prop_map(|(key, value)| Step::GetMut(key, value)),
        1 => any::<u8>().prop_map(Step::Retain),
        1 => vec((key(), any::<u8>()), 0..5).prop_map(Step::Extend),
        1 => Just(Step::Clear),
    ]
}

/// What is seen of a map in every way there is to look at it.
fn check(map: &Map<String, u8>, tree: &BTreeMap<String, u8>, asked: &str) {
    assert!(map.iter().eq(tree.iter()) && map.iter().rev().eq(tree.iter().rev()));
    assert!(map.keys().eq(tree.keys()) && map.keys().rev().eq(tree.keys().rev()));
    assert!(map.values().eq(tree.values()) && map.values().rev().eq(tree.values().rev()));
    assert!(map.clone().into_iter().eq(tree.clone()));
    assert!(map.clone().into_keys().eq(tree.clone().into_keys()));
    assert!(map.clone().into_values().eq(tree.clone().into_values()));
    assert_eq!((map.len(), map.is_empty(), map.iter().len()), (tree.len(), tree.is_empty(), tree.len()));
    assert_eq!(map.get(asked), tree.get(asked));
    assert_eq!(map.get_key_value(asked), tree.get_key_value(asked));
    assert_eq!(map.contains_key(asked), tree.contains_key(asked));
    assert_eq!(map.first_key_value(), tree.first_key_value());
    assert_eq!(map.last_key_value(), tree.last_key_value());
    assert!(map.starting_at(asked).eq(tree.range(asked.to_owned()..)));
    assert_eq!(format!("{map:?} {map:#?}"), format!("{tree:?} {tree:#?}"));
    if let Some(value) = tree.get(asked) {
        assert_eq!(&map[asked], value);
    }
}

proptest! {
    #[test]
    fn maps_are_as_trees(steps in vec(step(), 0..60), asked in key()) {
        let (mut map, mut tree) = (Map::new(), BTreeMap::new());
        for step in steps {
            match step {
                Step::Insert(key, value) => prop_assert_eq!(map.insert(key.clone(), value), tree.insert(key, value)),
                Step::Remove(key) => prop_assert_eq!(map.remove(&key), tree.remove(&key)),
                Step::GetOrDefault(key, value) => {
                    let (one, other) = (map.get_or_default(key.clone()), tree.entry(key).or_default());
                    prop_assert_eq!(&one, &other);
                    (*one, *other) = (value, value);
                }
                Step::GetMut(key, value) => {
                    map.get_mut(&key).into_iter().for_each(|old| *old = value);
                    tree.get_mut(&key).into_iter().for_each(|old| *old = value);
                }
                Step::Retain(least) => {
                    map.retain(|_, value| { *value = value.wrapping_add(1); *value >= least });
                    tree.retain(|_, value| { *value = value.wrapping_add(1); *value >= least });
                }
                Step::Extend(entries) => {
                    map.extend(entries.clone());
                    tree.extend(entries);
                }
                Step::Clear => {
                    map.clear();
                    tree.clear();
                }
            }
            check(&map, &tree, &asked);
        }
        for (value, expected) in map.values_mut().zip(tree.values_mut()) {
            (*value, *expected) = (value.wrapping_mul(3), expected.wrapping_mul(3));
        }
        for ((key, value), (other, expected)) in map.iter_mut().zip(tree.iter_mut()) {
            prop_assert_eq!((key, &*value), (other, &*expected));
            (*value, *expected) = (value.wrapping_add(7), expected.wrapping_add(7));
        }
        check(&map, &tree, &asked);
        check(&tree.clone().into_iter().rev().collect(), &tree, &asked);
    }

    #[test]
    fn lists_become_maps_unless_a_key_is_twice(entries in vec((key(), any::<u8>()), 0..6), asked in key()) {
        let tree: BTreeMap<_, _> = entries.iter().cloned().collect();
        match Map::from_unique(entries.clone()) {
            Ok(map) => {
                prop_assert_eq!(tree.len(), entries.len());
                check(&map, &tree, &asked);
            }
            Err(twice) => prop_assert!(entries.iter().filter(|(key, _)| *key == twice).count() > 1),
        }
    }

    #[test]
    fn sets_are_as_trees(steps in vec((any::<bool>(), 0..12_u32), 0..60), others in vec(0..12_u32, 0..9), asked in 0..12_u32) {
        let (mut set, mut tree) = (Set::new(), BTreeSet::new());
        let (other, other_tree): (Set<_>, BTreeSet<_>) = (others.iter().copied().collect(), others.iter().copied().collect());
        for (inserts, member) in steps {
            if inserts {
                prop_assert_eq!(set.insert(member), tree.insert(member));
            } else {
                prop_assert_eq!(set.remove(&member), tree.remove(&member));
            }
            prop_assert!(set.iter().eq(tree.iter()) && set.clone().into_iter().eq(tree.clone()));
            prop_assert_eq!((set.len(), set.is_empty()), (tree.len(), tree.is_empty()));
            prop_assert_eq!((set.first(), set.last()), (tree.first(), tree.last()));
            prop_assert_eq!(set.contains(&asked), tree.contains(&asked));
            prop_assert!(set.difference(&other).eq(tree.difference(&other_tree)));
            prop_assert_eq!(set == other, tree == other_tree);
            prop_assert_eq!(format!("{set:?}"), format!("{tree:?}"));
        }
        set.extend(others.iter().copied());
        tree.extend(others);
        set.retain(|member| member % 3 > 0);
        tree.retain(|member| member % 3 > 0);
        prop_assert!(set.iter().eq(tree.iter()));
    }
}

#[test]
#[should_panic(expected = "no entry of that key")]
fn a_key_that_is_not_there_cannot_be_indexed() {
    let _ = Map::from([(1, 'a')])[&2];
}
