/** Repetition of green cases under pytest and unittest, once all results are settled, and the notices of it. */
export const PYTHON_CASES = String.raw`
MOST_TRIALS, SECONDS = 60, 1.5

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
    return statement_at(*found)

def statement_at(path, line):
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
    can = hasattr(signal, "SIGALRM") and threading.current_thread() is threading.main_thread() and signal.getsignal(signal.SIGALRM) is signal.SIG_DFL
    if can:
        signal.signal(signal.SIGALRM, ended)
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
    set_depth(0)
    try:
        with limited(seconds), warnings.catch_warnings(record=True), contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
            return repeat()
    except BaseException as error:
        return error
    finally:
        if os.getpid() != OWN:
            os._exit(1)
        State.run = None
        run.restore()
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
    """Each line's first call first, and of each call its first alteration; the rank of each with it."""
    lines, at_line, found = {}, collections.Counter(), []
    for call in control.calls:
        key = call.words, call.answer
        before = frozenset(lines.setdefault(key, []))
        if call.line in before:
            continue
        rank = at_line[call.line]
        lines[key].append(call.line)
        at_line[call.line] += 1
        # From its second line on, the call is altered there and behind, since the lines before it may notice.
        found += [(rank + at, (*key, words, before)) for at, words in enumerate(call.changes[:1] if before else call.changes)]
    return sorted(found, key=lambda each: each[0])

def named(trial, times):
    """Objects with the same method may answer otherwise, so the answer belongs to the name. Further lines of a call are counted with its first."""
    words, answer, change, before = trial
    count = 0 if before else times[words, answer]
    return str(count) + " times " + words + " " + change + " instead of " + cut(answer.partition(" ")[2])

def measure(place, name, repeat, can=True):
    """Measures a case; in two parts where it takes more than its share, behind its first trial for each line."""
    own = "ok - " + relative(place[0]) + ":" + str(place[1]) + " > "
    skip = lambda why="not measured to its end": note(own + title(name) + " # SKIP " + why)
    late = lambda: note(own + "measured # SKIP there was no time")
    if time.monotonic() > State.end:
        return late()
    found = controlled(repeat) if can else None
    if found is None:
        return skip("it cannot be repeated")
    control, seconds = found
    trials, most = trials_of(control), 10 * len(control.calls) + 1000
    times = collections.Counter((call.words, call.answer) for call in control.calls)
    count = max(MOST_TRIALS, len({trial[:2] for _, trial in trials}))
    end, is_whole, is_first = time.monotonic() + SECONDS, len(trials) <= count, True
    del control, found
    for rank, trial in trials[:count]:
        if rank and is_first and time.monotonic() > State.share:
            is_first, left = False, end - time.monotonic()
            yield
            end = time.monotonic() + left
        if time.monotonic() > min(end, State.end):
            return late()
        run = Run(trial, most)
        error = attempt(repeat, run, 2 + 5 * seconds)
        if trial[3] and (run.stopped or not run.applied or error is None):
            continue
        if run.stopped or not run.applied:
            is_whole = False
        elif error is None or type(error).__name__ in ("Skipped", "XFailed", "SkipTest"):
            note("ok - " + relative(place[0]) + " > " + title(named(trial, times)))
        else:
            note("not ok - " + thrown_at(error, place) + " > " + title(named(trial, times)))
    note(own + "measured") if is_whole else skip()

def by_turns(items, key):
    """The first of each key before the others: parameters and classes that share a case notice with the same lines."""
    turns = collections.defaultdict(itertools.count)
    return [item for _, item in sorted(((next(turns[key(item)]), item) for item in items), key=lambda each: each[0])]

def measure_all(cases):
    """Measures cases, each with what is to be done behind it."""
    with repeating():
        for _ in range(2):
            for at, (parts, leave) in enumerate(cases):
                now = time.monotonic()
                State.share = now + (State.end - now) / (len(cases) - at)
                with contextlib.suppress(BaseException):
                    next(parts, None)
                with contextlib.suppress(BaseException):
                    leave()

def guard(event, args):
    """Ends a repetition that would end or replace a process which this one did not start: numbers may be altered ones."""
    if not State.repeats or os.getpid() != OWN or event not in ("os.exec", "os.kill", "os.killpg", "signal.pthread_kill"):
        return
    try:
        is_harmless = event.startswith("os.kill") and (args[1] == 0 or os.waitid(os.P_PID, args[0], os.WEXITED | os.WNOHANG | os.WNOWAIT) or True)
    except Exception:
        is_harmless = False
    if not is_harmless:
        ended()

def ended(*_):
    if State.run:
        State.run.stopped = True
    raise Stopped()

OWN = os.getpid()
sys.addaudithook(guard)

@contextlib.contextmanager
def repeating():
    """Nothing of repetitions reaches the runner: no error, no end of the process, no thread that it waits for."""
    State.repeats, State.end = True, time.monotonic() + State.left
    hooks, start, ends = (sys.unraisablehook, threading.excepthook), threading.Thread.start, (os._exit, os.abort)
    def start_apart(thread):
        thread._daemonic = True
        return start(thread)
    sys.unraisablehook = threading.excepthook = lambda *_: None
    threading.Thread.start = start_apart
    os._exit, os.abort = (lambda *args, end=end: ended() if os.getpid() == OWN else end(*args) for end in ends)
    try:
        with contextlib.suppress(BaseException):
            adopt_all()
            taken()
            yield
    finally:
        gc.collect()
        sys.unraisablehook, threading.excepthook = hooks
        threading.Thread.start, (os._exit, os.abort) = start, ends
        State.repeats, State.left = False, State.end - time.monotonic()

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
        items = by_turns(items, lambda item: item.nodeid.partition("[")[0])
        measure_all([(self.measured(item), functools.partial(session._setupstate.teardown_exact, after)) for item, after in zip(items, items[1:] + [None])])

    def measured(self, item):
        can = not (hasattr(item.obj, "hypothesis") or {"snapshot", "benchmark"} & set(item.fixturenames))
        yield from measure(place_of(item.obj), ".".join(item.nodeid.split("::")[1:]), lambda: self.repeat(item), can)

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
        measure_all([(measured_case(*each), bool) for each in by_turns(GREEN, lambda each: getattr(*each))])
        GREEN.clear()
    return given

def measured_case(kind, name):
    yield from measure(place_of(getattr(kind, name)), kind.__qualname__ + "." + name, lambda: repeat_case(kind, name))

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
