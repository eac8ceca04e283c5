//! Attributes as rustfmt writes them, in its default style.

/// The longest list of options that stands in one line (rustfmt's `attr_fn_like_width`).
const LINE: usize = 70;
/// The widest line (rustfmt's `max_width`).
const PAGE: usize = 100;

/// `#[attr(default = 1, extra)]`, an option a line where these are many.
pub(super) fn attribute(out: &mut String, indent: &str, name: &str, options: &[String]) {
    out.push_str(indent);
    out.push_str("#[");
    out.push_str(name);
    if !options.is_empty() {
        let width: usize = options.iter().map(|option| option.chars().count()).sum::<usize>() + 2 * (options.len() - 1);
        out.push('(');
        // A literal alone has the whole line.
        let is_literal = options.len() == 1 && options[0].starts_with('"');
        let most = if is_literal { PAGE - indent.len() - name.len() - "#[()]".len() } else { LINE };
        if width <= most {
            out.push_str(&options.join(", "));
        } else {
            out.push('\n');
            for (i, option) in options.iter().enumerate() {
                let inner = format!("{indent}    ");
                out.push_str(&inner);
                out.push_str(&wrapped(option, &inner));
                out.push_str(if i + 1 < options.len() { ",\n" } else { "\n" });
            }
            out.push_str(indent);
        }
        out.push(')');
    }
    out.push_str("]\n");
}

/// An option that is too wide for a line, in several. Of lists rustfmt leaves it as it is.
fn wrapped(option: &str, indent: &str) -> String {
    if let Some(inner) = option.strip_prefix("deprecated(").and_then(|rest| rest.strip_suffix(')')) {
        if inner.chars().count() <= LINE {
            return option.to_owned();
        }
        let lines: Vec<_> = split(inner).iter().map(|line| format!("{indent}    {line}")).collect();
        return format!("deprecated(\n{}\n{indent})", lines.join(",\n"));
    }
    // What has a list in it is no meta item for rustfmt, and stays as it is.
    if let Some(sets) = option.strip_prefix("types(").and_then(|rest| rest.strip_suffix(')')) {
        let inner = format!("{indent}    ");
        let is_wide = indent.len() + option.chars().count() >= PAGE;
        if !is_wide || !sets.contains('[') {
            return option.to_owned();
        }
        let lines: Vec<_> = split(sets).iter().map(|set| format!("{inner}{}", wrapped(set, &inner))).collect();
        return format!("types(\n{}\n{indent})", lines.join(",\n"));
    }
    let is_wide = indent.len() + option.chars().count() >= PAGE;
    // A bracket in a text is none.
    let list = option.split_once('[').filter(|(head, _)| is_wide && !head.contains('"'));
    let Some((head, list)) = list.and_then(|(head, list)| Some((head, list.strip_suffix(']')?))) else {
        return option.to_owned();
    };
    let inner = format!("{indent}    ");
    let mut text = format!("{head}[");
    let mut width = PAGE;
    for item in split(list) {
        let needed = item.chars().count() + 1;
        if width + 1 + needed > PAGE {
            text.push('\n');
            text.push_str(&inner);
            width = inner.len();
        } else {
            text.push(' ');
            width += 1;
        }
        text.push_str(item);
        text.push(',');
        width += needed;
    }
    text.push('\n');
    text.push_str(indent);
    text.push(']');
    text
}

/// The elements of a list, of which texts and lists may hold commas.
fn split(list: &str) -> Vec<&str> {
    let (mut items, mut start, mut depth) = (Vec::new(), 0, 0_u32);
    let (mut in_text, mut is_escaped) = (false, false);
    for (at, c) in list.char_indices() {
        match c {
            _ if is_escaped => is_escaped = false,
            '\\' if in_text => is_escaped = true,
            '"' => in_text = !in_text,
            '[' | '(' if !in_text => depth += 1,
            ']' | ')' if !in_text => depth = depth.saturating_sub(1),
            ',' if !in_text && depth == 0 => {
                items.push(list[start..at].trim());
                start = at + 1;
            }
            _ => {}
        }
    }
    let rest = list[start..].trim();
    if !rest.is_empty() {
        items.push(rest);
    }
    items
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(name: &str, options: &[&str]) -> String {
        let mut out = String::new();
        let options: Vec<_> = options.iter().map(|option| (*option).to_owned()).collect();
        attribute(&mut out, "    ", name, &options);
        out
    }

    #[test]
    fn in_one_line() {
        assert_eq!(text("input", &[]), "    #[input]\n");
        assert_eq!(text("attr", &["default = [1, 2]", "extra"]), "    #[attr(default = [1, 2], extra)]\n");
        let wide = "x".repeat(70 - 7);
        assert_eq!(text("attr", &[&wide, "extra"]), format!("    #[attr({wide}, extra)]\n"));
    }

    #[test]
    fn in_several() {
        let wide = "x".repeat(70 - 6);
        let expected = format!("    #[attr(\n        {wide},\n        extra\n    )]\n");
        assert_eq!(text("attr", &[&wide, "extra"]), expected);
    }

    #[test]
    fn a_literal_alone() {
        let fits = format!("\"{}\"", "x".repeat(100 - 13 - 2));
        assert_eq!(text("attr", &[&fits]), format!("    #[attr({fits})]\n"));
        let wide = fits.replace("\"x", "\"xx");
        assert_eq!(text("attr", &[&wide]), format!("    #[attr(\n        {wide}\n    )]\n"));
    }

    #[test]
    fn options_with_options() {
        let note = format!("note = \"{}\"", "x".repeat(40));
        let fits = format!("deprecated(version = 8, {note})");
        assert_eq!(text("attr", &["extra", &fits]), format!("    #[attr(\n        extra,\n        {fits}\n    )]\n"));
        let note = format!("note = \"{}\"", "x".repeat(80));
        let wide = format!("deprecated(version = 8, {note})");
        let expected = format!(
            "    #[attr(\n        extra,\n        deprecated(\n            version = 8,\n            {note}\n        )\n    )]\n"
        );
        assert_eq!(text("attr", &["extra", &wide]), expected);
    }

    #[test]
    fn long_lists() {
        let list = format!("default = [\"a, ]b\", {}]", vec!["\"c\\\"\""; 30].join(", "));
        let text = text("attr", &[&list]);
        assert!(text.starts_with("    #[attr(\n        default = [\n            \"a, ]b\", \"c\\\"\", "), "{text}");
        assert!(text.ends_with("\"c\\\"\",\n        ]\n    )]\n"), "{text}");
        assert!(text.lines().all(|line| line.len() <= PAGE), "{text}");
        let back = text.replace(['\n'], " ").split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(back.contains(&list[11..list.len() - 1]), "{back}");
    }
}
