//! What `PaddlePaddle`'s own check prints of two op descriptions.
