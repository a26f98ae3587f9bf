# SPDX-License-Identifier: Apache-2.0
"""Graphs as networks of PyTorch, networks as graphs.

PyTorch is imported when a function is used, not before.
"""
import functools
import keyword
import re

from . import levels
from ._layers import classes, describe, describe_call, layer
from .graph import Graph, convert
from .levels import expand

__all__ = ["Module", "trace", "save_fx", "code", "describe", "expand",
           "layer"]


def _order(graph):
    """(node, its sources) in an order in which all sources come first."""
    sources, _ = levels.neighbours(graph)
    return [(node, sources[node]) for node in levels.order(graph)]


def _ends(graph):
    """Nodes that no edge leaves: what the network answers. An input that
    nothing reads is no answer of a network with outputs."""
    left = {edge[0] for edge in graph.edges}
    if "output" in graph.nodes:
        left.update(i for i in range(len(graph)) if graph.nodes[i] == "input")
    return [i for i in range(len(graph)) if i not in left]


def _network(graph, space):
    """The graph that is computed: its live nodes in a space. Without a space
    dead nodes are refused, since they make another network."""
    graph = convert(graph)
    if space is not None:
        return graph.live(space)
    labels, order = graph.nodes, _order(graph)
    if "input" not in labels or "output" not in labels:
        return graph
    after, before = set(), set()  # from inputs on, and up to outputs
    for node, sources in order:
        if (labels[node] in ("input", "parameter")
                or not after.isdisjoint(sources)):
            after.add(node)
    for node, sources in reversed(order):
        if labels[node] == "output" or node in before:
            before.update(sources, [node])
    for node, label in enumerate(labels):
        if label != "input" and (node not in after or node not in before):
            raise ValueError(
                f"node {node}, {label!r}, is on no path from an input to an "
                "output; name the space, Module(graph, ops, space='nb101'), "
                "to leave dead nodes out")
    return graph


def _label(graph, node):
    return graph.nodes[node] or ""


def _source(ops, label):
    """The expression of an operation, or None for one that does nothing."""
    if label in ops:
        return ops[label]
    if label in ("input", "output", "identity", "add", ""):
        return None
    raise KeyError(f"no operation for the label {label!r}; there are: "
                   f"{', '.join(map(repr, ops))}")


def _make(source):
    """A new module of a class, a function, an expression or a module."""
    import copy

    import torch
    from torch import nn

    if source is None:
        return nn.Identity()
    if isinstance(source, str):
        return eval(source, {"nn": nn, "torch": torch})
    if isinstance(source, nn.Module):
        return copy.deepcopy(source)
    return source()


_COMBINE = {"add": lambda torch, parts: functools.reduce(
                lambda a, b: a + b, parts),
            "concat": lambda torch, parts: torch.cat(parts, 1)}


def _combiner(name):
    if name not in _COMBINE:
        raise ValueError("combine is 'add' or 'concat'")
    return _COMBINE[name]


@functools.cache
def _module_class():
    """nn.Module is a base class, so the class is made when it is needed."""
    import torch

    class Module(torch.nn.Module):
        """A network of a graph; see sepx.torch.Module."""

        def __init__(self, graph, ops, combine, combine_output, example,
                     space):
            super().__init__()
            self.graph = _network(graph, space)
            self.order, self.ends = _order(self.graph), _ends(self.graph)
            self.combine = _combiner(combine)
            self.combine_output = _combiner(combine_output or combine)
            if callable(ops):
                self._build(ops, example)
                return
            for node, _ in self.order:
                made = _make(_source(ops, _label(self.graph, node)))
                self.add_module(f"node{node}", made)

        def _build(self, ops, example):
            """Layers by the shapes of what arrives at them."""
            if example is None:
                raise ValueError("operations that are a function need an "
                                 "example of the input: Module(graph, layer, "
                                 "example=torch.zeros(1, 3, 32, 32))")

            def make(node, values):
                label = _label(self.graph, node)
                try:
                    made = ops(label, *(getattr(value, "shape", ())
                                        for value in values))
                    self.add_module(f"node{node}", made.eval())
                    value = self._value(node, values)
                except (IndexError, RuntimeError, TypeError, ValueError
                        ) as error:
                    raise ValueError(f"node {node}, {label!r}: {error}"
                                     ) from error
                made.train()
                return value
            with torch.no_grad():
                self._run([example], make)

        def _value(self, node, values):
            made = getattr(self, f"node{node}")
            if isinstance(made, classes()[0]):
                return made(*values)
            if len(values) > 1:
                join = (self.combine_output if node in self.ends
                        else self.combine)
                values = [join(torch, values)]
            return made(values[0])

        def _run(self, inputs, step):
            values, left = {}, list(inputs)
            for node, sources in self.order:
                if sources:
                    given = [values[source] for source in sources]
                else:
                    given = [left.pop(0) if len(left) > 1 else left[0]]
                values[node] = step(node, given)
            answers = [values[node] for node in self.ends]
            return answers[0] if len(answers) == 1 else tuple(answers)

        def forward(self, *inputs):
            most = sum(not sources for _, sources in self.order)
            if len(inputs) > most:
                raise TypeError(f"{len(inputs)} inputs for a network of "
                                f"{most}; a dead one is left out")
            return self._run(inputs, self._value)
    return Module


def Module(graph, ops, combine="add", combine_output=None, example=None,
           space=None):
    """A torch.nn.Module that computes a graph.

    ops: what each label does: a function or class that makes a module, a
    module (each node gets a copy), or an expression such as "nn.ReLU()".
    The labels input, output, add and identity do nothing unless they are in
    `ops`. Where several edges meet, their values are added, or concatenated
    (combine="concat", along the channels); combine_output says otherwise for
    the last nodes. Nodes without an edge to them are the inputs, in their
    order; those without one from them the answer.

    ops may also be a function of a label and the shapes that arrive, such as
    sepx.torch.layer, which knows the labels of trace(). Then `example` is an
    input, with which the shapes are found; ValueError says which node does
    not fit.

    space: leave out nodes that are dead in it, as graph.live(space) does:
    graphs of nb101 have such nodes, which the benchmark does not train. An
    input that is dead has no value then; more values than inputs are a
    TypeError.
    Without a space, a graph with nodes labelled input and output must have
    each node on a path from an input (or a parameter, as trace() calls it)
    to an output; ValueError names the first that is not.
    """
    return _module_class()(graph, ops, combine, combine_output, example,
                           space)


# ---- networks as graphs ----


@functools.cache
def _tracer_class():
    import dis
    import inspect

    import torch.fx

    class Unpacked:
        """a, b = value: PyTorch 1.13 does not find that instruction in the
        code of Python 3.11."""

        def __iter__(self):
            frame = inspect.currentframe().f_back
            for step in dis.get_instructions(frame.f_code):
                if (step.offset == frame.f_lasti
                        and step.opname == "UNPACK_SEQUENCE"):
                    return (self[i] for i in range(step.argval))
            return self.tracer.iter(self)

    class Attribute(Unpacked, torch.fx.proxy.Attribute):
        pass

    class Proxy(Unpacked, torch.fx.Proxy):
        def __getattr__(self, name):
            return Attribute(self, name)

    class Tracer(torch.fx.Tracer):
        """Keeps for each node the modules in whose calls it was made."""

        def __init__(self):
            super().__init__()
            self.calls, self.inside = [], {}

        def is_leaf_module(self, module, path):
            """Whether torch.fx does not look into it: a layer of PyTorch, or
            of a class derived from one that has its forward()."""
            maker = next(kind for kind in type(module).__mro__
                         if "forward" in vars(kind))
            return super().is_leaf_module(module, path) or (
                maker.__module__.startswith("torch.nn.")
                and maker not in (torch.nn.Module, torch.nn.Sequential))

        def call_module(self, module, forward, args, kwargs):
            self.calls.append((len(self.inside), self.path_of_module(module)))
            try:
                return super().call_module(module, forward, args, kwargs)
            finally:
                self.calls.pop()

        def create_node(self, *args, **kwargs):
            node = super().create_node(*args, **kwargs)
            self.inside[node.name] = tuple(self.calls)
            return node

        def proxy(self, node):
            return Proxy(node, self)

    return Tracer


def _is_identity(node, modules):
    """What does nothing once a network is trained."""
    if node.op == "call_module":
        name = type(modules[node.target]).__name__
        return name in ("Identity", "StochasticDepth")
    return getattr(node.target, "__name__", "") in (
        "stochastic_depth", "contiguous") or node.target == "contiguous"


def _is_size(node, sizes):
    """Whether a value is no tensor but a size, or made of sizes alone."""
    if node.op == "call_method" and node.target in ("size", "dim"):
        return True
    name = getattr(node.target, "__name__", "")
    if node.op != "call_function":
        return False
    if name in ("getattr", "_assert"):
        return True
    return all(source in sizes for source in node.all_input_nodes)


def _label_node(node, modules, label, sizes):
    import torch.fx

    if node.op == "call_module":
        return label(modules[node.target])
    if node.op not in ("call_function", "call_method"):
        return {"placeholder": "input", "output": "output"}.get(
            node.op, "parameter")
    name = node.target if isinstance(node.target, str) else getattr(
        node.target, "__name__", str(node.target))

    def constant(value):
        """Whether it is no tensor."""
        found = []
        torch.fx.node.map_arg(value, found.append)
        return sizes.issuperset(found)
    reverse = f"__r{name}__"
    if node.args and constant(node.args[0]) and hasattr(torch.Tensor, reverse):
        name = reverse
    values, named = torch.fx.node.map_arg(
        ([arg for arg in node.args if constant(arg)],
         {key: arg for key, arg in node.kwargs.items() if constant(arg)}),
        lambda size: "?")
    return describe_call(name, values, named)


def _operations(traced, modules, label):
    """The graph of what torch.fx found and the output needs."""
    import torch.fx

    stands, sizes, names, edges = {}, set(), {}, []
    for node in traced.nodes:
        sources = []
        torch.fx.node.map_arg((node.args, node.kwargs), sources.append)
        sources = [stands[source] for source in sources
                   if source not in sizes]
        if _is_size(node, sizes):
            sizes.add(node)
        elif sources and _is_identity(node, modules):
            stands[node] = sources[0]
        else:
            stands[node] = node.name
            names[node.name] = _label_node(node, modules, label, sizes)
            edges += [(source, node.name) for source in sources]
    live = {name for name, text in names.items() if text == "output"}
    for source, target in reversed(edges):
        if target in live:
            live.add(source)
    return Graph({name: text for name, text in names.items()
                  if name in live or text == "input"},
                 [edge for edge in edges if edge[1] in live])


def _wanted(model, block):
    """Whether a module is to be a block."""
    from torch import nn

    if isinstance(block, (type, tuple)):
        return lambda module: isinstance(module, block)
    if block is not None:
        return block

    @functools.cache
    def layers(module):
        return sum(levels.is_layer(type(part).__name__.lower())
                   for part in module.modules()
                   if not next(part.children(), None))

    @functools.cache
    def repeats(module):
        kinds = [type(part) for part in module.modules()
                 if part is not module and type(part) not in (
                     nn.Sequential, nn.ModuleList) and layers(part) > 1]
        return len(set(kinds)) < len(kinds)
    return lambda module: (module is not model and layers(module) > 1
                           and type(module) is not nn.Sequential
                           and not repeats(module))


def _groups(graph, inside, modules, wanted):
    """The calls of wanted modules, outermost first, as (nodes, name); a call
    that is no block with one entry and exit leaves it to those within."""
    calls = {}
    for number, name in enumerate(graph.ids):
        for call in inside[name]:
            if wanted(modules[call[1]]):
                calls.setdefault(call, []).append(number)
    taken, groups = set(), []
    for (_, path), nodes in sorted(calls.items(), key=lambda item: (
            item[0][0], -len(item[1]))):
        if taken.isdisjoint(nodes) and len(nodes) > 1 and (
                levels.part(graph, nodes) is not None):
            taken.update(nodes)
            groups.append((nodes, type(modules[path]).__name__))
    return groups


def _traced(model, options):
    """(the trace, modules by path, in whose calls each node was made)."""
    import torch

    if not isinstance(model, torch.nn.Module):
        raise TypeError("expected a torch.nn.Module, got "
                        f"{type(model).__name__}")
    tracer = _tracer_class()()
    traced = tracer.trace(model, **options)
    return traced, dict(model.named_modules()), tracer.inside


def trace(model, level="op", blocks=None, block=None, label=describe,
          **options):
    """The graph of a model, by torch.fx.

    level: "op", a node for each operation, called as torch.fx calls it;
    "unit", convolutions and linear layers with their norm and activation;
    "block", calls of modules as single nodes, the rest as units. `blocks` is
    a dict that gets what the labels of blocks stand for; share it between
    models. block: which modules these are, a class, several, or a function
    of a module; otherwise the outermost classes of more than one layer in
    which no such class repeats. expand() is the way back. label: of a module
    that torch.fx does not look into. Options are those of
    torch.fx.Tracer.trace().

    Sizes, their arithmetic and what does nothing in a trained network but
    dropout are left out.
    """
    if level not in ("op", "unit", "block"):
        raise ValueError(f"the level {level!r} is none of 'op', 'unit', "
                         "'block'")
    if level == "block" and blocks is None:
        raise ValueError("blocks is a dict, which gets what the labels of "
                         "blocks stand for")
    traced, modules, inside = _traced(model, options)
    graph = _operations(traced, modules, label)
    if level == "block":
        graph = levels.collapse(
            graph, _groups(graph, inside, modules,
                           _wanted(model, block)), blocks)
    return graph if level == "op" else levels.units(graph)


def _json(value):
    """An argument as JSON; nodes become {"node": name}."""
    import torch.fx

    if isinstance(value, torch.fx.Node):
        return {"node": value.name}
    if isinstance(value, (tuple, list)):
        return [_json(part) for part in value]
    if isinstance(value, dict):
        return {"dict": [[str(key), _json(part)]
                         for key, part in value.items()]}
    if isinstance(value, slice):
        return {"slice": _json([value.start, value.stop, value.step])}
    if value is None or isinstance(value, (bool, int, str)):
        return value
    if isinstance(value, float) and value - value == 0:
        return value
    return str(value)


def save_fx(model, path, label=describe, **options):
    """Write the trace of a model as JSON, which `sepx convert` and
    sepx.read() read where there is no PyTorch: the graph of trace(model).

    path: a file name, or a file open for text. label and options are those
    of trace().
    """
    import json
    import os

    traced, modules, _ = _traced(model, options)
    rows, sizes, called = [], set(), {}
    for node in traced.nodes:
        target = node.target
        if not isinstance(target, str):
            target = getattr(target, "__name__", str(target))
        row = {"name": node.name, "op": node.op, "target": target,
               "args": _json(node.args),
               "kwargs": {key: _json(arg)
                          for key, arg in node.kwargs.items()}}
        if _is_size(node, sizes):
            sizes.add(node)
        elif node.op == "call_module":
            called[target] = label(modules[target])
        elif node.op in ("call_function", "call_method"):
            row["label"] = _label_node(node, modules, label, sizes)
        rows.append(row)
    text = json.dumps({"fx": rows, "modules": called}) + "\n"
    if isinstance(path, (str, os.PathLike)):
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
    else:
        path.write(text)


# ---- networks as text ----


def _expression(source):
    if source is None:
        return "nn.Identity()"
    if isinstance(source, str):
        return source
    text = repr(_make(source))
    if "\n" in text or "(" not in text:
        raise ValueError(f"{text.splitlines()[0]}... is more than an "
                         "expression; give the operation as a text")
    return f"nn.{text}"


def _nested(module):
    """The expression of a module of torch.nn, and of those within it."""
    inner = [_nested(part) for part in module.children()]
    if not inner:
        return _expression(module)
    text = ", ".join(inner)
    name = type(module).__name__
    return f"nn.{name}({text})" if name == "Sequential" else (
        f"nn.ModuleList([{text}])")


def _built(node, made, parts, joined):
    """(the expression of a layer or None, that of the node's value)."""
    Join, Call = classes()

    def empty(layer):
        return type(layer).__name__ == "Identity"
    if empty(made):
        return None, joined
    if isinstance(made, Call):
        arguments = ", ".join(map(repr, made.arguments))
        return None, f"{parts[0]}.{made.name}({arguments})"
    if not isinstance(made, Join):
        return _nested(made), f"self.node{node}({joined})"
    parts = [part if empty(layer) else f"self.node{node}[{i}]({part})"
             for i, (layer, part) in enumerate(zip(made, parts))]
    value = (f"torch.cat([{', '.join(parts)}], 1)" if made.how == "cat"
             else (" * " if made.how == "mul" else " + ").join(parts))
    return (None if all(map(empty, made)) else _nested(made)), value


def code(graph, ops, name="Network", combine="add", combine_output=None,
         example=None, space=None):
    """The source of a Python module with a class that is the network of a
    graph: the same as Module(), with the same names of parameters, and no
    need of this package. Operations that are no expressions are written as
    PyTorch shows them."""
    if not name.isidentifier() or keyword.iskeyword(name):
        raise ValueError(f"{name!r} is no name of a class")
    graph = _network(graph, space)
    order, ends = _order(graph), _ends(graph)
    _combiner(combine)
    net = (_module_class()(graph, ops, combine, combine_output, example, space)
           if callable(ops) else None)
    inputs = [node for node, sources in order if not sources]
    lines = ["import torch", "from torch import nn", "", "",
             f"class {name}(nn.Module):", "    def __init__(self):",
             "        super().__init__()"]
    steps = []
    for node, sources in order:
        parts = [f"x{source}" for source in sources] or [f"x{node}"]
        how = (combine_output or combine) if node in ends else combine
        joined = " + ".join(parts)
        if how == "concat" and len(parts) > 1:
            joined = f"torch.cat([{', '.join(parts)}], 1)"
        if net:
            made = getattr(net, f"node{node}")
            text, step = _built(node, made, parts, joined)
        else:
            label = _label(graph, node)
            note = re.sub(r"[^ -~]", "?", label)
            text = _expression(_source(ops, label)) + (
                f"  # {note}" if note else "")
            step = f"self.node{node}({joined})"
        if text:
            lines.append(f"        self.node{node} = {text}")
        if step != f"x{node}":
            steps.append((node, step))
    lines += ["", "    def forward(self, "
              + ", ".join(f"x{node}" for node in inputs) + "):"]
    lines += [f"        x{node} = {text}" for node, text in steps]
    lines.append("        return " + ", ".join(f"x{node}" for node in ends))
    return "\n".join(lines) + "\n"
