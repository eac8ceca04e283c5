//! What the operators of the example compute. Plain loops: here it is the meaning that counts, not the speed.
//!
//! It knows nothing of graphs. The releases of `convnet-ops` say which operator has which of these kernels; [`Kernel`] is what they
//! have in common, and what a program that runs a graph asks for.

mod error;
mod tensors;
mod window;

pub use error::KernelError;
pub use tensors::{Tensor, Tensors};
pub use window::{Window, avg_pool, conv2d, max_pool};

use ndarray::{Axis, Dimension as _, Ix1, Ix2};

/// An operator with one output, which can be computed.
pub trait Kernel {
    /// The output, from the tensors of the operator's inputs.
    ///
    /// # Errors
    ///
    /// When an input has no tensor, or one whose shape does not fit.
    fn compute(&self, tensors: &Tensors) -> Result<Tensor, KernelError>;
}

/// Adds `bias`, one number for each channel, to `x`, whose second axis has the channels.
///
/// # Errors
///
/// When the shapes do not fit.
pub fn add_bias(x: &Tensor, bias: &Tensor) -> Result<Tensor, KernelError> {
    let bias = bias.view().into_dimensionality::<Ix1>().map_err(|_| KernelError::axes("bias", bias, 1))?;
    if x.ndim() < 2 || x.len_of(Axis(1)) != bias.len() {
        return Err(KernelError::shapes(x.shape(), bias.shape()));
    }
    let mut out = x.clone();
    for (mut channel, bias) in out.axis_iter_mut(Axis(1)).zip(bias) {
        channel.mapv_inplace(|value| value + bias);
    }
    Ok(out)
}

/// What is below zero becomes zero.
pub fn relu(x: &Tensor) -> Tensor {
    x.mapv(|value| value.max(0.0))
}

/// Two axes in place of all: those before `axis`, and the rest.
///
/// # Errors
///
/// When the tensor has fewer axes.
pub fn flatten(x: &Tensor, axis: usize) -> Result<Tensor, KernelError> {
    let shape = x.raw_dim();
    if axis > shape.ndim() {
        return Err(KernelError::axes("x", x, axis));
    }
    let length = |lengths: &[usize]| lengths.iter().product::<usize>();
    let (before, behind) = shape.slice().split_at(axis);
    let flat = x.to_shape(vec![length(before), length(behind)]).map_err(|_| KernelError::axes("x", x, axis))?;
    Ok(flat.to_owned())
}

/// The product of two matrices.
///
/// # Errors
///
/// When they are no matrices, or their shapes do not fit.
pub fn matmul(x: &Tensor, y: &Tensor) -> Result<Tensor, KernelError> {
    let left = x.view().into_dimensionality::<Ix2>().map_err(|_| KernelError::axes("x", x, 2))?;
    let right = y.view().into_dimensionality::<Ix2>().map_err(|_| KernelError::axes("y", y, 2))?;
    if left.ncols() != right.nrows() {
        return Err(KernelError::shapes(x.shape(), y.shape()));
    }
    Ok(left.dot(&right).into_dyn())
}

/// To the nearest whole number; what lies half-way goes away from zero.
pub fn round_half_away(x: &Tensor) -> Tensor {
    x.mapv(f32::round)
}

/// To the nearest whole number; what lies half-way goes to the even one.
pub fn round_half_even(x: &Tensor) -> Tensor {
    x.mapv(f32::round_ties_even)
}

#[cfg(test)]
mod tests {
    use ndarray::{arr1, arr2, array};

    use super::*;

    const WHOLE: Window = Window { size: [2, 2], strides: [1, 1], paddings: [0, 0], dilations: [1, 1] };

    fn image() -> Tensor {
        array![[[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0], [7.0, 8.0, 9.0]]]].into_dyn()
    }

    #[test]
    fn a_convolution_sums_what_lies_under_the_filter() {
        let filter = array![[[[1.0, 0.0], [0.0, -1.0]]]].into_dyn();
        let out = conv2d(&image(), &filter, WHOLE).unwrap();
        assert_eq!(out, array![[[[-4.0, -4.0], [-4.0, -4.0]]]].into_dyn());
        let gaps = conv2d(&image(), &filter, Window { dilations: [2, 2], ..WHOLE }).unwrap();
        assert_eq!(gaps, array![[[[-8.0]]]].into_dyn());
        let padded = conv2d(&image(), &filter, Window { paddings: [1, 0], strides: [2, 1], ..WHOLE }).unwrap();
        assert_eq!(padded, array![[[[-2.0, -3.0], [-4.0, -4.0]]]].into_dyn());
        let two_channels = Tensor::zeros(vec![1, 2, 2, 2]);
        assert_eq!(
            conv2d(&image(), &two_channels, WHOLE),
            Err(KernelError::Shapes(vec![1, 1, 3, 3], vec![1, 2, 2, 2]))
        );
    }

    #[test]
    fn padding_counts_in_a_mean_unless_it_is_exclusive() {
        let corners = Window { paddings: [1, 1], strides: [3, 3], ..WHOLE };
        assert_eq!(avg_pool(&image(), corners, true).unwrap(), array![[[[1.0, 3.0], [7.0, 9.0]]]].into_dyn());
        assert_eq!(avg_pool(&image(), corners, false).unwrap(), array![[[[0.25, 0.75], [1.75, 2.25]]]].into_dyn());
        assert_eq!(max_pool(&image(), WHOLE).unwrap(), array![[[[5.0, 6.0], [8.0, 9.0]]]].into_dyn());
    }

    #[test]
    fn a_window_that_cannot_be_laid_is_an_error() {
        for window in [
            Window { size: [4, 1], ..WHOLE },
            Window { size: [0, 1], ..WHOLE },
            Window { strides: [1, 0], ..WHOLE },
            Window { dilations: [usize::MAX, 1], ..WHOLE },
        ] {
            assert!(matches!(max_pool(&image(), window), Err(KernelError::Window { .. })), "{window:?}");
        }
        let flat = Tensor::zeros(vec![2, 2]);
        assert!(matches!(max_pool(&flat, WHOLE), Err(KernelError::Axes { axes: 4, .. })));
    }

    #[test]
    fn what_is_not_of_windows() {
        let x = arr2(&[[1.0, -2.0], [3.0, -4.0]]).into_dyn();
        assert_eq!(relu(&x), arr2(&[[1.0, 0.0], [3.0, 0.0]]).into_dyn());
        let bias = arr1(&[10.0, 20.0]).into_dyn();
        assert_eq!(add_bias(&x, &bias).unwrap(), arr2(&[[11.0, 18.0], [13.0, 16.0]]).into_dyn());
        assert_eq!(matmul(&x, &x).unwrap(), arr2(&[[-5.0, 6.0], [-9.0, 10.0]]).into_dyn());
        assert_eq!(flatten(&image(), 2).unwrap().shape(), [1, 9]);
        assert_eq!(flatten(&image(), 4).unwrap().shape(), [9, 1]);
        let halves = arr1(&[0.5, 1.5, -0.5, 2.4]).into_dyn();
        assert_eq!(round_half_away(&halves), arr1(&[1.0, 2.0, -1.0, 2.0]).into_dyn());
        assert_eq!(round_half_even(&halves), arr1(&[0.0, 2.0, 0.0, 2.0]).into_dyn());
        assert!(add_bias(&x, &x).is_err() && matmul(&x, &bias).is_err() && flatten(&x, 3).is_err());
        assert_eq!(Tensors::default().get("x"), Err(KernelError::Missing("x".into())));
    }
}
