import { headOf, type PlainRun, PYTHON_TESTS, plainCommand } from "../canary/plain-run.ts";
import { python } from "../language/python.ts";
import { nearTexts } from "./near-texts.ts";

/**
 * Calls the tests of some files without their runner, once for each set of values, on the product as it is and as it was.
 * Assertions compare nothing: what a test looks at is noted. Each case is called twice, and has nothing to say where both
 * differ. A row before it tells of one that never ends.
 */
const NODE = `
import strict from "node:assert/strict";
import { spawnSync } from "node:child_process";
import fs from "node:fs";
import { createHash } from "node:crypto";
import { createRequire, registerHooks, syncBuiltinESMExports } from "node:module";
import { relative, resolve } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { inspect } from "node:util";

const [, self, side] = process.argv;
if (side === undefined) {
	for (const each of ["base", "product"]) spawnSync(process.execPath, [self, each], { env: process.env, stdio: "ignore", timeout: 1.5 * LIMIT_MS, killSignal: "SIGKILL" });
	process.exit();
}
process.argv = [process.argv[0], "/home/somebody/program.js"];
const root = process.cwd();
const report = resolve(REPORT);
const { exit } = process;
const { appendFileSync, readFileSync } = fs;
const product = side === "base" ? BASE : {};
let shown = product;
let noted = [];
const keep = (text) => void noted.push(text.length <= MAX_TEXT ? text : text.length + " characters, " + createHash("sha1").update(text).digest("hex"));
const note = (value) => keep(inspect(value, { depth: 5, sorted: true, breakLength: Infinity }));
const fallen = (error) => "throws " + String(error?.name ?? typeof error).slice(0, 40);
const look = (value) => {
	if (typeof value !== "function") return note(value);
	try {
		note(value());
	} catch (error) {
		noted.push(fallen(error));
	}
};
const wait = async (value) => {
	try {
		note(await (typeof value === "function" ? value() : value));
	} catch (error) {
		noted.push(fallen(error));
	}
};
const names = Object.keys(strict).filter((name) => /^[a-z]\\w+$/i.test(name));
const assert = (value) => look(value);
for (const name of names) assert[name] = /rejects/i.test(name) ? wait : look;
const passing = () => new Proxy(() => passing(), { get: (_, name) => (name === "then" ? undefined : passing()) });
const expect = Object.assign((value) => (look(value), passing()), { extend() {}, anything() {}, any() {}, objectContaining: (part) => part, arrayContaining: (part) => part, stringContaining: (part) => part, closeTo: (part) => part });
let cases = [];
const test = (name, ...rest) => {
	const body = rest.find((one) => typeof one === "function");
	if (body !== undefined) cases.push([name, body]);
};
const describe = (_name, body) => void body?.();
test.each = (rows) => (name, body) => rows.forEach((row) => test(name, Object.assign(() => body(...(Array.isArray(row) ? row : [row])), { toString: () => String(body) })));
test.skip = test.todo = describe.skip = () => {};
const stubs = { test, it: test, describe, suite: describe, expect };
globalThis[TOKEN] = { stubs, assert };
const held = "globalThis['" + TOKEN + "'].";
const texts = (of, all, main) => ({
	module: "export const { " + all.join(", ") + " } = " + held + of + "; export default " + held + main + ";",
	commonjs: "module.exports = Object.assign(" + held + main + ", " + held + of + ");",
});
const runner = texts("stubs", Object.keys(stubs), "stubs.test");
const asserts = texts("assert", names, "assert");
const own = (file) => relative(root, file instanceof URL || String(file).startsWith("file:") ? fileURLToPath(file) : String(file));
const isKnown = (url) => url?.startsWith("file:") && KNOWN.includes(own(url));
let round = 0;
registerHooks({
	resolve: (name, context, next) => {
		if (/^(?:node:test|vitest|@jest\\/globals)$/.test(name)) return { url: "near:runner", shortCircuit: true };
		if (/^(?:node:)?assert(?:\\/strict)?$/.test(name) && isKnown(context.parentURL)) return { url: "near:assert", shortCircuit: true };
		const found = next(name, context);
		return isKnown(found.url) ? { ...found, url: found.url.split("?")[0] + "?" + round } : found;
	},
	load: (url, context, next) => {
		if (url.startsWith("near:")) {
			const format = context.conditions.includes("require") ? "commonjs" : "module";
			return { format, source: (url === "near:runner" ? runner : asserts)[format], shortCircuit: true };
		}
		const loaded = next(url, context);
		const text = url.startsWith("file:") ? shown[own(url)] : undefined;
		return text === undefined ? loaded : { ...loaded, source: text };
	},
});
fs.readFileSync = (file, options) => {
	const text = typeof file === "number" ? undefined : shown[own(file)];
	if (text === undefined) return readFileSync(file, options);
	return options === undefined || options === null ? Buffer.from(text) : text;
};
syncBuiltinESMExports();
const { cache } = createRequire(import.meta.url);
const late = () => new Promise((_, reject) => setTimeout(reject, 500, new Error("late")));
const called = async (body) => {
	noted = [];
	try {
		await Promise.race([body({}), late()]);
	} catch (error) {
		noted.push(fallen(error));
	}
	return noted.slice(0, MAX_NOTED);
};
const end = performance.now() + LIMIT_MS;
let calls = 0;
for (const [values, near] of [["", {}], ...Object.entries(NEAR)]) {
	shown = { ...product, ...near };
	for (const file of FILES) {
		if (calls > MAX_CALLS || performance.now() > end) exit();
		cases = [];
		round += 1;
		for (const path of Object.keys(cache)) if (KNOWN.includes(own(path))) delete cache[path];
		await import(pathToFileURL(file).href + "?" + round).catch(() => {});
		for (const [at, [title, body]] of cases.entries()) {
			const told = (results) => {
				const row = JSON.stringify([side, values, file, at, String(title).slice(0, 120), results]);
				appendFileSync(report, "ok - " + Buffer.from(row).toString("base64url") + "\\n");
			};
			const words = String(body).match(/[\\w$]+/g) ?? [];
			if (words.some((word) => ASKED.includes(word))) continue;
			told(null);
			calls += 1;
			const [first, second] = [await called(body), await called(body)];
			told(JSON.stringify(first) === JSON.stringify(second) ? first : []);
		}
	}
}
exit();
`;

const PYTHON = `
import ast, base64, builtins, hashlib, importlib, importlib.machinery, importlib.util, inspect, io, json, os, pathlib, re, signal, subprocess, sys, time, unittest

if len(sys.argv) == 1:
    for side in ["base", "product"]:
        try:
            subprocess.run([sys.executable, sys.argv[0], side], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, timeout=LIMIT_MS / 667)
        except subprocess.TimeoutExpired:
            pass
    os._exit(0)

side = sys.argv[1]
sys.argv = ["/home/somebody/program.py"]
root = os.getcwd()
REPORT = os.path.abspath(REPORT)
own = lambda path: os.path.relpath(path, root)
product = BASE if side == "base" else {}
shown = product
noted = []

def written(value):
    """Like repr; the order of a set is that of a process."""
    kind = type(value)
    if kind in (set, frozenset) and value:
        return kind.__name__ + "(" + ", ".join(sorted(map(written, value))) + ")"
    if kind is list:
        return "[" + ", ".join(map(written, value)) + "]"
    if kind is tuple and len(value) > 1:
        return "(" + ", ".join(map(written, value)) + ")"
    return repr(value)

def note(*values):
    for value in values:
        try:
            text = re.sub("0x[0-9a-f]+", "", written(value))
            noted.append(text if len(text) <= MAX_TEXT else f"{len(text)} characters, {hashlib.sha1(text.encode()).hexdigest()}")
        except Exception:
            noted.append("")

builtins.__dict__[TOKEN] = note

class Noting(ast.NodeTransformer):
    def visit_Assert(self, node):
        values = [node.test.left, *node.test.comparators] if isinstance(node.test, ast.Compare) else [node.test]
        call = ast.Expr(ast.Call(ast.Name(TOKEN, ast.Load()), values, []))
        return ast.fix_missing_locations(ast.copy_location(call, node))

def compiled(self, data, path, *, _optimization=-1):
    tree = ast.parse(shown.get(own(path), data))
    return compile(Noting().visit(tree) if own(path) in KNOWN else tree, path, "exec", dont_inherit=True)

importlib.machinery.SourceFileLoader.source_to_code = compiled
sys.dont_write_bytecode = True
real = io.open

def opened(file, mode="r", *rest, **options):
    text = shown.get(own(file)) if isinstance(file, (str, os.PathLike)) and "r" in mode else None
    if text is None:
        return real(file, mode, *rest, **options)
    return io.BytesIO(text.encode()) if "b" in mode else io.StringIO(text)

io.open = builtins.open = opened
for name in dir(unittest.TestCase):
    if name.startswith("assert") and not name.endswith(("Raises", "RaisesRegex", "Warns", "WarnsRegex", "Logs")):
        setattr(unittest.TestCase, name, lambda self, *values, **options: note(*values))
${PYTHON_TESTS}
def rows(function):
    marks = getattr(function, "pytestmark", [])
    if not marks:
        return [{}]
    if len(marks) > 1 or marks[0].name != "parametrize" or len(marks[0].args) != 2:
        return []
    names, values = marks[0].args
    names = [name.strip() for name in names.split(",")] if isinstance(names, str) else names
    values = [each.values if hasattr(each, "marks") else each if len(names) > 1 else [each] for each in values]
    return [dict(zip(names, each)) for each in values]

def called(function, places, row):
    noted.clear()
    signal.setitimer(signal.ITIMER_REAL, 0.5)
    try:
        given(function, places, row)
    except BaseException as error:
        noted.append("throws " + type(error).__name__[:40])
    signal.setitimer(signal.ITIMER_REAL, 0)
    return noted[:MAX_NOTED]

def is_asked(function):
    try:
        text = inspect.getsource(getattr(*function.__defaults__) if function.__name__ == "<lambda>" else function)
    except Exception:
        return False
    return any(word in ASKED for word in re.findall("[A-Za-z_0-9]+", text))

def stop(*_):
    raise TimeoutError

def casesOf(file):
    for name, module in list(sys.modules.items()):
        if own(getattr(module, "__file__", None) or "/") in KNOWN:
            del sys.modules[name]
    fixtures = [parent / "conftest.py" for parent in file.parents if (parent / "conftest.py").exists()]
    places = [load(each) for each in [file, *fixtures]]
    members = list(vars(places[0]).items())
    cases = [(name, each) for name, each in members if inspect.isfunction(each) and name.startswith("test")]
    for _, each in members:
        if inspect.isclass(each) and each.__module__ == places[0].__name__:
            cases += methods(each)
    return [(name, function, places, row) for name, function in cases if not is_asked(function) for row in rows(function)]

signal.signal(signal.SIGALRM, stop)
sys.path.insert(0, os.getcwd())
sys.path.append(os.path.join(os.getcwd(), "src"))
end = time.monotonic() + LIMIT_MS / 1000
calls = 0
with real(REPORT, "a") as report:
    for values, texts in [("", {}), *NEAR.items()]:
        shown = {**product, **texts}
        for file in map(pathlib.Path, FILES):
            if calls > MAX_CALLS or time.monotonic() > end:
                os._exit(0)
            try:
                cases = casesOf(file)
            except BaseException:
                continue
            for at, (name, *case) in enumerate(cases):
                def told(results):
                    row = json.dumps([side, values, str(file), at, name[:120], results])
                    print("ok - " + base64.urlsafe_b64encode(row.encode()).decode().rstrip("="), file=report, flush=True)
                told(None)
                calls += 1
                first = called(*case)
                told(first if first == called(*case) else [])
os._exit(0)
`;

/** Work of which the results near to the tests' values are compared. */
export interface NearInput {
	/** Test files of the base. */
	readonly tests: readonly string[];
	/** The base's files on the tests' side, code and data. */
	readonly known: ReadonlyMap<string, string>;
	/** Changed files of the product as they were on the base. */
	readonly product: ReadonlyMap<string, string>;
	/** Functions that new tests are about: tests that call them are left out. */
	readonly asked: readonly string[];
}

/** The calls are counted so that a slow machine asks no less than a fast one; the time is for calls that are slow. */
const BOUNDS = { MAX_CALLS: 1_000, LIMIT_MS: 4_000, MAX_TEXT: 200, MAX_NOTED: 20 };

/** Prepares a run that notes what the tests look at, with their values and with others near to these. */
export function nearRun({ tests, known, product, asked }: NearInput, token: string): PlainRun {
	const near = Object.fromEntries(nearTexts(known));
	const files = [true, false].flatMap((isPython) => {
		const own = tests.filter((path) => python.isOf(path) === isPython);
		if (own.length === 0) return [];
		const given = {
			...BOUNDS,
			TOKEN: token,
			REPORT: token,
			FILES: own,
			KNOWN: [...known.keys()],
			BASE: Object.fromEntries(product),
			ASKED: asked,
			NEAR: near,
		};
		const path = `${token}.${isPython ? "py" : "mjs"}`;
		return [{ path, text: headOf(given, path) + (isPython ? PYTHON : NODE) }];
	});
	return { files, command: plainCommand(files, token), report: token };
}
