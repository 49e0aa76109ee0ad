/** Repetition of green cases under pytest and unittest, once all results are settled, and the notices of it. */
export const PYTHON_CASES = String.raw`
MOST_TRIALS, MOST_OF_ALL, SECONDS = 60, 5000, 1.5

def note(line):
    with open(os.path.join(ROOT, TOKEN), "a", encoding="utf8", errors="replace") as report:
        report.write(line + "\n")

def title(words):
    return re.sub(r"[#\n\r\\]", " ", words)

def relative(path):
    return os.path.relpath(os.path.realpath(path), ROOT).replace(os.sep, "/")

@functools.lru_cache(64)
def statements(path):
    """Lines of a file's statements, the first and the last of each."""
    try:
        return [(each.lineno, each.end_lineno) for each in ast.walk(ast.parse("".join(linecache.getlines(path)))) if isinstance(each, ast.stmt)]
    except (SyntaxError, ValueError):
        return []

def thrown_at(error, place):
    """File and line of the statement on the tests' side that was running."""
    found, trace = place, error.__traceback__
    while trace is not None:
        path = trace.tb_frame.f_code.co_filename
        if path == place[0] or is_inside(path) and is_test(os.path.realpath(path)):
            found = path, trace.tb_lineno
        trace = trace.tb_next
    path, line = found
    starts = [start for start, end in statements(path) if start <= line <= end]
    return relative(path) + ":" + str(max(starts, default=line))

def place_of(function):
    code = inspect.unwrap(getattr(function, "__func__", function)).__code__
    lines = range(code.co_firstlineno, code.co_firstlineno + 200)
    is_head = lambda line: re.match(r"\s*(?:async\s+)?def\s", linecache.getline(code.co_filename, line))
    return code.co_filename, next(filter(is_head, lines), code.co_firstlineno)

def adopt_all():
    for module in list(sys.modules.values()):
        if type(module) is not Proxy and isinstance(module, types.ModuleType) and is_product(module):
            for value in list(vars(module).values()):
                if isinstance(value, type):
                    adopt(value)

@contextlib.contextmanager
def limited(seconds):
    """Ends what does not end, where the alarm is free."""
    def ring(*_):
        if State.run:
            State.run.stopped = True
        raise Stopped()
    can = hasattr(signal, "SIGALRM") and threading.current_thread() is threading.main_thread() and signal.getsignal(signal.SIGALRM) is signal.SIG_DFL
    if can:
        signal.signal(signal.SIGALRM, ring)
        signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        if can:
            signal.setitimer(signal.ITIMER_REAL, 0)
            signal.signal(signal.SIGALRM, signal.SIG_DFL)

def attempt(repeat, run, seconds):
    """Repeats a case; gives what it threw."""
    cwd, environ, argv, path = os.getcwd(), dict(os.environ), sys.argv[:], sys.path[:]
    State.run = run
    DEPTH.set(0)
    try:
        with limited(seconds), warnings.catch_warnings(record=True), contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
            return repeat()
    except BaseException as error:
        return error
    finally:
        State.run = None
        os.chdir(cwd)
        if dict(os.environ) != environ:
            os.environ.clear()
            os.environ.update(environ)
        sys.argv[:], sys.path[:] = argv, path

def controlled(repeat):
    """Two repetitions with the same calls; the first of three may have prepared what cases share."""
    before = None
    for _ in range(3):
        run = Run()
        start = time.monotonic()
        if attempt(repeat, run, 10) is not None or run.stopped:
            return None
        if before is not None and before.told() == run.told() or not run.calls:
            return run, time.monotonic() - start
        before = run
    return None

def trials_of(control):
    """Each line's first call first, and of each call its first alteration."""
    calls, at_line = {}, collections.Counter()
    for call in control.calls:
        if (call.words, call.answer) not in calls:
            calls[call.words, call.answer] = (at_line[call.line], call.changes)
            at_line[call.line] += 1
    found = [(rank + at, (*key, words)) for key, (rank, changes) in calls.items() for at, words in enumerate(changes)]
    return [trial for _, trial in sorted(found, key=lambda each: each[0])]

def measure(place, name, repeat):
    own = "ok - " + relative(place[0]) + ":" + str(place[1]) + " > "
    skip = lambda why: note(own + title(name) + " # SKIP " + why)
    found = controlled(repeat) if State.trials < MOST_OF_ALL else None
    if found is None:
        return skip("not measured to its end" if State.trials >= MOST_OF_ALL else "it cannot be repeated")
    control, seconds = found
    end, is_whole = time.monotonic() + SECONDS, True
    for at, trial in enumerate(trials_of(control)):
        if at >= MOST_TRIALS or State.trials >= MOST_OF_ALL or time.monotonic() > end:
            return skip("not measured to its end")
        State.trials += 1
        run = Run(trial, 10 * len(control.calls) + 1000)
        error = attempt(repeat, run, 2 + 5 * seconds)
        if run.stopped or not run.applied:
            is_whole = False
        elif error is None or type(error).__name__ in ("Skipped", "XFailed", "SkipTest"):
            note("ok - " + relative(place[0]) + " > " + title(trial[0] + " " + trial[2]))
        else:
            note("not ok - " + thrown_at(error, place) + " > " + title(trial[0] + " " + trial[2]))
    note(own + "measured") if is_whole else skip("not measured to its end")

@contextlib.contextmanager
def repeating():
    """Nothing of repetitions reaches the runner: no error, no end of the process, no thread that it waits for."""
    State.repeats = True
    hooks, start, leave, own = (sys.unraisablehook, threading.excepthook), threading.Thread.start, os._exit, os.getpid()
    def start_apart(thread):
        thread._daemonic = True
        return start(thread)
    sys.unraisablehook = threading.excepthook = lambda *_: None
    threading.Thread.start = start_apart
    os._exit = lambda code: throw(Stopped()) if os.getpid() == own else leave(code)
    try:
        with contextlib.suppress(BaseException):
            adopt_all()
            taken()
            yield
    finally:
        gc.collect()
        sys.unraisablehook, threading.excepthook = hooks
        threading.Thread.start, os._exit, State.repeats = start, leave, False

class ForPytest:
    """Plugin that keeps the green items, and repeats them behind the loop."""
    def __init__(self):
        self.passed, self.failed = set(), set()

    def pytest_runtest_logreport(self, report):
        if report.outcome != "passed" or hasattr(report, "wasxfail"):
            self.failed.add(report.nodeid)
        elif report.when == "call":
            self.passed.add(report.nodeid)

    def pytest_runtestloop(self, session):
        ended = yield
        if ended.excinfo and issubclass(ended.excinfo[0], KeyboardInterrupt):
            return
        items = [item for item in session.items if item.nodeid in self.passed - self.failed and hasattr(item, "_initrequest")]
        with repeating():
            for item, after in zip(items, items[1:] + [None]):
                with contextlib.suppress(BaseException):
                    self.measure(item)
                with contextlib.suppress(BaseException):
                    session._setupstate.teardown_exact(after)

    def measure(self, item):
        place = place_of(item.obj)
        if hasattr(item.obj, "hypothesis") or {"snapshot", "benchmark"} & set(item.fixturenames):
            return note("ok - " + relative(place[0]) + ":" + str(place[1]) + " > " + title(item.name) + " # SKIP it cannot be repeated")
        measure(place, ".".join(item.nodeid.split("::")[1:]), lambda: self.repeat(item))

    def repeat(self, item):
        thrown = []
        def phase(name, **more):
            try:
                getattr(item.ihook, "pytest_runtest_" + name)(item=item, **more)
                return True
            except Stopped:
                raise
            except BaseException as error:
                thrown.append(error)
        spec = getattr(item, "callspec", None)
        if spec is not None:
            for name, value in spec.params.items():
                spec.params[name] = held(name, value)
        if item.cls is not None:
            item.__dict__.pop("_obj", None)
            item.__dict__.pop("_instance", None)
        item.addSubTest = lambda case, test, info: info and thrown.append(info[1] if isinstance(info, tuple) else info.value)
        with contextlib.suppress(Exception):
            from _pytest.tmpdir import tmppath_result_key
            item.stash[tmppath_result_key] = {}
        try:
            item._initrequest()
            if phase("setup"):
                if "subtests" in (item.funcargs or {}):
                    item.funcargs["subtests"].test = lambda *_, **__: contextlib.nullcontext()
                phase("call")
        finally:
            phase("teardown", nextitem=item.parent)
            item.funcargs = None
            thrown += [info.value for info in item.__dict__.pop("_excinfo", None) or []]
        return next(iter(thrown), None)

class Quiet(unittest.TestResult):
    def __init__(self):
        super().__init__()
        self.thrown = []

    def addError(self, test, err):
        self.thrown.append(err[1])

    addFailure = addExpectedFailure = addError

    def addSubTest(self, test, subtest, err):
        if err is not None:
            self.thrown.append(err[1])

    def addSkip(self, test, reason):
        self.thrown.append(unittest.SkipTest(reason))

GREEN = []

def told_by(result):
    names = "errors", "failures", "skipped", "expectedFailures", "unexpectedSuccesses"
    return sum(len(getattr(result, name, ())) for name in names) if isinstance(result, unittest.TestResult) else None

def run_case(self, result=None):
    before = told_by(result)
    given = REAL_CASE(self, result)
    if not State.repeats and before is not None and before == told_by(result):
        GREEN.append((type(self), self._testMethodName))
    return given

def run_suite(self, result, debug=False):
    is_outer = not getattr(result, "_testRunEntered", False)
    given = REAL_SUITE(self, result, debug)
    if is_outer and not State.repeats and GREEN:
        with repeating():
            for kind, name in GREEN:
                with contextlib.suppress(BaseException):
                    measure(place_of(getattr(kind, name)), kind.__qualname__ + "." + name, lambda: repeat_case(kind, name))
        GREEN.clear()
    return given

def repeat_case(kind, name):
    quiet = Quiet()
    unittest.TestSuite([kind(name)]).run(quiet)
    return next(iter(quiet.thrown), None)

REAL_CASE, REAL_SUITE = unittest.TestCase.run, unittest.TestSuite.run
unittest.TestCase.run, unittest.TestSuite.run = run_case, run_suite

def configs():
    """The configuration of the pytest that is loading the tests."""
    frame = sys._getframe()
    while frame is not None:
        for value in list(frame.f_locals.values()):
            for each in (value, getattr(value, "config", None)) if type(value).__module__.startswith("_pytest") else ():
                if type(each).__module__ == "_pytest.config" and type(each).__name__ == "Config":
                    yield each
        frame = frame.f_back

def install():
    if "_pytest" not in sys.modules or State.plugin:
        return
    for config in configs():
        import pytest
        ForPytest.pytest_runtestloop = pytest.hookimpl(hookwrapper=True)(ForPytest.pytest_runtestloop)
        State.plugin = ForPytest()
        config.pluginmanager.register(State.plugin)
        return
`;
