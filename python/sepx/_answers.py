# SPDX-License-Identifier: Apache-2.0
"""The value that a function returns, as the answer of a program: JSON."""
import json
import math

_DEEPEST = 100  # levels of lists and dicts
_NUMBERS = (int, float, type(None))


def make_answer(score, goals):
    """(text, left_out) of a number, a dict with "score" or the objectives, or
    a pair of a number and a dict. A number that is wanted stays as it is, if
    NaN too. Another member that JSON cannot have becomes null, and left_out
    says why, by its name."""
    wanted = goals or ("score",)
    if (isinstance(score, tuple) and len(score) == 2
            and isinstance(score[1], dict) and not goals):
        score = dict(score[1], score=score[0])
    if not isinstance(score, dict):
        if goals:
            raise TypeError(f"the answer is {score!r}; with several objectives"
                            f" it is a dict with "
                            f"{', '.join(map(repr, goals))}")
        return json.dumps(float(_item(score))), {}
    missing = [name for name in wanted if name not in score]
    if missing:
        raise ValueError(f"the answer has no {missing[0]!r}, it has "
                         f"{', '.join(map(repr, score)) or 'nothing'}")
    answer, left_out = {}, {}
    for key, value in score.items():
        key, why = _text(key), []
        if key in wanted:
            answer[key] = _number(value)
            continue
        if not _is_text(key):
            left_out[ascii(key)] = "NUL or surrogate"
            continue
        answer[key] = _plain(value, why)
        if key in ("test", "cost") and type(answer[key]) not in _NUMBERS:
            answer[key] = _leave(type(value).__name__, why)
        if why:
            left_out[key] = why[0]
    return json.dumps(answer), left_out


def left_out_text(left_out):
    """As the library names them in the log; None if nothing is left out."""
    if not left_out:
        return None
    return "left out: " + ", ".join(f"{key} ({why})"
                                    for key, why in left_out.items())


def _item(value):
    """numpy and torch have numbers of their own. What numpy masks is NaN: its
    item() would be 0."""
    if getattr(getattr(value, "mask", None), "all", bool)():
        return math.nan
    return value.item() if hasattr(value, "item") else value


def _is_small(value):
    """An integer that the library can read."""
    return isinstance(value, int) and -2 ** 63 <= value < 2 ** 63


def _number(value):
    """A number that is wanted; the library refuses what is none."""
    value = _item(value)
    if value is None or isinstance(value, str) or _is_small(value):
        return value
    return float(value)


def _leave(reason, why):
    why.append(reason)


def _plain(value, why, depth=0):
    """The value in the types of JSON. Parts that do not fit become None, and
    `why` gets a reason for each."""
    if value is None or isinstance(value, bool):
        return value
    if depth > _DEEPEST:
        return _leave("nested too deep", why)
    if isinstance(value, str):
        return _text(value) if _is_text(value) else _leave("NUL or surrogate", why)
    if _is_small(value):
        return int(value)
    if isinstance(value, dict):
        texts = [(_text(key), one) for key, one in value.items()]
        if not all(_is_text(key) for key, _ in texts):
            return _leave("NUL or surrogate", why)
        return {key: _plain(one, why, depth + 1) for key, one in texts}
    if isinstance(value, (list, tuple)):
        return [_plain(one, why, depth + 1) for one in value]
    try:
        if hasattr(value, "tolist") and not isinstance(value, float):
            made = value.tolist()
            if type(made) is not type(value):
                return _plain(made, why, depth + 1)
        made = value.__float__()
    except Exception:  # torch raises many for tensors without plain storage
        return _leave(type(value).__name__, why)
    return made if math.isfinite(made) else _leave(json.dumps(made), why)


def _text(value):
    """A member of a text enumeration is its value, as in json.dumps()."""
    return str.__str__(value) if isinstance(value, str) else str(value)


def _is_text(text):
    """Whether the log can hold it: no NUL and no half of a character."""
    try:
        return b"\0" not in text.encode()
    except UnicodeEncodeError:
        return False
