"""A model for translating: the same network, its matrices laid out once for the products that decoding makes.

torch lays the weight of a linear map out anew in every product. For the few rows of a decoding step that costs as much
as the product itself: on a CPU 64 rows against a vocabulary of 8,000 are 1.7 times as fast with a layout made before.
Fewer bits a weight are faster again; only the products of matrices are in them, the rest stays in 32 bits.
"""

import copy
import math
from functools import cached_property
from typing import Literal

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from nmt.model.layers import FeedForward
from nmt.model.transformer import Transformer

Precision = Literal["fp32", "bf16", "int8"]
TYPICAL_ROWS = 64  # what oneDNN lays a weight out for; it is right for any number of them


class PackedLinear(nn.Module):
    """A linear map for a CPU. relu: max(0, x) is applied in the same pass.

    bias: a plain tensor, as looking up a parameter of a module takes longer than a small product.
    """

    def __init__(self, linear: nn.Linear, relu: bool) -> None:
        super().__init__()
        self.in_features, self.out_features = linear.in_features, linear.out_features
        self.relu, self.after = relu, "relu" if relu else "none"
        self.bias = None if linear.bias is None else linear.bias.detach()


class Fp32Linear(PackedLinear):
    """Keeps its weight in the layouts that one row, and several rows, are multiplied with fastest.

    Each is made when it is first needed.
    """

    def __init__(self, linear: nn.Linear, relu: bool) -> None:
        super().__init__(linear, relu)
        self.linear = linear

    @cached_property
    def columns(self) -> Tensor:
        """(in, out), or (P, in, out / P): one row streams through it at twice the speed of (out, in).

        One part a thread: the product of one row is bound by reading, and torch divides it among threads only so.
        """
        parts = math.gcd(torch.get_num_threads(), self.out_features)
        with torch.inference_mode(False):  # what is kept must serve in any mode
            columns = self.linear.weight.detach().view(parts, -1, self.in_features).transpose(1, 2).contiguous()
            return columns.squeeze(0)

    @cached_property
    def blocks(self) -> Tensor:
        """oneDNN's own layout."""
        with torch.inference_mode(False):
            return _blocks(self.linear.weight.detach())

    def forward(self, x: Tensor) -> Tensor:
        """(..., in) -> (..., out)."""
        if x.numel() > self.in_features:
            return torch.ops.mkldnn._linear_pointwise(x, self.blocks, self.bias, self.after, [], "")
        columns = self.columns
        if columns.dim() == 2:
            y = torch.mm(x.view(1, -1), columns)
        else:
            y = torch.bmm(x.view(1, 1, -1).expand(columns.size(0), 1, -1), columns)
        y = y.view(*x.shape[:-1], -1)
        if self.bias is not None:
            y.add_(self.bias)
        return y.relu_() if self.relu else y


class Bf16Linear(PackedLinear):
    """Inputs, weights and outputs in bfloat16, sums in 32 bits."""

    def __init__(self, linear: nn.Linear, relu: bool) -> None:
        super().__init__(linear, relu)
        self.blocks = _blocks(linear.weight.detach().bfloat16())
        self.bias = None if self.bias is None else self.bias.bfloat16()

    def forward(self, x: Tensor) -> Tensor:
        """(..., in) -> (..., out), in 32 bits again."""
        return torch.ops.mkldnn._linear_pointwise(x.bfloat16(), self.blocks, self.bias, self.after, [], "").float()


class Int8Linear(PackedLinear):
    """Products of 8-bit integers: each output's weights have a scale, and so has each row of inputs.

    A row has nothing to do with its neighbours, and sums of integers are exact: to this product the batch makes no
    difference. What comes in may differ in its last bits, and then now and then round to another integer.
    """

    def __init__(self, linear: nn.Linear, relu: bool) -> None:
        super().__init__(linear, relu)
        self.weight, self.scale = _quantize(linear.weight.detach())  # (out, in), (out, 1)

    def forward(self, x: Tensor) -> Tensor:
        """(..., in) -> (..., out)."""
        rows, scale = _quantize(x.reshape(-1, self.in_features))
        y = torch._int_mm(rows, self.weight.t()).float().mul_(scale).mul_(self.scale.view(-1))
        if self.bias is not None:
            y.add_(self.bias)
        return (y.relu_() if self.relu else y).view(*x.shape[:-1], -1)


def _quantize(x: Tensor) -> tuple[Tensor, Tensor]:
    """Rows as integers from -127 to 127, and what one is worth in each: (N, D) -> (N, D), (N, 1)."""
    scale = x.abs().amax(dim=1, keepdim=True).clamp_(min=1e-12).div_(127)
    return (x / scale).round_().to(torch.int8), scale


def _blocks(weight: Tensor) -> Tensor:
    packed: Tensor = torch.ops.mkldnn._reorder_linear_weight(weight, TYPICAL_ROWS)
    return packed


_LINEAR: dict[Precision, type[PackedLinear]] = {"fp32": Fp32Linear, "bf16": Bf16Linear, "int8": Int8Linear}


def pack(model: Transformer, precision: Precision = "fp32") -> Transformer:
    """A copy for translating that shares what it can with `model`; the model itself where there is nothing to gain.

    What is changed in the model's weights afterwards may or may not be seen by the copy: pack anew. The products of
    the copy have no gradients.
    Raises ValueError for a precision that this device has no products for.
    """
    weight = model.output.weight if isinstance(model.output, nn.Linear) else None
    if weight is None or weight.dtype != torch.float32:
        return model
    if weight.device.type != "cpu" or not _available():
        if precision == "int8":
            raise ValueError(f"there are no int8 products on {weight.device.type} here")
        return model if precision == "fp32" else copy.deepcopy(model).bfloat16().eval()
    # The memo of deepcopy: each parameter and buffer stands for its own copy.
    shared = {id(tensor): tensor for tensor in (*model.parameters(), *model.buffers())}
    packed = copy.deepcopy(model, shared)
    for module in list(packed.modules()):
        for name, child in list(module.named_children()):
            if isinstance(child, nn.Linear):
                relu = isinstance(module, FeedForward) and name == "up" and module.gate is None
                relu = relu and module.activation is F.relu
                setattr(module, name, _LINEAR[precision](child, relu))
                if relu:
                    module.activation = nn.Identity()
    return packed.eval()


def _available() -> bool:
    return torch._C._has_mkldnn and hasattr(torch.ops.mkldnn, "_reorder_linear_weight")
