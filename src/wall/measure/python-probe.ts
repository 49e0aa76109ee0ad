import { PYTHON_ANSWERS } from "./python-answers.ts";
import { PYTHON_CASES } from "./python-cases.ts";
import { PYTHON_HOLDING } from "./python-holding.ts";

/** The name of the planted module by the token; it stands at the root of the checkout, beside the file of the notices. */
export const pythonProbeName = (token: string): string => `spar_measure_${token}`;

/**
 * Module of Python 3.8 and later through which files of the tests get hold of the product. While the suite runs it passes all
 * calls on. Once all results are settled it repeats each green case: controls, which record the calls, then trials, of which
 * each gives another answer to one call.
 */
export const PYTHON_PROBE = String.raw`
import ast, collections, contextlib, contextvars, copy, dataclasses, datetime, decimal, enum, fractions, functools, gc
import hashlib, importlib, inspect, io, itertools, json, linecache, os, pathlib, re, signal, sys, tempfile, threading, time, types
import unittest, uuid, warnings

ROOT = os.path.dirname(os.path.realpath(__file__))
TOKEN = __name__.rpartition("spar_measure_")[2]
if sys.path[-1:] == [ROOT]:
    sys.path.pop()
SIDE = set()

def is_test(path):
    return path in SIDE or bool(re.search(r"(?:^|/)(?:tests?/|test_[^/]*$|[^/]*_test\.py$|conftest\.py$)", os.path.relpath(path, ROOT)))

@functools.lru_cache(None)
def is_inside(path):
    own = os.path.relpath(os.path.realpath(path), ROOT)
    return not own.startswith("..") and not re.search(r"(?:^|/)(?:site|dist)-packages/|^spar_measure_", own)

def is_product(module):
    path = getattr(module, "__file__", None) or next(iter(getattr(module, "__path__", ())), None)
    return isinstance(path, str) and is_inside(path) and not is_test(os.path.realpath(path))

def is_own(value):
    """Tells whether a class or function is of the product."""
    return is_product(sys.modules.get(getattr(value, "__module__", None) or ""))
${PYTHON_ANSWERS}
DEPTH = contextvars.ContextVar("depth", default=0)

class State:
    run = None
    repeats = False
    end, share, left = 0, 0, float(os.environ.get("SPAR_MEASURE_UNTIL") or "inf") - time.time()
    plugin = None

def set_depth(depth):
    """Sets it while no garbage is collected: a finalizer that sets it too would end the process (CPython frees what it still reads)."""
    collects = gc.isenabled()
    gc.disable()
    DEPTH.set(depth)
    if collects:
        gc.enable()

@contextlib.contextmanager
def inside():
    before = DEPTH.get()
    set_depth(1)
    try:
        yield
    finally:
        set_depth(before)

class Stopped(BaseException):
    pass

class Run:
    """One repetition: its calls in order, and what it alters."""
    def __init__(self, trial=None, most=20000):
        self.calls, self.trial, self.left, self.kept = [], trial, most, []
        self.applied = self.stopped = False
        self.thread = threading.get_ident()

    def count(self):
        self.left -= 1
        if self.left < 0:
            self.stopped = True
            raise Stopped()

    def told(self):
        return [(call.words, call.answer, call.changes, call.seen) for call in self.calls]

    def alters(self, call):
        return self.trial is not None and self.trial[:2] == (call.words, call.answer) and call.line not in self.trial[3]

    def put(self, other):
        """What stands instead of an answer."""
        if type(other) is not Field:
            self.applied = True
            return other
        owner, name, value = other
        kept = owner, name, object.__getattribute__(owner, name)
        object.__setattr__(owner, name, value)
        self.kept.append(kept)
        self.applied = True
        return owner

    def restore(self):
        while self.kept:
            object.__setattr__(*self.kept.pop())

def line_of_tests():
    frame = sys._getframe(2)
    while frame is not None and frame.f_code.co_filename not in SIDE:
        frame = frame.f_back
    return frame and (frame.f_code.co_filename, frame.f_lineno)

class Call:
    def __init__(self, words, answer, changes=()):
        self.words, self.answer, self.changes, self.seen = words, answer, list(changes), []
        self.line = line_of_tests()

def direct():
    run = State.run
    return run if run is not None and not DEPTH.get() and threading.get_ident() == run.thread else None

def unwrapped(value):
    return object.__getattribute__(value, "_spar") if type(value) in (Wrapped, Proxy) else value

def labelled(name, args, kwargs):
    parts = [text(part) for part in args] + [key + "=" + text(part) for key, part in kwargs.items()]
    return cut(name + "(" + ", ".join(parts) + ")")

def called(name, raw, args, kwargs, own=0, quiet=False):
    """Calls what is wrapped; the first arguments are the object's own."""
    run = direct()
    if run is None:
        return raw(*args, **kwargs)
    answer = error = None
    with inside():
        words = name if own < 0 else labelled(name, args[own:], kwargs)
        run.count()
        try:
            answer = raw(*args, **kwargs)
        except (Exception, SystemExit) as thrown:
            error = thrown
    return settled(run, words, answer, error, args[0] if quiet else None, args[0] if own > 0 else None)

def settled(run, words, answer, error, made=None, own=None):
    if inspect.iscoroutine(answer):
        return awaited(run, words, answer)
    with inside():
        if error is not None:
            kept = isinstance(error, (StopIteration, StopAsyncIteration, GeneratorExit)) or type(error).__module__.startswith("_pytest")
            call = Call(words, "throws " + text(error))
            changes = () if kept else altered_error(error)
        elif is_lazy(answer):
            call = Call(words, "gives " + type(answer).__name__)
            run.calls.append(call)
            return lazy(answer, run, call)
        else:
            adopt(type(answer))
            call = Call(words, "gives " + cut(text(answer)))
            changes = with_fields(made, 3) if made is not None else altered(answer) if answer is None or answer is not own else ()
        changed = settle(run, call, changes)
    if changed is not None and made is None or error is not None and changed is not None:
        answer, error = (None, changed[0]) if error is not None else (changed[0], None)
    if error is not None:
        raise error
    if (inspect.isroutine(answer) or type(answer) in FUNCTIONS) and is_made(answer):
        return Wrapped(words, answer)
    return answer

def is_made(function):
    """Tells whether a function is not one of the tests that the product gives back."""
    code = getattr(function, "__code__", None)
    return type(function) is not Wrapped and (code is None or is_inside(code.co_filename) and not is_test(os.path.realpath(code.co_filename)))

def settle(run, call, changes):
    """Records a call, and gives what is to stand instead of its answer, as a tuple; None where nothing is altered."""
    run.calls.append(call)
    if run.trial is None:
        try:
            call.changes = [words for words, _ in changes]
        except Exception:
            pass
    elif run.alters(call):
        for words, other in changes:
            if words == run.trial[2]:
                with contextlib.suppress(AttributeError):
                    return (run.put(other),)
    return None

async def awaited(run, words, coroutine):
    answer = error = None
    with inside():
        try:
            answer = await coroutine
        except (Exception, SystemExit) as thrown:
            error = thrown
    return settled(run, words, answer, error)

def is_lazy(value):
    if isinstance(value, contextlib._GeneratorContextManager):
        return True
    return hasattr(type(value), "__next__") and type(value).__module__ in ("builtins", "itertools")

def lazy(answer, run, call):
    if not isinstance(answer, contextlib._GeneratorContextManager):
        return Each(answer, run, call, False)
    answer.gen = Each(answer.gen, run, call, True)
    return answer

class Each:
    """An iterator whose elements are answers of one call. Its body runs within the product."""
    def __init__(self, raw, run, call, single):
        trial = run.trial[2] if run.alters(call) else None
        self._spar = raw, run, call, single, trial
        self._spar_at, self._spar_last = 0, None
        self._spar_ahead = []

    def __iter__(self):
        return self

    def __next__(self):
        raw, run, call, single, trial = self._spar
        with inside():
            if trial == "gives one element less":
                if not self._spar_ahead:
                    self._spar_ahead.append(next(raw))
                    run.applied = True
                self._spar_ahead.append(next(raw))
                return self._spar_ahead.pop(0)
            try:
                element = next(raw)
            except StopIteration:
                if not single and run.trial is None and "gives one element more" not in call.changes:
                    call.changes += ["gives one element less"][:self._spar_at] + ["gives one element more"]
                if trial == "gives one element more" and not run.applied:
                    run.applied = True
                    return self._spar_last
                raise
            at, self._spar_at, self._spar_last = self._spar_at, self._spar_at + 1, element
            if at < 4:
                words, found = "gives another " + str(at), first(element, 3)
                if found and run.trial is None:
                    call.changes.append(words)
                    call.seen.append(cut(text(element)))
                if found and words == trial:
                    run.applied = True
                    return found[1]
            return element

    def throw(self, *args):
        with inside():
            return self._spar[0].throw(*args)

    def __getattribute__(self, name):
        if name.startswith("_spar") or name == "throw":
            return object.__getattribute__(self, name)
        return getattr(object.__getattribute__(self, "_spar")[0], name)

    def __reduce_ex__(self, level):
        return copy.copy(self._spar[0]).__reduce_ex__(level)

    def __copy__(self):
        return copy.copy(self._spar[0])

${PYTHON_HOLDING}DUNDERS = set("""call getattr getitem len contains str repr bool iter next eq ne lt le gt ge add radd sub rsub mul rmul truediv floordiv mod pow neg
and or xor invert int float format bytes reversed init""".split())
ADOPTED, CONTAINERS = set(), (dict, list, set, frozenset, collections.deque, collections.OrderedDict, collections.defaultdict)

def is_answering(name):
    return name[2:-2] in DUNDERS if name.startswith("__") and name.endswith("__") else not (name.startswith("_") and name.endswith("_"))

def has_code(raw):
    code = getattr(inspect.unwrap(raw), "__code__", None)
    return isinstance(raw, types.FunctionType) and code is not None and is_inside(code.co_filename)

def adopt(kind):
    """Wraps what a class of the product and those above it answer with, in their places."""
    for each in kind.__mro__:
        if each in ADOPTED or not is_own(each):
            continue
        ADOPTED.add(each)
        for name, value in list(vars(each).items()):
            if isinstance(value, type):
                adopt(value)
            elif is_answering(name):
                adopt_member(each, name, value)
        for base in (base for base in each.__mro__ if base in CONTAINERS or base.__module__ == "collections.abc"):
            for name, value in vars(base).items():
                if is_answering(name) and (type(value) is types.FunctionType or inspect.ismethoddescriptor(value)) and getattr(each, name) is value and name not in ("__init__", "__iter__"):
                    put_member(each, name, answering(each.__name__ + "." + name, value, 1))

def adopt_member(kind, name, value):
    words = kind.__name__ if name == "__init__" else kind.__name__ + "." + name
    if isinstance(value, property) and value.fget and has_code(value.fget):
        other = type(value).__new__(type(value))
        property.__init__(other, answering(words, value.fget, -1), value.fset, value.fdel, value.__doc__)
        other.__dict__.update(value.__dict__) if type(value) is not property else None
    elif isinstance(value, functools.cached_property) and has_code(value.func):
        other = copy.copy(value)
        other.func = answering(words, value.func, -1)
    elif type(value) in (staticmethod, classmethod) and has_code(value.__func__):
        other = type(value)(answering(words, value.__func__, int(type(value) is classmethod)))
    elif has_code(value):
        other = answering(words, value, 1)
    else:
        return
    put_member(kind, name, other)

def put_member(kind, name, other):
    with contextlib.suppress(Exception):
        type.__setattr__(kind, name, other)

def answering(words, raw, own):
    quiet = raw.__name__ == "__init__"
    if inspect.iscoroutinefunction(raw):
        @functools.wraps(raw)
        async def other(*args, **kwargs):
            return await called(words, raw, args, kwargs, own)
    else:
        @functools.wraps(raw)
        def other(*args, **kwargs):
            return called(words, raw, args, kwargs, own, quiet)
    return other
${PYTHON_CASES}`;
