//! Where each operator and item of a file stands, noted while it is read: what is wrong with a definition shows only when
//! all of it is known.

use oplock_core::Kind;

use super::error::{Context, OpListError, Place, Unread};

/// Where an operator and its items stand, in the file's order.
#[derive(Clone, Debug)]
pub(super) struct OpPlaces {
    pub(super) op: Place,
    inputs: Vec<Place>,
    outputs: Vec<Place>,
    attrs: Vec<Place>,
}

impl OpPlaces {
    /// All places of bytes, as they follow each other in the file.
    pub(super) fn in_order(&mut self) -> Vec<&mut Place> {
        let items = self.inputs.iter_mut().chain(&mut self.outputs).chain(&mut self.attrs);
        let mut places: Vec<_> = std::iter::once(&mut self.op).chain(items).collect();
        places.sort_by_key(|place| match place {
            Place::Byte(at) => *at,
            Place::Text { .. } => 0,
        });
        places
    }

    pub(super) fn item(&self, kind: Kind, index: usize) -> Place {
        let places = match kind {
            Kind::Input => &self.inputs,
            Kind::Output => &self.outputs,
            Kind::Attr => &self.attrs,
        };
        places.get(index).copied().unwrap_or(self.op)
    }
}

/// What a reader knows of where it is.
#[derive(Debug, Default)]
pub(super) struct Tracker {
    pub(super) ops: Vec<OpPlaces>,
    pub(super) unread: Vec<Unread>,
    pub(super) context: Context,
}

impl Tracker {
    pub(super) fn enter_op(&mut self, place: Place) {
        self.ops.push(OpPlaces { op: place, inputs: Vec::new(), outputs: Vec::new(), attrs: Vec::new() });
        self.context = Context::default();
    }

    pub(super) fn leave_op(&mut self) {
        self.context = Context::default();
    }

    /// Until its name is known, an item goes by its number.
    pub(super) fn enter_item(&mut self, kind: Kind, place: Place) {
        let Some(op) = self.ops.last_mut() else { return };
        let places = match kind {
            Kind::Input => &mut op.inputs,
            Kind::Output => &mut op.outputs,
            Kind::Attr => &mut op.attrs,
        };
        places.push(place);
        self.context.item = Some((kind, format!("#{}", places.len())));
    }

    pub(super) fn leave_item(&mut self) {
        self.context.item = None;
    }

    /// The name of the item, or else of the operator, in which the reader is.
    pub(super) fn name(&mut self, name: &str) {
        match &mut self.context.item {
            Some((_, item)) => name.clone_into(item),
            None => self.context.op = Some(name.to_owned()),
        }
    }

    pub(super) fn error(&self, place: Place, reason: impl Into<String>) -> OpListError {
        OpListError { place, context: self.context.clone(), reason: reason.into() }
    }

    pub(super) fn unread(&mut self, place: Place, what: impl Into<String>) {
        self.unread.push(Unread { place, context: self.context.clone(), what: what.into() });
    }
}
