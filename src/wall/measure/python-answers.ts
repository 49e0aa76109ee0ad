/** Texts of values by their structure, the same in every run, and values of the same type that are others. */
export const PYTHON_ANSWERS = String.raw`
def cut(line):
    return line if len(line) <= 80 else line[:71] + "~" + hashlib.sha256(line.encode("utf8", "replace")).hexdigest()[:8]

PLACES = [
    (re.compile(re.escape(place) + r"(?:/pytest-of-[^/]+/pytest-\d+/[^/\"'\s]+|/[^/\"'\s]+)?"), "<tmp>")
    for place in sorted({tempfile.gettempdir(), os.path.realpath(tempfile.gettempdir())}, key=len, reverse=True)
]

def plain(line):
    line = re.sub(r"\b0x[0-9a-f]{6,}", "0x", line.replace(ROOT, ".").replace(TOKEN, ""))
    for place, word in PLACES:
        line = place.sub(word, line)
    return line

READABLE = {"datetime", "decimal", "fractions", "uuid", "pathlib", "re", "ipaddress", "zoneinfo"}

def text(value, level=8, left=None):
    """The value by its structure, up to 400 parts. Nothing of the product is asked."""
    kind = type(value)
    left = left or [400]
    left[0] -= 1
    if value is None or kind in (bool, int, float, complex, range, slice, bytes, bytearray):
        return repr(value) if kind is not int or abs(value) < 10**300 else hex(value)
    if kind is str:
        return plain(json.dumps(value if len(value) < 2000 else value[:1000] + value[-1000:] + str(len(value)), ensure_ascii=False))
    if level == 0 or left[0] < 0:
        return kind.__name__
    if is_own(kind) and bare(value) is not None:
        return kind.__name__ + "(" + text(bare(value)) + ")"
    each = lambda part: text(part, level - 1, left)
    if isinstance(value, enum.Enum):
        return kind.__name__ + "." + str(value._name_)
    if isinstance(value, (list, tuple, set, frozenset, collections.deque)):
        parts = [each(part) for part in itertools.islice(tuple.__iter__(value) if isinstance(value, tuple) else iter(value) if kind.__module__ in ("builtins", "collections") else (), 100)]
        parts = sorted(parts) if isinstance(value, (set, frozenset)) else parts
        more = [] if len(parts) < 100 else [str(len(value))]
        opened, closed = ("[", "]") if kind is list else ("(", ")") if kind is tuple else (kind.__name__ + "(", ")")
        return opened + ", ".join(parts + more) + closed
    if isinstance(value, dict):
        parts = [each(key) + ": " + each(dict.__getitem__(value, key)) for key in itertools.islice(dict.__iter__(value), 100)]
        return ("" if kind is dict else kind.__name__) + "{" + ", ".join(parts) + "}"
    if isinstance(value, BaseException):
        return kind.__name__ + each(value.args)
    if kind.__module__.partition(".")[0] in READABLE:
        return plain(repr(value))
    if isinstance(value, (type, types.ModuleType)) or callable(value) and not is_own(kind):
        return str(getattr(value, "__qualname__", getattr(value, "__name__", kind.__name__))).rpartition(".<locals>.")[2]
    fields = own_fields(value) if is_own(kind) else {}
    return kind.__name__ + (each(fields) if fields else "")

def bare(value):
    """What a class of the product adds to a number or text of the language; None for other values."""
    base = next((each for each in (int, float, str, bytes) if isinstance(value, each)), None)
    return base and base.__add__(value, base())

def own_fields(value):
    found = {}
    with contextlib.suppress(AttributeError):
        found.update(object.__getattribute__(value, "__dict__"))
    for name in (name for kind in type(value).__mro__ if is_own(kind) for name, part in vars(kind).items() if type(part) is types.MemberDescriptorType):
        with contextlib.suppress(AttributeError):
            found[name] = object.__getattribute__(value, name)
    return {name: part for name, part in found.items() if not name.startswith("__")}

def another(letters, at):
    return letters[:at] + ("x" if letters[at] != "x" else "y") + letters[at + 1:]

def other_texts(value):
    yield value + "x"
    if re.search(r"[/\\~]", value):
        return
    yield "x" + value
    if value:
        yield another(value, len(value) // 2)
    letter = re.search(r"[^\W\d_]", value)
    if letter:
        yield value[:letter.start()] + value[letter.start()].swapcase() + value[letter.end():]
    yield value[:-1]
    yield value + " "

def simple(value):
    """Others of a value that has no parts."""
    kind = type(value)
    if value is None:
        return ["x", False]
    if kind is bool:
        return [not value]
    if kind in (int, float, complex, decimal.Decimal, fractions.Fraction):
        if value - value != 0:
            return [kind(0)]
        whole = kind is complex or value == int(value)
        return ([] if whole else [value + kind("0.001") if kind is not float else value + 0.001]) + [value + 1, value - 1]
    if kind is str:
        return other_texts(value)
    if kind in (bytes, bytearray):
        return [value + b"x", b"x" + value]
    if isinstance(value, (datetime.date, datetime.timedelta)):
        return [value + datetime.timedelta(days=1)]
    if kind is datetime.time:
        return [value.replace(hour=(value.hour + 1) % 24), value.replace(second=(value.second + 1) % 60)]
    if kind is uuid.UUID:
        return [uuid.UUID(int=value.int ^ 1)]
    if kind is range:
        return [range(value.start, value.stop + value.step, value.step)]
    if kind is re.Pattern:
        return [re.compile(value.pattern + (b"(?!)" if type(value.pattern) is bytes else "(?!)"), value.flags & ~re.DEBUG)]
    if isinstance(value, pathlib.PurePath):
        return [value / "x"]
    if isinstance(value, enum.Enum):
        members = list(kind)
        return [members[(members.index(value) + 1) % len(members)]] if value in members else []
    return []

def first(value, level):
    found = next(altered(value, level - 1), None) if level else None
    if found is None or type(found[1]) is not Field:
        return found
    other = copy.copy(value)
    object.__setattr__(other, *found[1][1:])
    return found[0], other

def altered(value, level=3):
    """Words and values, each another of the same type; None where nothing is known of the type."""
    kind = type(value)
    told = {text(value)}
    if is_own(kind) and not isinstance(value, enum.Enum) and bare(value) is not None:
        for words, other in altered(bare(value)):
            made = type(bare(value)).__new__(kind, other)
            with contextlib.suppress(AttributeError):
                made.__dict__.update(value.__dict__)
            yield words, made
        return
    # What is empty is altered into what is empty, too: nothing else tells one from the other.
    empty = [None] if not value and kind in (int, str, bytes, list, tuple, dict, set, frozenset) else []
    for other in itertools.chain(simple(value), empty):
        if text(other) not in told:
            told.add(text(other))
            yield "gives " + cut(text(other)), other
    if kind in (list, tuple, collections.deque):
        parts = list(value)
        if parts:
            yield "gives one element less", kind(parts[:-1])
        yield "gives one element more", kind(parts + (parts[-1:] or [None]))
        if text(parts) != text(parts[::-1]):
            yield "gives its elements reversed", kind(parts[::-1])
    if kind in (set, frozenset):
        if value:
            yield "gives one element less", kind(sorted(value, key=text)[1:])
        yield "gives one element more", kind([*value, "x"])
    if kind in (list, tuple, collections.deque) or isinstance(value, tuple) and hasattr(kind, "_make"):
        make = getattr(kind, "_make", kind)
        for at, part in enumerate(itertools.islice(tuple(value), 4)):
            found = first(part, level)
            if found:
                yield "gives another " + str(at), make([*itertools.islice(value, at), found[1], *itertools.islice(value, at + 1, None)])
    if isinstance(value, dict) and not is_own(kind):
        for name in itertools.islice(list(value), 8):
            found = first(value[name], level)
            if found:
                other = copy.copy(value)
                other[name] = found[1]
                yield cut("gives another " + (plain(name) if type(name) is str else text(name))), other
        if kind in (dict, collections.OrderedDict):
            yield "gives one key more", kind([*value.items(), ("x", None)])
    if is_own(kind) and not isinstance(value, (BaseException, enum.Enum, type)):
        yield from with_fields(value, level)

def with_fields(value, level):
    """An object of the product with another public field; the object is changed in its place once it is asked for."""
    fields = [(name, part) for name, part in own_fields(value).items() if not name.startswith("_")]
    for name, part in fields[:8]:
        found = first(part, level)
        if found:
            yield "gives another " + name, Field(value, name, found[1])

Field = collections.namedtuple("Field", "owner name value")

class AnotherError(Exception):
    pass

def throw(error):
    raise error

def with_message(error, message):
    other = copy.copy(error)
    other.args = (message,)
    if str(other) == str(error):
        other = copy.copy(error)
        other.__class__ = type(type(error).__name__, (type(error),), {"__str__": lambda self: message, "__module__": type(error).__module__})
    return other

def altered_error(error):
    yield "does not throw", None
    with contextlib.suppress(Exception):
        yield "throws a longer message", with_message(error, str(error) + "x")
    with contextlib.suppress(Exception):
        yield "throws another message", with_message(error, "x")
    yield "throws another class", AnotherError(str(error))
    parent = type(error).__bases__[0]
    with contextlib.suppress(Exception):
        if parent not in (Exception, BaseException):
            yield "throws a " + parent.__name__, parent(str(error))
`;
