//! The texts of all issues of YAML, read as one.

use crate::text::{Field, texts};

texts! {
    /// YAML features that reports do not need or that not every reader supports.
    pub(crate) enum IssueText {
        ComplexKey => "the key is null, an alias or a collection; expected a string",
        MergeKey => "the merge key `<<` is not followed",
        DuplicateKey { key: String } => "duplicate key {key}",
        Directive { directive: String } => "unexpected directive {directive}",
        Tag { tag: String } => "unexpected tag {tag}",
        Anchor { anchor: String } => "unexpected anchor {anchor}",
        Alias { alias: String } => "the alias {alias} is not followed",
        TooManyAliases => "too many aliases; this one and those after it in the document are not followed",
        SecondDocument => "a second document starts here",
        EmptyDocument => "the document is empty",
        TooManyValues { most: usize } => "more than {most} values; reading stopped here",
        TooManyDocuments { most: usize } => "more than {most} documents; reading stopped here",
        Template => "a template of Helm, which is not YAML",
        TooDeep { most: usize } => "nested more than {most} levels deep; reading stopped here",
        Ambiguous { value: String, go: Field, core: Field } => "ambiguous value {value}: {go} for Go's YAML 1.1 reader, {core} for YAML 1.2 readers",
        OtherLineBreak { code_point: Field } => "{code_point} is a line break for readers of YAML 1.1 and an ordinary character for Go's reader",
        ControlCharacter { code_point: Field } => "unexpected control character {code_point}",
        Boolean { value: Field } => "the boolean {value}",
        Number { value: Field } => "the number {value}",
        BigNumber => "a number",
        String => "a string",
    }
}

texts! {
    /// Why a text is not YAML.
    pub(crate) enum SyntaxText {
        TabInIndentation => "tab in the indentation; expected spaces",
        Tab => "unexpected tab; expected spaces",
        UnclosedQuote => "the quote is not closed",
        QuoteOverLines => "the quote is not closed on its line, and the next line is not indented",
        DocumentInQuote => "a new document starts in a quoted string; the closing quote may be missing",
        AfterSingleQuote => "unexpected text after the closing quote; in single quotes an apostrophe is written twice",
        AfterDoubleQuote => "unexpected text after the closing quote; in double quotes a quote is written `\\\"`",
        UnclosedBracket { open: String } => "{open} is not closed",
        MismatchedBracket { open: String, close: String } => "{open} is closed by {close}",
        UnopenedBracket => "the bracket closes nothing",
        ListSeparator => "expected `,` or `]`",
        MappingSeparator => "expected a comma or a closing brace",
        KeyInList => "unexpected key in `[…]`; the closing `]` may be missing",
        KeyWithoutColon => "no colon follows; expected `key: value`",
        BadKey => "the key does not end with a colon on its line, or has more than 1024 characters",
        ValueInValue => "unexpected `key: value` in a value; quote a string that contains a colon and a space, or indent the line like the keys above it",
        UnexpectedKey => "unexpected key",
        KeyIndentation => "the line matches no key above it; expected the indentation of the other keys",
        ItemIndentation => "expected `- ` with the indentation of the other items",
        ListOnLine => "unexpected list; expected `- ` on a line of its own",
        ItemInBrackets => "unexpected `- ` in brackets",
        NoSpaceAfterDash => "expected a space after `-`",
        NoSpaceAfterColon => "expected a space after `:`",
        Indentation => "the indentation differs from the lines that this one belongs to",
        CommentInString => "unexpected comment in a string of several lines",
        NoSpaceBeforeComment => "expected a space before `#`",
        ByteOrderMark => "unexpected byte order mark",
        Unquoted { begin: Field } => "a string that starts with {begin} must be quoted",
        Character { code_point: Field } => "unexpected character {code_point}",
        NoDocumentStart => "expected `---`",
        AfterDocument => "unexpected text after `...`, the end of a document",
        NoValue => "expected a value",
        UndeclaredTag => "the tag uses a handle that is not declared",
        UnknownEscape => "unknown escape; in double quotes a backslash is written twice",
        ShortEscape => "the escape has too few hexadecimal digits",
        LoneSurrogate => "the escape is not a character; expected `\\ud800` to `\\udfff` in pairs",
        Other { problem: Field } => "{problem}",
    }
}
