"""A model for translating on a CPU: the same network, its matrices laid out once for the products that decoding makes.

torch lays the weight of a linear map out anew in every product. For the few rows of a decoding step that costs as much
as the product itself: 64 rows against a vocabulary of 8,000 are 1.7 times as fast with a layout made before.
"""

import copy
from functools import cached_property

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from nmt.model.layers import FeedForward
from nmt.model.transformer import Transformer

TYPICAL_ROWS = 64  # what oneDNN lays a weight out for; it is right for any number of them


class PackedLinear(nn.Module):
    """A linear map that keeps its weight in the layouts which one row, and several rows, are multiplied with fastest.

    Each is made when it is first needed. relu: max(0, x) is applied in the same pass.
    """

    def __init__(self, linear: nn.Linear, *, relu: bool = False) -> None:
        super().__init__()
        self.linear = linear
        self.in_features, self.out_features = linear.in_features, linear.out_features
        self.relu = relu

    @cached_property
    def columns(self) -> Tensor:
        """(in, out): one row streams through it at twice the speed of (out, in)."""
        return self.linear.weight.detach().t().contiguous()

    @cached_property
    def blocks(self) -> Tensor:
        """oneDNN's own layout."""
        weight: Tensor = torch.ops.mkldnn._reorder_linear_weight(self.linear.weight.detach(), TYPICAL_ROWS)
        return weight

    def forward(self, x: Tensor) -> Tensor:
        """(..., in) -> (..., out)."""
        bias = self.linear.bias
        if x.numel() == x.size(-1):
            row = x.view(1, -1)
            y = torch.mm(row, self.columns) if bias is None else torch.addmm(bias, row, self.columns)
            return (y.relu_() if self.relu else y).view(*x.shape[:-1], -1)
        return torch.ops.mkldnn._linear_pointwise(x, self.blocks, bias, "relu" if self.relu else "none", [], "")


def pack(model: Transformer) -> Transformer:
    """A copy for translating that shares the weights of `model`; the model itself where there are no such products.

    What is changed in the model's weights afterwards may or may not be seen by the copy: pack anew.
    """
    if isinstance(model.output, PackedLinear):
        return model
    weight = model.output.weight
    if weight.device.type != "cpu" or weight.dtype != torch.float32 or not _available():
        return model
    # The memo of deepcopy: each parameter and buffer stands for its own copy.
    shared = {id(tensor): tensor for tensor in (*model.parameters(), *model.buffers())}
    packed = copy.deepcopy(model, shared)
    for module in list(packed.modules()):
        for name, child in list(module.named_children()):
            if isinstance(child, nn.Linear):
                relu = isinstance(module, FeedForward) and name == "up" and module.gate is None
                relu = relu and module.activation is F.relu
                setattr(module, name, PackedLinear(child, relu=relu))
                if relu:
                    module.activation = nn.Identity()
    return packed.eval()


def _available() -> bool:
    return torch._C._has_mkldnn and hasattr(torch.ops.mkldnn, "_reorder_linear_weight")
