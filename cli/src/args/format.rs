//! The forms of output.

use clap::ValueEnum;

/// How findings are printed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum Format {
    /// What changed, what it breaks, and the ways out
    #[default]
    Human,
    /// One line a finding
    Short,
    /// One JSON object a line
    Json,
    /// Annotations of a GitHub workflow: at most ten
    Github,
    /// SARIF 2.1.0, for code scanning
    Sarif,
    /// A comment on a pull request
    Markdown,
    /// PaddlePaddle's published report; breaks only
    Paddle,
}

impl Format {
    /// Whether all packages are one document.
    pub(crate) fn is_document(self) -> bool {
        matches!(self, Format::Github | Format::Sarif | Format::Markdown)
    }
}

/// How operators are printed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum PrintFormat {
    /// A listing of each signature
    #[default]
    Human,
    /// One line an operator
    Short,
    /// One JSON object a line, an operator each
    Json,
    /// PaddlePaddle's op description (.spec)
    Paddle,
    /// ONNX's schemas as JSON
    Onnx,
    /// TensorFlow's definitions as JSON
    #[value(name = "tensorflow")]
    TensorFlow,
    /// TensorFlow's definitions as protobuf text (.pbtxt)
    #[value(name = "tensorflow-text")]
    TensorFlowText,
    /// The text of a lock
    Lock,
}

/// How rules, and readers of graphs, are printed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum ExplainFormat {
    /// Text
    #[default]
    Human,
    /// One JSON object a line
    Json,
}
