//! Rules that can be switched off: a search for graphs that refute the guarantee must find one for each of them, or the
//! rule is superfluous.

/// Rules to switch off; a program outside the tests has none.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Faults(u64);

/// A rule of the guarantee that can be switched off.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[repr(u8)]
pub enum Fault {
    /// A reader takes data of producers below its `min_producer`.
    MinProducer,
    /// A reader takes data whose `min_consumer` is above it.
    MinConsumer,
    /// A reader takes data that lists it as a bad consumer.
    BadConsumers,
    /// A reader takes data that needs a release that it does not have.
    OldestReader,
    /// A reader takes the data version of the writer at its word, whatever release line it comes from.
    ReleaseLines,
    /// A reader takes unpromised data whose definitions are others.
    Unpromised,
    /// A writer does not raise `min_consumer` to the breaks of the operators that it uses.
    BreaksRaiseMinConsumer,
    /// A writer counts only operators for the oldest reader, and none of their items.
    ItemsNeedTheirRelease,
    /// A writer does not count operators for the oldest reader.
    OpsNeedTheirRelease,
    /// A writer does not count relaxations and added values of enumerations for the oldest reader.
    RelaxationsNeedTheirRelease,
    /// A writer counts only the main block.
    SubBlocksCount,
    /// A writer leaves out an attribute that equals its default, also where the default changed.
    ChangedDefaultsAreWritten,
    /// A writer does not carry the defaults with which attributes were added.
    AddedDefaultsAreCarried,
    /// A reader does not make the defaults of the writer's time explicit.
    DefaultsOfTheWritersTime,
    /// A reader does not widen values.
    Widening,
    /// A reader does not follow aliases.
    Aliases,
    /// A reader runs no upgrade functions.
    Functions,
    /// A reader runs functions before what the ledger derives.
    DerivedFirst,
    /// A reader upgrades from the greatest version down.
    Ascending,
    /// A function sees a node without the defaults of its time.
    FunctionsSeeDefaults,
    /// What a function makes is upgraded by the functions of the same version too.
    NewNodesWait,
    /// A reader upgrades the main block alone.
    SubBlocksAreUpgraded,
    /// A reader drops every attribute that it does not know.
    UnknownAttrsAreRefused,
    /// A reader takes what is deprecated.
    DeprecatedIsRefused,
    /// A reader takes what was Extra for the writer for what it promises itself.
    ExtraStaysApart,
    /// A reader keeps attributes that only the writer's release line had, though they are at what they were added with.
    OnlySharedAttrsAreSeen,
    /// A reader takes an operator from whichever package has it.
    OwnersCount,
}

impl Fault {
    /// Every rule with what a program does without it, as a sentence without a full stop.
    pub const ALL: &[(Fault, &str)] = &[
        (Fault::MinProducer, "A reader takes data of producers below its `min_producer`"),
        (Fault::MinConsumer, "A reader takes data whose `min_consumer` is above it"),
        (Fault::BadConsumers, "A reader takes data that lists it as a bad consumer"),
        (Fault::OldestReader, "A reader takes data that needs a release that it does not have"),
        (
            Fault::ReleaseLines,
            "A reader takes the data version of the writer at its word, whatever release line it comes from",
        ),
        (Fault::Unpromised, "A reader takes unpromised data whose definitions are others"),
        (
            Fault::BreaksRaiseMinConsumer,
            "A writer does not raise `min_consumer` to the breaks of the operators that it uses",
        ),
        (Fault::ItemsNeedTheirRelease, "A writer counts only operators for the oldest reader, and none of their items"),
        (Fault::OpsNeedTheirRelease, "A writer does not count operators for the oldest reader"),
        (
            Fault::RelaxationsNeedTheirRelease,
            "A writer does not count relaxations and added values of enumerations for the oldest reader",
        ),
        (Fault::SubBlocksCount, "A writer counts only the main block"),
        (
            Fault::ChangedDefaultsAreWritten,
            "A writer leaves out an attribute that equals its default, also where the default changed",
        ),
        (Fault::AddedDefaultsAreCarried, "A writer does not carry the defaults with which attributes were added"),
        (Fault::DefaultsOfTheWritersTime, "A reader does not make the defaults of the writer's time explicit"),
        (Fault::Widening, "A reader does not widen values"),
        (Fault::Aliases, "A reader does not follow aliases"),
        (Fault::Functions, "A reader runs no upgrade functions"),
        (Fault::DerivedFirst, "A reader runs functions before what the ledger derives"),
        (Fault::Ascending, "A reader upgrades from the greatest version down"),
        (Fault::FunctionsSeeDefaults, "A function sees a node without the defaults of its time"),
        (Fault::NewNodesWait, "What a function makes is upgraded by the functions of the same version too"),
        (Fault::SubBlocksAreUpgraded, "A reader upgrades the main block alone"),
        (Fault::UnknownAttrsAreRefused, "A reader drops every attribute that it does not know"),
        (Fault::DeprecatedIsRefused, "A reader takes what is deprecated"),
        (Fault::ExtraStaysApart, "A reader takes what was Extra for the writer for what it promises itself"),
        (
            Fault::OnlySharedAttrsAreSeen,
            "A reader keeps attributes that only the writer's release line had, though they are at what they were added with",
        ),
        (Fault::OwnersCount, "A reader takes an operator from whichever package has it"),
    ];
}

impl Faults {
    /// With these rules switched off.
    pub fn of(faults: &[Fault]) -> Self {
        Faults(faults.iter().fold(0, |bits, fault| bits | 1 << *fault as u8))
    }

    /// Whether a rule holds.
    pub(crate) fn keeps(self, rule: Fault) -> bool {
        self.0 & (1 << rule as u8) == 0
    }
}
