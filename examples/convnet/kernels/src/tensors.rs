//! The values of variables.

use std::collections::HashMap;

use ndarray::ArrayD;

use crate::KernelError;

/// A tensor of 32-bit floats with any number of axes.
pub type Tensor = ArrayD<f32>;

/// The tensors of a graph that runs, by the names of their variables.
#[derive(Clone, Debug, Default)]
pub struct Tensors(HashMap<String, Tensor>);

impl Tensors {
    /// The tensor of a variable.
    ///
    /// # Errors
    ///
    /// When there is none.
    pub fn get(&self, name: &str) -> Result<&Tensor, KernelError> {
        self.0.get(name).ok_or_else(|| KernelError::Missing(name.to_owned()))
    }

    /// All tensors with the names of their variables, in no order.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &Tensor)> {
        self.0.iter().map(|(name, tensor)| (name.as_str(), tensor))
    }

    /// Gives a variable its tensor.
    pub fn set(&mut self, name: impl Into<String>, tensor: Tensor) {
        self.0.insert(name.into(), tensor);
    }
}
