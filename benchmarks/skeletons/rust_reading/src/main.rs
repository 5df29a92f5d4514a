//! Prints the items that `syn` finds inside the calls of macros that stand in the place of items: one line each, with
//! path, kind, name and the line of the name, separated by tabs. A file that `syn` cannot read is one line, of kind `-`.

use std::io::{self, BufRead, Write};

use proc_macro2::{Ident, TokenStream};
use syn::parse::{Parse, ParseStream};
use syn::{ForeignItem, ImplItem, Item, Macro, Signature, TraitItem};

struct All<T>(Vec<T>);

impl<T: Parse> Parse for All<T> {
    fn parse(input: ParseStream) -> syn::Result<Self> {
        let mut found = Vec::new();
        // A macro may begin with attributes or docs of all that follows.
        let _ = syn::Attribute::parse_inner(input)?;
        while !input.is_empty() {
            found.push(input.parse()?);
        }
        Ok(All(found))
    }
}

struct Walk<'a> {
    path: &'a str,
    out: Vec<String>,
}

impl Walk<'_> {
    fn note(&mut self, inside: bool, kind: &str, name: &Ident) {
        if inside {
            let line = name.span().start().line;
            self.out.push(format!("{}\t{}\t{}\t{}", self.path, kind, name, line));
        }
    }

    fn function(&mut self, inside: bool, signature: &Signature) {
        self.note(inside, "fn", &signature.ident);
    }

    fn call(&mut self, call: &Macro) {
        let tokens: TokenStream = call.tokens.clone();
        if let Ok(All(items)) = syn::parse2::<All<Item>>(tokens.clone()) {
            items.iter().for_each(|one| self.item(true, one));
        } else if let Ok(All(items)) = syn::parse2::<All<ImplItem>>(tokens.clone()) {
            items.iter().for_each(|one| self.of_impl(true, one));
        } else if let Ok(All(items)) = syn::parse2::<All<TraitItem>>(tokens.clone()) {
            items.iter().for_each(|one| self.of_trait(true, one));
        } else if let Ok(All(items)) = syn::parse2::<All<ForeignItem>>(tokens) {
            items.iter().for_each(|one| self.foreign(true, one));
        }
    }

    fn item(&mut self, inside: bool, item: &Item) {
        match item {
            Item::Fn(one) => self.function(inside, &one.sig),
            Item::Struct(one) => self.note(inside, "struct", &one.ident),
            Item::Enum(one) => self.note(inside, "enum", &one.ident),
            Item::Union(one) => self.note(inside, "union", &one.ident),
            Item::Type(one) => self.note(inside, "type", &one.ident),
            Item::Const(one) => self.note(inside, "const", &one.ident),
            Item::Static(one) => self.note(inside, "static", &one.ident),
            Item::Trait(one) => {
                self.note(inside, "trait", &one.ident);
                one.items.iter().for_each(|one| self.of_trait(inside, one));
            }
            Item::Impl(one) => one.items.iter().for_each(|one| self.of_impl(inside, one)),
            Item::ForeignMod(one) => one.items.iter().for_each(|one| self.foreign(inside, one)),
            Item::Mod(one) => {
                self.note(inside, "mod", &one.ident);
                for item in one.content.iter().flat_map(|(_, items)| items) {
                    self.item(inside, item);
                }
            }
            Item::Macro(one) => match &one.ident {
                Some(name) => self.note(inside, "macro_rules", name),
                None => self.call(&one.mac),
            },
            _ => {}
        }
    }

    fn of_impl(&mut self, inside: bool, item: &ImplItem) {
        match item {
            ImplItem::Macro(one) => self.call(&one.mac),
            other => self.member(inside, other),
        }
    }

    fn of_trait(&mut self, inside: bool, item: &TraitItem) {
        match item {
            TraitItem::Macro(one) => self.call(&one.mac),
            TraitItem::Type(one) => self.note(inside, "type", &one.ident),
            TraitItem::Const(one) => self.note(inside, "const", &one.ident),
            other => self.required(inside, other),
        }
    }

    fn foreign(&mut self, inside: bool, item: &ForeignItem) {
        match item {
            ForeignItem::Fn(one) => self.function(inside, &one.sig),
            ForeignItem::Static(one) => self.note(inside, "static", &one.ident),
            ForeignItem::Type(one) => self.note(inside, "type", &one.ident),
            ForeignItem::Macro(one) => self.call(&one.mac),
            _ => {}
        }
    }

    fn member(&mut self, inside: bool, item: &ImplItem) {
        match item {
            ImplItem::Method(one) => self.function(inside, &one.sig),
            ImplItem::Type(one) => self.note(inside, "type", &one.ident),
            ImplItem::Const(one) => self.note(inside, "const", &one.ident),
            _ => {}
        }
    }

    fn required(&mut self, inside: bool, item: &TraitItem) {
        match item {
            TraitItem::Method(one) => self.function(inside, &one.sig),
            _ => {}
        }
    }
}

fn main() -> io::Result<()> {
    let mut out = io::BufWriter::new(io::stdout().lock());
    for path in io::stdin().lock().lines() {
        let path = path?;
        let source = std::fs::read_to_string(&path).unwrap_or_default();
        let mut walk = Walk { path: &path, out: Vec::new() };
        match syn::parse_file(&source) {
            Ok(file) => file.items.iter().for_each(|one| walk.item(false, one)),
            Err(_) => walk.out.push(format!("{path}\t-\t-\t0")),
        }
        for line in walk.out {
            writeln!(out, "{line}")?;
        }
    }
    Ok(())
}
