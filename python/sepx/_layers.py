# SPDX-License-Identifier: Apache-2.0
"""Layers of PyTorch as labels, and layers of such labels."""
import ast
import functools
import inspect
import operator
import re

from .levels import fields

# Sizes that follow from what arrives are not part of a label.
_IMPLIED = ("in_channels", "in_features", "num_features", "input_size",
            "device", "dtype", "inplace")
# Attributes that hold a parameter of __init__ under another name.
_KEPT = {"add_bias_kv": ["bias_k"], "batch_first": ["self_attn.batch_first"],
         "bias": ["in_proj_bias", "self_attn.in_proj_bias"],
         "d_model": ["self_attn.embed_dim"],
         "dim_feedforward": ["linear1.out_features"],
         "dropout": ["dropout.p"], "layer_norm_eps": ["norm1.eps"],
         "nhead": ["self_attn.num_heads"],
         "num_decoder_layers": ["decoder.num_layers"],
         "num_encoder_layers": ["encoder.num_layers"], "p": ["norm"]}
_SHORT = {"out_features": "out", "out_channels": "out", "kernel_size": "k",
          "stride": "s", "padding": "pad"}


@functools.cache
def _signature(kind):
    """Parameters of a class by name. Those that *args and **kwargs of its
    __init__ pass on are found in the class above, and so are those of a
    layer of PyTorch from which another class is derived."""
    from torch import nn

    found = {}
    for base in kind.__mro__:
        if "__init__" not in vars(base) or base is nn.Module:
            continue
        rows = inspect.signature(base.__init__).parameters.values()
        for row in rows:
            if row.name != "self" and row.kind in (row.POSITIONAL_OR_KEYWORD,
                                                   row.KEYWORD_ONLY):
                found.setdefault(row.name, row)
        if base.__module__.startswith("torch.") and not any(
                row.kind in (row.VAR_POSITIONAL, row.VAR_KEYWORD)
                for row in rows):
            break
    if issubclass(kind, nn.RNNBase) and kind is not nn.RNNBase:
        del found["mode"]  # which LSTM, GRU and RNN pass themselves
        if issubclass(kind, nn.RNN):
            found["nonlinearity"] = inspect.signature(
                nn.RNNCell.__init__).parameters["nonlinearity"]
    return list(found.values())


def _values(module):
    """The parameters that a module keeps as attributes, by name. Those of a
    Transformer are in its layers."""
    found = {}
    for row in _signature(type(module)):
        paths = [*_KEPT.get(row.name, ()), row.name]
        for path in paths + [f"encoder.layers.0.{path}" for path in paths]:
            try:
                found[row.name] = operator.attrgetter(path)(module)
                break
            except AttributeError:
                pass
    return found


def _text(value):
    if isinstance(value, (tuple, list)):
        if len(set(value)) == 1 and value[0] is not None:
            return _text(value[0])
        return "x".join(map(_text, value))
    return str(value)


def _name(value):
    """The name of a function or of a module's class; others as they are."""
    from torch import nn

    if inspect.isroutine(value):
        return value.__name__
    return type(value).__name__ if isinstance(value, nn.Module) else value


def _words(kind, values):
    """Fields of a layer: what differs from the defaults of its class."""
    words = []
    for row in _signature(kind):
        if row.name in _IMPLIED or row.name not in values:
            continue
        value = values[row.name]
        if row.name in ("bias", "add_bias_kv") and not isinstance(value, bool):
            value = value is not None
        default = row.default
        value, default = _name(value), _name(default)
        if row.name == "stride" and default is None:
            default = values.get("kernel_size")
        if value is None or (default is not row.empty
                             and _text(value) == _text(default)):
            continue
        if isinstance(value, (bool, int, float, str, tuple, list)):
            words.append(f"{_SHORT.get(row.name, row.name)}={_text(value)}")
    return words


def describe(module):
    """The label of a module: its class, and fields name=value, which costs
    may weigh, for all that is not PyTorch's default. Sizes of the input are
    left out; groups=all is a convolution of each channel by itself."""
    from torch import nn

    kind = type(module)
    values = _values(module)
    groups = values.get("groups")
    if groups and groups == values.get("in_channels") and groups > 1:
        values["groups"] = "all"
        if values["out_channels"] == groups:
            del values["out_channels"]
    words = [kind.__name__] + _words(kind, values)
    if issubclass(kind, (nn.TransformerEncoder, nn.TransformerDecoder)):
        words += describe(module.layers[0]).split(" ")[1:]  # copies of it
    return " ".join(words)


@functools.cache
def _twins():
    """Classes of torch.nn by the names of their functions."""
    from torch import nn

    return {name.lower(): kind for name, kind in vars(nn).items()
            if isinstance(kind, type) and issubclass(kind, nn.Module)}


def describe_call(name, values, named):
    """The label of a function or method: that of its layer in torch.nn, if
    there is one, otherwise its name. values, named: arguments but tensors."""
    if name in ("cat", "concat", "concatenate"):
        if [*values, *named.values()] == [1]:
            return "cat"
        name = "cat"
    if name == "flatten" and not values and not named:
        values = [0]  # of all dimensions, which the layer never does
    kind = _twins().get(name.replace("_", "").lower())
    if kind is None:
        rest = list(values) + [named[key] for key in sorted(named)]
        return " ".join([name] + [f"args={_args(rest)}"] * bool(rest))
    rows = [row.name for row in _signature(kind)]
    given = {**dict(zip(rows, values)), **named}
    return " ".join([kind.__name__] + _words(kind, given))


def _args(values):
    """Numbers as a word; lists in brackets."""
    return ",".join(f"[{_args(value)}]" if isinstance(value, (tuple, list))
                    else re.sub(r"[\s,=]", "", str(value)) for value in values)


# ---- layers of labels ----


def _value(text):
    """What a field says: number, truth, tuple or word."""
    if text in ("True", "False", "None"):
        return {"True": True, "False": False, "None": None}[text]
    for read in (int, float):
        try:
            return read(text)
        except ValueError:
            pass
    if re.fullmatch(r"(\d+|None)(x(\d+|None))+", text):
        return tuple(_value(part) for part in text.split("x"))
    return text


def _numbers(text):
    """The arguments of a call, as _args() wrote them."""
    if "?" in text:
        raise ValueError("an argument is computed from sizes, which a graph "
                         "does not have")
    return ast.literal_eval(f"[{text}]")


JOINS = ("add", "mul", "cat")


@functools.cache
def classes():
    """Classes of layers that torch.nn has not."""
    import torch
    from torch import nn

    class Join(nn.ModuleList):
        """Several values as one. Each passes a layer of its own: none, or a
        convolution that makes it fit the last of them."""

        def __init__(self, how, shapes):
            last = shapes[-1]
            super().__init__(nn.Identity() if how == "cat"
                             else _fit(shape, last) for shape in shapes)
            self.how = how

        def forward(self, *values):
            values = [layer(value) for layer, value in zip(self, values)]
            if self.how == "cat":
                return torch.cat(values, 1)
            join = torch.mul if self.how == "mul" else torch.add
            return functools.reduce(join, values)

    class Call(nn.Module):
        """A method of tensors with constant arguments."""

        def __init__(self, name, arguments):
            super().__init__()
            self.name, self.arguments = name, arguments

        def forward(self, value):
            return getattr(value, self.name)(*self.arguments)

    return Join, Call


def _fit(shape, wanted):
    """A layer from one shape to another; nothing if they may be added."""
    from torch import nn

    if len(shape) != len(wanted):
        raise ValueError(f"values of shapes {tuple(shape)} and "
                         f"{tuple(wanted)} are joined")
    if len(shape) == 2 and shape[1] != wanted[1]:
        return nn.Linear(shape[1], wanted[1], bias=False)
    if len(shape) != 4:
        return nn.Identity()
    same = all(a == b or 1 in (a, b) for a, b in zip(shape[2:], wanted[2:]))
    layers = []
    if shape[1] != wanted[1]:
        layers.append(nn.Conv2d(shape[1], wanted[1], 1, bias=False))
    if not same:
        layers.append(nn.AdaptiveAvgPool2d(tuple(wanted[2:])))
    return (nn.Identity() if not layers else layers[0] if len(layers) == 1
            else nn.Sequential(*layers))


def layer(label, *shapes):
    """The layer of a label that describe() gave, for values of these shapes:
    a module of torch.nn by its name and fields, with the sizes that arrive;
    add, mul and cat; or a method of tensors. Values that do not fit where
    they are added or multiplied pass a convolution of 1 x 1 first."""
    import torch
    from torch import nn

    Join, Call = classes()
    word, known = fields(label)
    if word in JOINS and "args" not in known:
        return Join(word, shapes)
    if word in ("input", "output", ""):
        return nn.Identity()
    kind = getattr(nn, word, None)
    if isinstance(kind, type) and issubclass(kind, nn.Module):
        return _build(kind, known, shapes, label)
    name = "__getitem__" if word == "getitem" else word  # also of a tuple
    if len(shapes) == 1 and hasattr(torch.Tensor, name):
        return Call(name, _numbers(known.get("args", "")))
    raise KeyError(f"no layer for the label {label!r}; give a table of "
                   "operations, or a function of a label and shapes")


def _build(kind, known, shapes, label):
    """A layer of a class; what arrives has the shape of the first value."""
    long = {short: name for name, short in _SHORT.items()
            if any(row.name == name for row in _signature(kind))}
    given = {long.get(name, name): _value(text)
             for name, text in known.items() if name != "v"}
    rows = {row.name: row for row in _signature(kind)}
    strange = [name for name in given if name not in rows]
    if strange:
        raise ValueError(f"{label!r}: {kind.__name__} has no {strange[0]!r}")
    shape = shapes[0] if shapes else ()
    for name in ("in_channels", "num_features", "in_features", "input_size"):
        if name in rows:
            if len(shape) < 2:
                raise ValueError(f"{label!r} reads nothing with channels")
            given[name] = shape[1 if name in ("in_channels", "num_features")
                                else -1]
    if given.get("groups") == "all":
        given["groups"] = shape[1]
        given.setdefault("out_channels", shape[1])
    return kind(**given)
