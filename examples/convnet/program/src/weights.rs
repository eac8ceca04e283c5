//! Weights between tensors and checkpoints.

use std::collections::BTreeMap;

use convnet_kernels::{Tensor, Tensors};
use oplock::graph::checkpoint::{Checkpoint, Dtype, Tensor as Saved};

use crate::Result;

/// The tensors as a checkpoint has them.
pub(crate) fn to_checkpoint(weights: &Tensors) -> BTreeMap<String, Saved<'static>> {
    let saved = |tensor: &Tensor| {
        let data: Vec<u8> = tensor.iter().flat_map(|value| value.to_le_bytes()).collect();
        Saved { dtype: Dtype::F32, shape: tensor.shape().to_vec(), data: data.into() }
    };
    weights.iter().map(|(name, tensor)| (name.to_owned(), saved(tensor))).collect()
}

/// The tensors of a checkpoint.
pub(crate) fn from_checkpoint(checkpoint: &Checkpoint<'_>) -> Result<Tensors> {
    let mut weights = Tensors::default();
    for (name, saved) in &checkpoint.tensors {
        if saved.dtype != Dtype::F32 {
            return Err(
                format!("the weight `{name}` is of type {}, and the kernels compute with F32", saved.dtype).into()
            );
        }
        let (numbers, _) = saved.data.as_chunks::<4>();
        let numbers = numbers.iter().map(|bytes| f32::from_le_bytes(*bytes)).collect();
        weights.set(
            name,
            Tensor::from_shape_vec(saved.shape.clone(), numbers)
                .map_err(|error| format!("the weight `{name}`: {error}"))?,
        );
    }
    Ok(weights)
}
