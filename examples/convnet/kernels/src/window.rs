//! Windows that move over images: convolution and pooling. A tensor of images has the axes batch, channel, height, width.

use ndarray::{Array4, ArrayView4, Ix4};

use crate::{KernelError, Tensor};

/// How a window is laid over an image; each pair is of the height and the width.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Window {
    /// How many rows and columns it has.
    pub size: [usize; 2],
    /// By how many it moves.
    pub strides: [usize; 2],
    /// How many are added around the image on each side.
    pub paddings: [usize; 2],
    /// The distance between two of its rows and of its columns; 1 leaves no gaps.
    pub dilations: [usize; 2],
}

impl Window {
    /// How many places the window takes on an image.
    fn places(&self, image: [usize; 2]) -> Result<[usize; 2], KernelError> {
        let Window { size, strides, paddings, dilations } = *self;
        let spans = [0, 1].map(|i| size[i].saturating_sub(1).saturating_mul(dilations[i]).saturating_add(1));
        let padded = [0, 1].map(|i| paddings[i].saturating_mul(2).saturating_add(image[i]));
        let is_bad = |i: usize| size[i] == 0 || strides[i] == 0 || dilations[i] == 0 || spans[i] > padded[i];
        if is_bad(0) || is_bad(1) {
            return Err(KernelError::Window { window: spans, strides, image: padded });
        }
        Ok([0, 1].map(|i| (padded[i] - spans[i]) / strides[i] + 1))
    }

    /// Where in the image the part `part` of the window lies that is at the place `at`, along one axis; `None` in the padding.
    fn source(&self, axis: usize, at: usize, part: usize, length: usize) -> Option<usize> {
        let padded = at * self.strides[axis] + part * self.dilations[axis];
        padded.checked_sub(self.paddings[axis]).filter(|place| *place < length)
    }

    /// The part of the window and the place in the image, of all that is no padding, for the window at `row`, `column`.
    fn covered(&self, [row, column]: [usize; 2], image: [usize; 2]) -> impl Iterator<Item = ([usize; 2], [usize; 2])> {
        let rows = (0..self.size[0]).filter_map(move |i| Some((i, self.source(0, row, i, image[0])?)));
        rows.flat_map(move |(i, y)| {
            let columns = (0..self.size[1]).filter_map(move |j| Some((j, self.source(1, column, j, image[1])?)));
            columns.map(move |(j, x)| ([i, j], [y, x]))
        })
    }
}

/// A convolution of `input` with the axes batch, channel, height, width by `filter` with the axes output channel, channel, height, width.
///
/// The size in `window` is that of the filter, whatever it says.
///
/// # Errors
///
/// When the shapes do not fit.
pub fn conv2d(input: &Tensor, filter: &Tensor, window: Window) -> Result<Tensor, KernelError> {
    let (images, filters) = (images("input", input)?, images("filter", filter)?);
    let (batch, channels, height, width) = images.dim();
    let (outputs, of_filter, rows, columns) = filters.dim();
    if channels != of_filter {
        return Err(KernelError::shapes(input.shape(), filter.shape()));
    }
    let window = Window { size: [rows, columns], ..window };
    let [high, wide] = window.places([height, width])?;
    let sum = |(image, output, row, column): (usize, usize, usize, usize)| {
        let mut sum = 0.0;
        for channel in 0..channels {
            for ([i, j], [y, x]) in window.covered([row, column], [height, width]) {
                sum += images[[image, channel, y, x]] * filters[[output, channel, i, j]];
            }
        }
        sum
    };
    Ok(Array4::from_shape_fn((batch, outputs, high, wide), sum).into_dyn())
}

/// The greatest number under each place of the window.
///
/// # Errors
///
/// When the window cannot be laid over the images.
pub fn max_pool(x: &Tensor, window: Window) -> Result<Tensor, KernelError> {
    pool(x, window, |values, _| values.fold(f32::NEG_INFINITY, f32::max))
}

/// The mean under each place of the window; what is padding counts as zeros, or where `exclusive` not at all.
///
/// # Errors
///
/// When the window cannot be laid over the images.
#[expect(clippy::cast_precision_loss, reason = "a window has not that many places")]
pub fn avg_pool(x: &Tensor, window: Window, exclusive: bool) -> Result<Tensor, KernelError> {
    pool(x, window, |values, size| {
        let (sum, count) = values.fold((0.0, 0_usize), |(sum, count), value| (sum + value, count + 1));
        sum / (if exclusive { count.max(1) } else { size }) as f32
    })
}

fn pool(
    x: &Tensor,
    window: Window,
    value: impl Fn(&mut dyn Iterator<Item = f32>, usize) -> f32,
) -> Result<Tensor, KernelError> {
    let images = images("x", x)?;
    let (batch, channels, height, width) = images.dim();
    let [high, wide] = window.places([height, width])?;
    let pooled = |(image, channel, row, column): (usize, usize, usize, usize)| {
        let covered = window.covered([row, column], [height, width]);
        value(&mut covered.map(|(_, [y, x])| images[[image, channel, y, x]]), window.size[0] * window.size[1])
    };
    Ok(Array4::from_shape_fn((batch, channels, high, wide), pooled).into_dyn())
}

fn images<'t>(what: &'static str, tensor: &'t Tensor) -> Result<ArrayView4<'t, f32>, KernelError> {
    tensor.view().into_dimensionality::<Ix4>().map_err(|_| KernelError::axes(what, tensor, 4))
}
