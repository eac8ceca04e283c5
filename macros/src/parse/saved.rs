//! The data versions of `lock! { saved graph { … } }`.

use oplock_core::{DataVersions, Map, SavedKind, did_you_mean};
use proc_macro2::{Span, TokenTree};
use syn::ext::IdentExt as _;
use syn::parse::ParseStream;
use syn::{Ident, LitInt, LitStr, Token, braced, bracketed};

use crate::ctxt::Ctxt;

/// What is declared of one kind of data, and where.
pub(crate) struct SavedArgument {
    pub(crate) kind: SavedKind,
    pub(crate) versions: DataVersions,
    pub(crate) places: SavedPlaces,
    /// Whether something in it could not be read, so that what is missing may have been there.
    pub(crate) faulty: bool,
}

/// Where each part of it stands.
pub(crate) struct SavedPlaces {
    /// `graph`.
    pub(crate) kind: Span,
    pub(crate) min_producer: Option<Span>,
    pub(crate) min_consumer: Option<Span>,
    /// `bad_consumers`.
    pub(crate) bad_consumers: Option<Span>,
    pub(crate) bad: Map<u32, Span>,
    /// The number of each version, and its words.
    pub(crate) versions: Map<u32, (Span, Span)>,
}

const KEYS: [&str; 4] = ["min_producer", "min_consumer", "bad_consumers", "version"];
const SHAPE: &str =
    "`saved graph { min_producer = 1; min_consumer = 1; bad_consumers = []; version 1 = \"first release\"; }`";

/// Reads what follows `saved`; `None` where the kind is not known.
pub(super) fn saved(cx: &Ctxt, input: ParseStream<'_>) -> syn::Result<Option<SavedArgument>> {
    let kind = match Ident::parse_any(input) {
        Ok(kind) => kind,
        Err(error) => {
            return Err(syn::Error::new(error.span(), format!("a kind of data follows, graph or checkpoint: {SHAPE}")));
        }
    };
    let body;
    let known = SavedKind::ALL.into_iter().find(|known| kind == known.key());
    if known.is_none() {
        let hint = did_you_mean(&kind.to_string(), SavedKind::ALL.map(SavedKind::key));
        cx.error(kind.span(), format!("there is no kind of data `{kind}`{hint} (the kinds: graph, checkpoint)"));
    }
    if !input.peek(syn::token::Brace) {
        return Err(syn::Error::new(input.span(), format!("the versions stand in braces: {SHAPE}")));
    }
    braced!(body in input);
    let mut block = Block::new(cx, kind.span());
    while !body.is_empty() {
        if let Err(error) = block.statement(&body) {
            block.faulty = true;
            cx.push(error);
            while !body.is_empty() && !body.peek(Token![;]) {
                body.parse::<TokenTree>()?;
            }
        }
        if !body.is_empty() {
            body.parse::<Token![;]>()?;
        }
    }
    Ok(known.map(|kind| block.finish(kind)))
}

struct Block<'a> {
    cx: &'a Ctxt,
    numbers: Map<&'static str, (u32, Span)>,
    history: Map<u32, String>,
    places: SavedPlaces,
    faulty: bool,
}

impl<'a> Block<'a> {
    fn new(cx: &'a Ctxt, kind: Span) -> Self {
        let places = SavedPlaces {
            kind,
            min_producer: None,
            min_consumer: None,
            bad_consumers: None,
            bad: Map::new(),
            versions: Map::new(),
        };
        Block { cx, numbers: Map::new(), history: Map::new(), places, faulty: false }
    }

    fn statement(&mut self, input: ParseStream<'_>) -> syn::Result<()> {
        let Ok(key) = Ident::parse_any(input) else {
            return Err(input.error(format!("a line of data versions begins with {}", KEYS.join(", "))));
        };
        let name = key.to_string();
        match KEYS.into_iter().find(|known| *known == name) {
            Some("version") => self.version(input),
            Some("bad_consumers") => self.bad_consumers(&key, input),
            Some(known) => {
                let at = equals(input, known)?;
                let (number, span) = number(input, known, at)?;
                self.faulty |= ends(self.cx, input);
                if self.numbers.insert(known, (number, span)).is_some() {
                    self.cx.error(key.span(), format!("`{known}` is said twice"));
                }
                Ok(())
            }
            None => {
                let hint = did_you_mean(&name, KEYS);
                Err(syn::Error::new(
                    key.span(),
                    format!("data versions have no `{name}`{hint} (they have {})", KEYS.join(", ")),
                ))
            }
        }
    }

    fn version(&mut self, input: ParseStream<'_>) -> syn::Result<()> {
        let (version, at) = number(input, "version", input.span())?;
        equals(input, "version N")?;
        let text: LitStr = input.parse().map_err(|error| {
            syn::Error::new(error.span(), format!("a version says what it brought: `version {version} = \"…\";`"))
        })?;
        self.faulty |= ends(self.cx, input);
        if text.value().trim().is_empty() {
            self.cx.error(text.span(), format!("version {version} says what it brought, and this says nothing"));
        }
        if self.history.contains_key(&version) {
            self.cx.error(at, format!("version {version} stands here a second time"));
        } else if let Some(last) = self.history.keys().next_back().filter(|last| **last > version) {
            self.cx.error(at, format!("version {version} follows version {last}: the newest stands last, and each is above those before it"));
        }
        self.history.insert(version, text.value());
        self.places.versions.insert(version, (at, text.span()));
        Ok(())
    }

    fn bad_consumers(&mut self, key: &Ident, input: ParseStream<'_>) -> syn::Result<()> {
        let at = equals(input, "bad_consumers")?;
        if !input.peek(syn::token::Bracket) {
            return Err(syn::Error::new(at, "`bad_consumers` is a list of data versions: `bad_consumers = [6];`"));
        }
        let list;
        bracketed!(list in input);
        if self.places.bad_consumers.replace(key.span()).is_some() {
            self.cx.error(key.span(), "`bad_consumers` is said twice");
        }
        while !list.is_empty() {
            let (version, at) = number(&list, "bad_consumers", list.span())?;
            if self.places.bad.insert(version, at).is_some() {
                self.cx.error(at, format!("version {version} is in the list twice"));
            }
            if !list.is_empty() {
                list.parse::<Token![,]>()?;
            }
        }
        self.faulty |= ends(self.cx, input);
        Ok(())
    }

    fn finish(self, kind: SavedKind) -> SavedArgument {
        let Block { cx, numbers, history, mut places, faulty } = self;
        let mut is_wrong = faulty;
        let mut versions =
            DataVersions { bad_consumers: places.bad.keys().copied().collect(), ..DataVersions::default() };
        if !history.is_empty() {
            versions.history = history;
        }
        let newest = versions.producer();
        for (name, value, place) in [
            ("min_producer", &mut versions.min_producer, &mut places.min_producer),
            ("min_consumer", &mut versions.min_consumer, &mut places.min_consumer),
        ] {
            let Some((number, at)) = numbers.get(name) else { continue };
            (*value, *place) = (*number, Some(*at));
            if *number > newest && !faulty {
                let why = if name == "min_producer" {
                    "nothing that is written now could be read"
                } else {
                    "nobody could read what is written now"
                };
                cx.error(*at, format!("`{name}` is {number}, and the newest version is {newest}: {why}"));
                is_wrong = true;
            }
        }
        for (version, at) in places.bad.iter().filter(|(version, _)| **version >= newest && !faulty) {
            cx.error(
                *at,
                format!("a bad consumer is an older version than the newest, {newest}, and this is {version}"),
            );
            is_wrong = true;
        }
        SavedArgument { kind, versions, places, faulty: is_wrong }
    }
}

fn equals(input: ParseStream<'_>, name: &str) -> syn::Result<Span> {
    let equals: Token![=] = input
        .parse()
        .map_err(|error| syn::Error::new(error.span(), format!("`{name}` takes a value: `{name} = …;`")))?;
    let _ = equals;
    Ok(input.span())
}

/// A data version.
pub(crate) fn number(input: ParseStream<'_>, name: &str, at: Span) -> syn::Result<(u32, Span)> {
    let wrong =
        |at| syn::Error::new(at, format!("`{name}` takes a data version, a whole number from 1 to {}", u32::MAX));
    let literal: LitInt = input.parse().map_err(|_| wrong(at))?;
    let number = literal.base10_parse::<u32>().ok().filter(|number| *number > 0 && literal.suffix().is_empty());
    number.map(|number| (number, literal.span())).ok_or_else(|| wrong(literal.span()))
}

/// Whether more stands where a statement ends, which is told.
fn ends(cx: &Ctxt, input: ParseStream<'_>) -> bool {
    if input.is_empty() || input.peek(Token![;]) {
        return false;
    }
    cx.error(input.span(), "each line of data versions ends with `;`");
    while !input.is_empty() && !input.peek(Token![;]) {
        if input.parse::<TokenTree>().is_err() {
            break;
        }
    }
    true
}
