//! The attributes of `lock! { common { … } }`, which are written as the fields of a struct.

use proc_macro2::{Delimiter, Group, Span, TokenStream, TokenTree};
use syn::{Data, DataStruct, DeriveInput, Fields, FieldsNamed, Ident, Visibility};

use super::{Declaration, Field, Header, Mode, read_fields};
use crate::ctxt::Ctxt;

/// What all operators have, and where it is said.
pub(crate) struct CommonArgument {
    /// `common`.
    pub(crate) span: Span,
    pub(crate) declaration: Declaration,
    /// Whether something in it could not be read, so that what is missing may have been there.
    pub(crate) faulty: bool,
}

/// Reads the fields in the braces behind `common`.
pub(super) fn common(cx: &Ctxt, name: &Ident, body: TokenStream) -> CommonArgument {
    let group = TokenTree::Group(Group::new(Delimiter::Brace, body));
    let named = cx.ok(syn::parse2::<FieldsNamed>(group.into()));
    let mut faulty = named.is_none();
    let mut fields = named.map_or(Fields::Unit, Fields::Named);
    let mut read = read_fields(cx, &mut fields);
    read.retain(|field| {
        let is_attr = matches!(&field.mode, Some(Mode::Item(item)) if item.kind == oplock_core::Kind::Attr);
        // One without a mark was told already.
        if !is_attr && field.mode.is_some() {
            refuse(cx, field);
        }
        faulty |= !is_attr;
        is_attr
    });
    let item = DeriveInput {
        attrs: Vec::new(),
        vis: Visibility::Inherited,
        ident: name.clone(),
        generics: syn::Generics::default(),
        data: Data::Struct(DataStruct { struct_token: syn::token::Struct::default(), fields, semi_token: None }),
    };
    let declaration = Declaration { header: Header::default(), fields: read, item };
    CommonArgument { span: name.span(), declaration, faulty }
}

fn refuse(cx: &Ctxt, field: &Field) {
    cx.error(field.span, "what all operators have in common are attributes: `#[attr(…)] name: type`");
}
