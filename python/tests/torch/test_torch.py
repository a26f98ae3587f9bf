# SPDX-License-Identifier: Apache-2.0
"""Graphs as networks and back. ./check has a stage for it."""
import os
import subprocess
import sys

import pytest

import sepx
import sepx.torch

torch = pytest.importorskip("torch", reason="python3-torch is not installed")
nn = torch.nn
from conftest import ROOT

OPS = {"conv3x3-bn-relu": "nn.Conv2d(4, 4, 3, padding=1)",
       "conv1x1-bn-relu": lambda: nn.Conv2d(4, 4, 1),
       "maxpool3x3": nn.MaxPool2d(3, 1, 1)}


def test_torch_is_imported_only_when_used():
    code = "import sys, sepx, sepx.torch; print('torch' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], text=True,
                          capture_output=True, check=True)
    assert done.stdout == "False\n"


def by_hand(net, graph, x):
    """What a network of added values computes, recursively."""
    def value(node):
        sources = [edge[0] for edge in graph.edges if edge[1] == node]
        total = x if not sources else sum(value(s) for s in sources)
        return getattr(net, f"node{node}")(total)
    left = {edge[0] for edge in graph.edges}
    answers = [value(i) for i in range(len(graph)) if i not in left]
    return answers[0] if len(answers) == 1 else tuple(answers)


@pytest.mark.parametrize("seed", range(10))
def test_modules_and_their_code_compute_the_graph(seed):
    cell = sepx.Space("nb101").sample(seed=seed)
    torch.manual_seed(seed)
    net = sepx.torch.Module(cell, OPS, space="nb101")
    x = torch.randn(2, 4, 5, 5)
    answer = net(x)
    assert torch.allclose(answer, by_hand(net, cell.live("nb101"), x))
    place = {}
    exec(sepx.torch.code(cell, OPS, "Found", space="nb101"), place)
    other = place["Found"]()
    other.load_state_dict(net.state_dict())
    assert torch.allclose(other(x), answer)
    assert sum(p.numel() for p in net.parameters()) == sum(
        p.numel() for p in other.parameters())


def paths(cell):
    """The number of paths from the input to the output, and of operations on
    them, by the definition of NAS-Bench-101."""
    size = len(cell)
    targets = [[edge[1] for edge in cell.edges if edge[0] == i]
               for i in range(size)]

    def walk(node, seen):
        if cell.nodes[node] == "output":
            alive.update(seen)
            return 1
        return sum(walk(target, [*seen, target]) for target in targets[node])
    alive = set()
    count = walk(cell.nodes.index("input"), [cell.nodes.index("input")])
    return count, len(alive)


def test_networks_of_sampled_cells_have_no_dead_nodes():
    """An operation that does nothing: the answer counts the paths."""
    space, dead = sepx.Space("nb101"), 0
    ops = {"conv3x3-bn-relu": nn.Identity, "conv1x1-bn-relu": nn.Identity,
           "maxpool3x3": nn.Identity}
    x = torch.ones(1)
    for cell in space.sample(300, seed=1):
        count, alive = paths(cell)
        net = sepx.torch.Module(cell, ops, space=space)
        assert float(net(x)) == count and len(net.graph) == alive
        assert net.graph == cell.live(space)
        assert float(sepx.torch.Module(cell.live("nb101"), ops)(x)) == count
        dead += alive < len(cell)
        if alive == len(cell):
            assert float(sepx.torch.Module(cell, ops)(x)) == count
            continue
        for make in (sepx.torch.Module, sepx.torch.code):
            with pytest.raises(ValueError, match="no path .*space='nb101'"):
                make(cell, ops)
    assert dead > 100


def test_an_input_that_nothing_reads_and_parameters_are_no_dead_nodes():
    graph = sepx.Graph(["input", "input", "parameter", "add", "output"],
                       [(0, 3), (2, 3), (3, 4)])
    ops = {"parameter": nn.Identity}
    one, five = torch.ones(1), torch.full((1,), 5.0)
    assert float(sepx.torch.Module(graph, ops)(one, five)) == 6


def test_a_dead_input_takes_no_value_of_another():
    graph = sepx.Graph(["input", "input", "add", "output"], [(1, 2), (2, 3)])
    space = {"format": "sepx-space", "version": 1, "connected": "pruned",
             "nodes": {"input": {"role": "input", "count": [1, 2]}, "add": {},
                       "output": {"role": "output", "count": 1}}}
    assert sepx.Space(space).check(graph) is None
    one, five = torch.ones(1), torch.full((1,), 5.0)
    assert float(sepx.torch.Module(graph, {})(one, five)) == 5
    net = sepx.torch.Module(graph, {}, space=space)
    assert float(net(five)) == 5
    with pytest.raises(TypeError, match="2 inputs for a network of 1"):
        net(one, five)


def test_values_may_be_concatenated():
    graph = sepx.Graph(["input", "a", "b", "output"],
                       [(0, 1), (0, 2), (1, 3), (2, 3)])
    ops = {"a": "nn.Conv2d(2, 3, 1)", "b": "nn.Conv2d(2, 5, 1)"}
    net = sepx.torch.Module(graph, ops, combine_output="concat")
    assert net(torch.randn(1, 2, 4, 4)).shape == (1, 8, 4, 4)
    place = {}
    exec(sepx.torch.code(graph, ops, combine_output="concat"), place)
    assert place["Network"]()(torch.randn(1, 2, 4, 4)).shape == (1, 8, 4, 4)


def test_a_model_becomes_a_graph():
    class Block(nn.Module):
        def __init__(self, size):
            super().__init__()
            self.one = nn.Linear(8, size)
            self.two = nn.Linear(size, 8)

        def forward(self, x):
            return torch.relu(x + self.two(torch.relu(self.one(x))))
    small, large = sepx.torch.trace(Block(4)), sepx.torch.trace(Block(16))
    assert small.nodes == ("input", "Linear out=4", "ReLU", "Linear out=8",
                           "add", "ReLU", "output")
    assert small.ids[1] == "one"
    result = sepx.Ged().result(small, large)
    assert float(result) == 1 and result.path[0].name == "one"
    deep = sepx.torch.trace(nn.Sequential(Block(4), Block(4)))
    assert sepx.Ged()(small, deep) > 5
    assert sepx.torch.describe(nn.Conv2d(1, 2, (3, 1), stride=2)) == (
        "Conv2d out=2 k=3x1 s=2")


RECURRENT = [
    lambda: nn.LSTM(16, 32), lambda: nn.LSTM(16, 512),
    lambda: nn.LSTM(16, 32, 2), lambda: nn.LSTM(16, 32, bidirectional=True),
    lambda: nn.LSTM(16, 32, bias=False), lambda: nn.LSTM(16, 32, proj_size=8),
    lambda: nn.LSTM(16, 32, batch_first=True),
    lambda: nn.GRU(16, 32), lambda: nn.GRU(16, hidden_size=64),
    lambda: nn.RNN(16, 32), lambda: nn.RNN(16, 64),
    lambda: nn.RNN(16, 32, nonlinearity="relu"),
    lambda: nn.LSTMCell(16, 32), lambda: nn.LSTMCell(16, 64)]
ATTENTION = [
    lambda: nn.MultiheadAttention(8, 2), lambda: nn.MultiheadAttention(8, 4),
    lambda: nn.MultiheadAttention(8, 2, bias=False),
    lambda: nn.MultiheadAttention(8, 2, add_bias_kv=True),
    lambda: nn.TransformerEncoderLayer(8, 2),
    lambda: nn.TransformerEncoderLayer(16, 2),
    lambda: nn.TransformerEncoderLayer(8, 4),
    lambda: nn.TransformerEncoderLayer(8, 2, 64),
    lambda: nn.TransformerEncoderLayer(8, 2, dropout=0.5),
    lambda: nn.TransformerEncoderLayer(8, 2, activation="gelu"),
    lambda: nn.TransformerEncoderLayer(8, 2, batch_first=True),
    lambda: nn.TransformerEncoderLayer(8, 2, norm_first=True),
    lambda: nn.TransformerEncoderLayer(8, 2, layer_norm_eps=0.1),
    lambda: nn.TransformerDecoderLayer(8, 2),
    lambda: nn.TransformerDecoderLayer(8, 2, 64),
    lambda: nn.TransformerEncoder(nn.TransformerEncoderLayer(8, 2), 1),
    lambda: nn.TransformerEncoder(nn.TransformerEncoderLayer(8, 2), 2),
    lambda: nn.TransformerEncoder(nn.TransformerEncoderLayer(8, 4), 2),
    lambda: nn.TransformerDecoder(nn.TransformerDecoderLayer(8, 2), 1),
    lambda: nn.TransformerDecoder(nn.TransformerDecoderLayer(16, 2), 1),
    lambda: nn.Transformer(8, 2, 1, 1, 16),
    lambda: nn.Transformer(8, 2, 2, 1, 16),
    lambda: nn.Transformer(8, 2, 1, 2, 16),
    lambda: nn.Transformer(8, 2, 1, 1, 32),
    lambda: nn.Transformer(8, 4, 1, 1, 16),
    lambda: nn.PairwiseDistance(1), lambda: nn.PairwiseDistance(3)]


def test_sizes_of_every_layer_are_in_its_label():
    labels = [sepx.torch.describe(make()) for make in RECURRENT + ATTENTION]
    assert len(set(labels)) == len(labels)
    assert labels[:2] == ["LSTM hidden_size=32", "LSTM hidden_size=512"]

    class Own(nn.LSTM):
        def __init__(self, *args, scale=1, **kwargs):
            super().__init__(*args, **kwargs)
            self.scale = scale
    assert sepx.torch.describe(Own(4, 8, scale=2, num_layers=2)) == (
        "Own scale=2 hidden_size=8 num_layers=2")
    graphs = [sepx.torch.trace(nn.Sequential(make())) for make in RECURRENT]
    assert sepx.Ged()(*graphs[:2]) == 1


def test_sizes_of_classes_below_a_layer_are_in_its_label():
    class Wide(nn.LSTM):
        def __init__(self, width):
            super().__init__(4, 2 * width)

    class Same(nn.Conv2d):
        def __init__(self, n_in, n_out, size=5):
            super().__init__(n_in, n_out, size, padding=size // 2)

    class Half(nn.Linear):
        def __init__(self, width):
            super().__init__(4, width // 2)

    class Quiet(nn.ReLU):
        def forward(self, x):
            return super().forward(x) / 2
    assert sepx.torch.describe(Wide(4)) == "Wide hidden_size=8"
    assert sepx.torch.describe(Same(3, 4)) == "Same out=4 k=5 pad=2"
    for one, two in ((Wide(4), Wide(8)), (Same(3, 4), Same(3, 8)),
                     (Same(3, 4), Same(3, 4, 7)), (Half(4), Half(8))):
        graphs = [sepx.torch.trace(nn.Sequential(net)) for net in (one, two)]
        assert len(graphs[0]) == 3
        assert sepx.Ged()(*graphs) == 1
    assert sepx.torch.trace(nn.Sequential(Quiet())).nodes == (
        "input", "ReLU", "truediv args=2", "output")


@pytest.mark.parametrize("make", RECURRENT)
def test_recurrent_layers_are_built_again(make):
    layer = make()
    again = sepx.torch.layer(sepx.torch.describe(layer), (5, 16))
    assert [value.shape for value in again.parameters()] == [
        value.shape for value in layer.parameters()]
    again.load_state_dict(layer.state_dict())
    x = torch.randn(5, 16)
    assert str(again(x)) == str(layer(x))


def test_a_recurrent_network_is_built_again():
    class Last(nn.Module):
        def __init__(self):
            super().__init__()
            self.recurrent, self.head = nn.LSTM(4, 8, 2), nn.Linear(8, 3)

        def forward(self, x):
            answers, (hidden, _) = self.recurrent(x)
            return self.head(answers[-1] + hidden[0])
    model, x = Last().eval(), torch.randn(5, 2, 4)
    graph = sepx.torch.trace(model)
    net = sepx.torch.Module(graph, sepx.torch.layer, example=x).eval()
    same_weights(net, model)
    assert torch.equal(net(x), model(x))
    place = {}
    exec(sepx.torch.code(graph, sepx.torch.layer, example=x), place)
    other = place["Network"]().eval()
    other.load_state_dict(net.state_dict())
    assert torch.equal(other(x), model(x))


def test_functions_have_the_labels_of_their_layers():
    class Functions(nn.Module):
        def forward(self, x):
            f = nn.functional
            x = f.max_pool2d(f.relu(x), 3, stride=2, padding=1)
            x = torch.cat([x, f.avg_pool2d(x, 3, 1, padding=1)], 1)
            count = x.size(0)
            x = f.adaptive_avg_pool2d(2 - x, (1, 1)).view(count, -1)
            return torch.flatten(x, 1)
    graph = sepx.torch.trace(Functions())
    assert graph.nodes == (
        "input", "ReLU", "MaxPool2d k=3 s=2 pad=1", "AvgPool2d k=3 s=1 pad=1",
        "cat", "__rsub__ args=2", "AdaptiveAvgPool2d output_size=1",
        "view args=?,-1", "Flatten", "output")
    with pytest.raises(ValueError, match="node 7, .* computed from sizes"):
        sepx.torch.Module(graph, sepx.torch.layer,
                          example=torch.zeros(1, 3, 8, 8))


class Squeeze(nn.Module):
    """A block in which a value scales another."""

    def __init__(self, width, inner, stride=1):
        super().__init__()
        self.reduce = nn.Sequential(
            nn.Conv2d(width, inner, 1, bias=False), nn.BatchNorm2d(inner),
            nn.Hardswish())
        self.each = nn.Conv2d(inner, inner, 5, stride, 2, groups=inner)
        self.pool = nn.AdaptiveAvgPool2d(1)
        self.scale = nn.Sequential(nn.Conv2d(inner, inner, 1), nn.Sigmoid())
        self.last = nn.Conv2d(inner, width, 1)
        self.add = stride == 1

    def forward(self, x):
        y = self.each(self.reduce(x))
        y = self.last(y * self.scale(self.pool(y)))
        return x + y if self.add else y


class Small(nn.Module):
    def __init__(self, *blocks):
        super().__init__()
        self.stem = nn.Conv2d(3, 8, 3, 2, 1)
        self.body = nn.Sequential(*blocks)
        self.head = nn.Linear(8, 10)

    def forward(self, x):
        x = self.body(nn.functional.relu(self.stem(x)))
        return self.head(x.mean([2, 3]))


def small():
    return Small(Squeeze(8, 16, 2), Squeeze(8, 24), Squeeze(8, 24))


def test_levels_of_a_model_lead_back():
    graph, table = sepx.torch.trace(small()), {}
    units = sepx.torch.trace(small(), "unit")
    blocks = sepx.torch.trace(small(), "block", blocks=table)
    assert blocks.nodes == (
        "input", "Conv2d out=8 k=3 s=2 pad=1 + ReLU",
        "Squeeze out=8 k=5 s=2", "Squeeze out=8 k=5", "Squeeze out=8 k=5",
        "mean args=[2,3]", "Linear out=10", "output")
    assert len(table) == 2
    assert sepx.torch.expand(units).isomorphic(graph)
    assert sepx.torch.expand(blocks, table).isomorphic(graph)
    assert sepx.torch.trace(small(), "block", {}, block=nn.Sequential) != (
        blocks)
    with pytest.raises(ValueError, match="'op', 'unit', 'block'"):
        sepx.torch.trace(small(), "cell")
    with pytest.raises(TypeError, match="expected a torch.nn.Module"):
        sepx.torch.trace(nn.ReLU)
    with pytest.raises(ValueError, match="blocks is a dict"):
        sepx.torch.trace(small(), "block")


def same_weights(net, other):
    """Weights of one network to another, in their order."""
    there = net.state_dict()
    given = list(other.state_dict().values())
    assert [value.shape for value in there.values()] == [
        value.shape for value in given]
    net.load_state_dict(dict(zip(there, given)))


def test_a_model_is_built_from_its_blocks():
    torch.manual_seed(1)
    model, table = small().eval(), {}
    graph = sepx.torch.expand(
        sepx.torch.trace(model, "block", blocks=table), table)
    x = torch.randn(2, 3, 32, 32)
    net = sepx.torch.Module(graph, sepx.torch.layer, example=x[:1])
    assert net.training
    net.eval()
    same_weights(net, model)
    assert torch.equal(net(x), model(x))
    place = {}
    exec(sepx.torch.code(graph, sepx.torch.layer, example=x[:1]), place)
    other = place["Network"]().eval()
    other.load_state_dict(net.state_dict())
    assert torch.equal(other(x), net(x))


def test_children_of_models_are_networks():
    """Widths that do not fit where values meet are made to."""
    table = {}
    wide = Small(Squeeze(8, 32), Squeeze(8, 32, 2), Squeeze(8, 40))
    wide.stem = nn.Conv2d(3, 12, 3, 1, 1)
    wide.body[0] = Squeeze(12, 32)
    wide.body[0].last = nn.Conv2d(32, 12, 1)
    wide.body.insert(1, nn.Conv2d(12, 8, 1))
    parents = [sepx.torch.trace(model, "block", blocks=table)
               for model in (small(), wide)]
    space = sepx.Space.of(parents)
    x = torch.randn(2, 3, 16, 16)
    fitted = 0
    for index in range(20):
        child = sepx.cross(*parents, space, rules={"by": "hunks"}, seed=2,
                           index=index)
        graph = sepx.torch.expand(child, table)
        net = sepx.torch.Module(graph, sepx.torch.layer, example=x[:1])
        net(x).sum().backward()
        assert all(p.grad is not None for p in net.parameters())
        text = sepx.torch.code(graph, sepx.torch.layer, example=x[:1])
        place = {}
        exec(text, place)
        other = place["Network"]()
        other.load_state_dict(net.state_dict())
        assert torch.allclose(other.eval()(x), net.eval()(x))
        fitted += "ModuleList" in text
    assert fitted


class Sized(nn.Module):
    """Sizes, constants of all kinds, what is dead and what does nothing."""

    def __init__(self):
        super().__init__()
        self.scale = nn.Parameter(torch.ones(1))
        self.same, self.conv = nn.Identity(), nn.Conv2d(3, 4, 3, padding=1)

    def forward(self, x, y):
        x = self.same(self.conv(x)).contiguous() * self.scale
        torch.neg(x)
        x = torch.cat([x, x[:, 1:]], dim=1) + y
        return nn.functional.pad(x.view(x.size(0), -1).clamp(
            max=float("inf")), (1, 1), value=0.5)


def saved(model, tmp_path):
    """The graph of a trace that was written and read without PyTorch."""
    sepx.torch.save_fx(model, tmp_path / "fx.json")
    graph, = sepx.read(tmp_path / "fx.json")
    return graph


@pytest.mark.parametrize("name", ["Sized", "small", "efficientnet_b0",
                                  "shufflenet_v2_x1_0", "swin_t", "vit_b_16"])
def test_saved_traces_are_the_same_graphs(name, tmp_path):
    if name in globals():
        model = globals()[name]()
    else:
        models = pytest.importorskip(
            "torchvision.models", reason="python3-torchvision is not "
            "installed")
        model = getattr(models, name)(weights=None)
    graph, read = sepx.torch.trace(model.eval()), saved(model.eval(), tmp_path)
    assert read.nodes == graph.nodes
    assert sorted(read.edges) == sorted(graph.edges)
    assert sepx.levels.units(read).isomorphic(
        sepx.torch.trace(model, "unit"))


def test_what_cannot_be_saved_raises(tmp_path):
    with pytest.raises(TypeError, match="expected a torch.nn.Module"):
        sepx.torch.save_fx(nn.ReLU, tmp_path / "fx.json")
    with pytest.raises(FileNotFoundError):
        sepx.torch.save_fx(nn.ReLU(), tmp_path / "none" / "fx.json")


NETWORKS = ["mobilenet_v2", "efficientnet_b0", "googlenet", "inception_v3",
            "resnet18", "squeezenet1_0"]


@pytest.mark.parametrize("name", NETWORKS)
def test_published_networks_are_taken_apart_and_built_again(name):
    models = pytest.importorskip(
        "torchvision.models", reason="python3-torchvision is not installed")
    more = {"init_weights": False, "aux_logits": False} if name in (
        "googlenet", "inception_v3") else {}
    torch.manual_seed(0)
    model = getattr(models, name)(weights=None, **more).eval()
    table, x = {}, torch.randn(1, 3, 96, 96)
    graph = sepx.torch.trace(model)
    blocks = sepx.torch.trace(model, "block", blocks=table)
    assert len(blocks) <= 25
    again = sepx.torch.expand(blocks, table)
    assert again.isomorphic(graph)
    assert sepx.torch.expand(sepx.torch.trace(model, "unit")).isomorphic(graph)
    net = sepx.torch.Module(graph, sepx.torch.layer, example=x).eval()
    same_weights(net, model)
    assert torch.equal(net(x), model(x))
    built = sepx.torch.Module(again, sepx.torch.layer, example=x)
    assert sum(p.numel() for p in built.parameters()) == sum(
        p.numel() for p in model.parameters())


def test_labels_without_a_layer_raise():
    x = torch.zeros(1, 3, 8, 8)

    def build(label, example=x):
        return sepx.torch.Module(sepx.Graph(
            ["input", label, "output"], [(0, 1), (1, 2)]), sepx.torch.layer,
            example=example)
    with pytest.raises(KeyError, match="no layer for the label 'warp'"):
        build("warp")
    with pytest.raises(ValueError, match="node 1, .* Conv2d has no 'q'"):
        build("Conv2d out=8 k=3 q=2")
    with pytest.raises(ValueError, match="node 1, 'Conv2d out=8 k=9'"):
        build("Conv2d out=8 k=9")
    with pytest.raises(ValueError, match="need an example"):
        build("ReLU", None)


def test_what_is_no_network_raises():
    with pytest.raises(ValueError, match="cycle"):
        sepx.torch.Module(sepx.Graph(2, [(0, 1), (1, 0)]), {})
    with pytest.raises(ValueError, match="directed"):
        sepx.torch.Module(sepx.Graph(2, [(0, 1)], False), {})
    with pytest.raises(KeyError, match="no operation for the label 'x'"):
        sepx.torch.Module(sepx.Graph(["x"]), {"y": nn.ReLU})
    with pytest.raises(ValueError, match="combine"):
        sepx.torch.Module(sepx.Graph(["input"]), {}, combine="mix")
    with pytest.raises(ValueError, match="name of a class"):
        sepx.torch.code(sepx.Graph(["input"]), {}, "a b")


def test_the_example_trains_and_goes_on(tmp_path):
    pytest.importorskip("sklearn", reason="python3-sklearn is not installed")
    path = str(tmp_path / "digits.study")
    for evals in ("2", "3"):
        done = subprocess.run(
            [sys.executable, "-B",
             str(ROOT / "examples" / "python" / "digits.py"), path, evals,
             "1"], capture_output=True, text=True)
        assert done.returncode == 0, done.stderr
    assert "class Network(nn.Module):" in done.stdout
    with sepx.Study(path) as study:
        assert study.verify() == (3, 3)


def test_published_networks_cross_and_train(tmp_path, monkeypatch):
    for name in ("sklearn", "torchvision"):
        pytest.importorskip(name, reason=f"python3-{name} is not installed")
    # A relative path would not lead there from the other folder.
    monkeypatch.setenv("PYTHONPATH", os.path.abspath(
        os.path.dirname(os.path.dirname(sepx.__file__))))
    done = subprocess.run(
        [sys.executable, "-B",
         str(ROOT / "examples" / "python" / "networks.py"), "--evals", "3",
         "--steps", "1", "--share", "0.1", "--picture", "front.svg",
         "--study", "x.study"], capture_output=True, text=True, cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert "25 and 24 nodes, 22 edits apart" in done.stdout
    assert "a child with 11 of these edits" in done.stdout
    assert (tmp_path / "front.svg").read_text().count("<circle") == 3
    place = {}
    exec((tmp_path / "found.py").read_text(), place)
    assert place["Found"]()(torch.zeros(2, 3, 32, 32)).shape == (2, 10)
    with sepx.Study(tmp_path / "x.study") as study:
        assert study.verify() == (3, 3)
