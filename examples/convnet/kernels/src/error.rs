//! Why something cannot be computed.

use thiserror::Error;

use crate::Tensor;

/// Why something cannot be computed.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum KernelError {
    /// Nothing has computed an input yet, and nobody gave it.
    #[error("there is no tensor `{0}`")]
    Missing(String),
    /// A tensor has another number of axes.
    #[error("`{what}` has the shape {shape:?}, and should have {axes} axes")]
    Axes {
        /// The operand.
        what: &'static str,
        /// Its shape.
        shape: Vec<usize>,
        /// How many it should have.
        axes: usize,
    },
    /// Two tensors do not go together.
    #[error("the shapes {0:?} and {1:?} do not go together")]
    Shapes(Vec<usize>, Vec<usize>),
    /// A window cannot be laid over an image.
    #[error("a window of {window:?} by strides of {strides:?} cannot be laid over {image:?}")]
    Window {
        /// The height and width of the window, gaps included.
        window: [usize; 2],
        /// By how much it moves.
        strides: [usize; 2],
        /// The height and width of the image, padding included.
        image: [usize; 2],
    },
}

impl KernelError {
    pub(crate) fn axes(what: &'static str, tensor: &Tensor, axes: usize) -> Self {
        KernelError::Axes { what, shape: tensor.shape().to_vec(), axes }
    }

    pub(crate) fn shapes(one: &[usize], other: &[usize]) -> Self {
        KernelError::Shapes(one.to_vec(), other.to_vec())
    }
}
