import type { SourceText } from "../language/language.ts";
import { python } from "../language/python.ts";

/**
 * Calls the tests of one file without their runner and in the surroundings of production: nothing of the runner is in the
 * process, only what compares, and no package for development is found from the product; home and program are others, the
 * other test files are loaded too, what modules replaced of the language is put back, and what a call gives does not answer
 * comparisons itself. The texts of the tests come over standard input: their files are empty by then.
 */
const NODE = `
import { appendFileSync, readFileSync } from "node:fs";
import { createRequire, registerHooks } from "node:module";
import { pathToFileURL } from "node:url";

const { exit } = process;
const texts = new Map(
	Object.entries(JSON.parse(readFileSync(0, "utf8") || "{}")).map(([file, text]) => [pathToFileURL(file).href, text]),
);
process.env.HOME = "/home/somebody";
process.env.NODE_ENV = "production";
process.argv[1] = "/home/somebody/program.js";
Object.defineProperty(process, "moduleLoadList", { value: [] });
const cases = [];
const test = (name, ...rest) => {
	if (rest.length === 1 && typeof rest[0] === "function") cases.push([name, rest[0]]);
};
const describe = (_name, body) => void body();
test.skip = test.todo = describe.skip = () => {};
const library = async () => {
	const from = createRequire(createRequire(import.meta.url).resolve("vitest/package.json"));
	const found = await import(pathToFileURL(from.resolve("@vitest/expect")));
	for (const part of ["JestExtend", "JestChaiExpect", "JestAsymmetricMatchers"]) found.chai.use(found[part]);
	const bare = (value) => (typeof value?.asymmetricMatch === "function" ? { ...value, asymmetricMatch: undefined } : value);
	const expect = (value, ...others) => found.chai.expect(bare(value), ...others);
	return Object.assign(expect, found.chai.expect, { extend: (made) => found.chai.expect.extend(expect, made) });
};
const { defineProperty } = Object;
const isObject = (value) => Object(value) === value;
const partsOf = (owner) => Reflect.ownKeys(owner).map((name) => [owner, name, Object.getOwnPropertyDescriptor(owner, name)]);
const globals = partsOf(globalThis).filter(([, name, { value }]) => /^[A-Z]/.test(String(name)) && isObject(value));
const owners = globals.flatMap(([, , { value }]) => [value, value.prototype].filter(isObject));
const language = [...globals, ...owners.flatMap(partsOf)].filter(([, , { configurable }]) => configurable);
globalThis[TOKEN] = { test, it: test, describe, suite: describe, expect: await library().catch(() => undefined) };
const stub = "data:text/javascript,export const { test, it, describe, suite, expect } = globalThis['" + TOKEN + "']; export default test;";
let manifest = {};
try {
	manifest = JSON.parse(readFileSync("package.json", "utf8"));
} catch {}
const isTest = ({ parentURL }) => KNOWN.some((file) => pathToFileURL(file).href === parentURL);
registerHooks({
	resolve: (name, context, next) => {
		if (Object.hasOwn(manifest.devDependencies ?? {}, name) && !isTest(context))
			throw Object.assign(new Error("Cannot find package '" + name + "'"), { code: "ERR_MODULE_NOT_FOUND" });
		if (!/^(?:node:test|vitest)$/.test(name)) return next(name, context);
		return { url: stub, format: "module", shortCircuit: true };
	},
	load: (url, context, next) => {
		const source = texts.get(url);
		if (source === undefined) return next(url, context);
		const kind = /^\\s*(?:import|export)\\b/m.test(source) ? "module" : "commonjs";
		const format = context.format ?? (/\\.[cm]?tsx?$/.test(url) ? kind + "-typescript" : kind);
		return { format, source, shortCircuit: true };
	},
});
for (const file of OTHERS) await import(pathToFileURL(file)).catch(() => {});
cases.length = 0;
for (const file of FILES) await import(pathToFileURL(file));
const late = () => new Promise((_, reject) => setTimeout(reject, 1_000, "late"));
const end = performance.now() + 2_000;
for (const [title, body] of cases.slice(0, MAX_CASES)) {
	if (performance.now() > end) break;
	const name = FILES.at(-1) + " > " + String(title).replace(/[#\\n\\r\\\\]/g, " ");
	let told;
	for (const part of language) defineProperty(...part);
	try {
		await Promise.race([body({}), late()]);
		told = "ok - " + name;
	} catch (error) {
		const isWrong = error?.name === "AssertionError" || "actual" in Object(error);
		told = isWrong ? "not ok - " + name : "ok - " + name + " # SKIP";
	}
	appendFileSync(TOKEN, told + "\\n");
}
exit();
`;

/** Prints the texts of tests and of what they import on the tests' side, and leaves their files empty. */
const NODE_TEXTS = `
import { lstatSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";

const ENDS = ["", ".js", ".cjs", ".mjs", ".ts", "/index.js"];
const texts = {};
const files = [...FILES];
for (const file of files) {
	if (Object.hasOwn(texts, file) || !KNOWN.includes(file) || !lstatSync(file, { throwIfNoEntry: false })?.isFile()) continue;
	texts[file] = readFileSync(file, "utf8");
	for (const [, name] of texts[file].matchAll(/\\b(?:from|import|require)\\s*\\(?\\s*["'](\\.{1,2}\\/[^"']+)["']/g))
		files.push(...ENDS.map((end) => path.join(path.dirname(file), name + end)));
}
for (const file of Object.keys(texts)) {
	rmSync(file);
	writeFileSync(file, "");
}
console.log(JSON.stringify(texts));
`;

const PYTHON_TEXTS = `
import json, os, pathlib, re

texts = {}
files = FILES + [file for file in KNOWN if file.endswith("conftest.py")]
for file in files:
    if file in texts or file not in KNOWN or os.path.islink(file) or not os.path.isfile(file):
        continue
    texts[file] = pathlib.Path(file).read_bytes().decode("utf8", "surrogateescape")
    named = re.findall(r"^\\s*(?:from|import)\\s+(.*)", texts[file], re.M)
    words = {word for line in named for word in re.findall(r"\\w+", line)}
    files.extend(other for other in KNOWN if pathlib.Path(other).stem in words)
for file in texts:
    os.remove(file)
    pathlib.Path(file).touch()
print(json.dumps(texts))
`;

/** Loading of test files, and their cases with what fixtures give them. */
export const PYTHON_TESTS = `
def load(path):
    if (path.parent / "__init__.py").exists():
        return importlib.import_module(".".join(path.with_suffix("").parts))
    sys.path.insert(0, str(path.parent.resolve()))
    spec = importlib.util.spec_from_file_location(path.stem, path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module

def given(function, places, row={}):
    values = {**row}
    for name, parameter in inspect.signature(function).parameters.items():
        if name in row or parameter.default is not parameter.empty:
            continue
        fixture = next(getattr(place, name) for place in places if hasattr(place, name))
        made = given(fixture.__wrapped__, places)
        values[name] = next(made) if inspect.isgenerator(made) else made
    return function(**values)

def methods(held):
    if not issubclass(held, unittest.TestCase):
        return [] if hasattr(held, "setup_method") else [(name, getattr(held(), name)) for name in vars(held) if name.startswith("test")]
    if held.setUpClass.__func__ is not unittest.TestCase.setUpClass.__func__:
        return []
    cases = [(name, held(name)) for name in unittest.TestLoader().getTestCaseNames(held)]
    return [(name, lambda case=case, name=name: (case.setUp(), getattr(case, name)(), case.tearDown())) for name, case in cases]
`;

const PYTHON = `
import importlib, importlib.machinery, importlib.util, inspect, json, os, pathlib, sys, time, unittest

def held():
    texts = json.loads(sys.stdin.read() or "{}")
    read = importlib.machinery.SourceFileLoader.get_data
    def get_data(self, path):
        text = texts.get(os.path.relpath(path))
        return read(self, path) if text is None else text.encode("utf8", "surrogateescape")
    importlib.machinery.SourceFileLoader.get_data = get_data
    return {file for file, text in texts.items() if "autouse" in text}

automatic = held()

def compiled(self, data, path, *, _optimization=-1):
    own = os.path.relpath(path)
    return compile(data, path, "exec", dont_inherit=True, optimize=-1 if own in KNOWN or own.startswith("..") else 1)

importlib.machinery.SourceFileLoader.source_to_code = compiled
sys.dont_write_bytecode = True

${PYTHON_TESTS}
def told(name, function, places):
    try:
        if inspect.iscoroutinefunction(function) or hasattr(function, "pytestmark"):
            return ""
        given(function, places)
        return "ok - " + name
    except Exception as error:
        is_wrong = isinstance(error, AssertionError)
        return "not ok - " + name if is_wrong else "ok - " + name + " # SKIP"
    except BaseException as error:
        return "not ok - " + name if type(error).__name__ == "Failed" else ""

os.environ["HOME"] = "/home/somebody"
sys.argv[0] = sys.modules["__main__"].__file__ = "/home/somebody/program.py"
sys.path.insert(0, os.getcwd())
sys.path.append(os.path.join(os.getcwd(), "src"))
for file in map(pathlib.Path, FILES):
    try:
        fixtures = [parent / "conftest.py" for parent in file.parents if (parent / "conftest.py").exists()]
        if any(str(each) in automatic for each in [file, *fixtures]):
            continue
        places = [load(each) for each in [file, *fixtures]]
    except BaseException:
        continue
    own = list(vars(places[0]).items())
    cases = [(name, each) for name, each in own if inspect.isfunction(each) and name.startswith("test")]
    for _, each in own:
        if inspect.isclass(each) and each.__module__ == places[0].__name__:
            cases += methods(each)
    end = time.monotonic() + 2
    with open(TOKEN, "a") as report:
        for name, function in cases[:MAX_CASES]:
            if time.monotonic() > end:
                break
            print(told(f"{file} > {name}", function, places), file=report, flush=True)
os._exit(0)
`;

/** Files of a run of tests without their runner, and the command that leaves TAP in a file. */
export interface PlainRun {
	readonly files: readonly Pick<SourceText, "path" | "text">[];
	readonly command: string;
	readonly report: string;
}

const MAX_FILES = 10;
/** In each file; so few that the time is for slow ones, and a slow machine asks no less than a fast one. */
const MAX_CASES = 300;

/**
 * Prepares a run of tests outside of their runner.
 *
 * @param tests test files of the base
 * @param setups files that give the runner further matchers
 * @param known all code on the tests' side
 */
export function plainRun(
	tests: readonly string[],
	setups: readonly string[],
	token: string,
	known: readonly string[] = tests,
): PlainRun {
	const inPython = tests.filter(python.isOf);
	const runs = [
		...tests.filter((path) => !python.isOf(path)).map((path) => [...setups, path]),
		...(inPython.length === 0 ? [] : [inPython]),
	].slice(0, MAX_FILES);
	const files = runs.map((paths, at): PlainRun["files"][number] => {
		const path = `${token}_${at}.${paths === inPython ? "py" : "mjs"}`;
		const others = tests.filter((path) => !(python.isOf(path) || paths.includes(path)));
		const given = { TOKEN: token, FILES: paths, OTHERS: others, KNOWN: known, MAX_CASES };
		return { path, text: headOf(given, path) + (paths === inPython ? PYTHON : NODE) };
	});
	const programs = [
		{ path: `${token}_texts.mjs`, code: NODE_TEXTS, isOwn: (path: string) => !python.isOf(path) },
		{ path: `${token}_texts.py`, code: PYTHON_TEXTS, isOwn: python.isOf },
	];
	const takers = programs.flatMap(({ path, code, isOwn }) => {
		const taken = [...tests, ...setups].filter(isOwn);
		const given = { FILES: taken, KNOWN: [...known, ...setups].filter(isOwn) };
		return taken.length === 0 ? [] : [{ path, text: headOf(given, path) + code }];
	});
	const command = plainCommand(files, token, takers);
	return { files: [...takers, ...files], command, report: token };
}

/** Constants of a program, in the language of its path. */
export function headOf(given: Readonly<Record<string, unknown>>, path: string): string {
	const word = python.isOf(path) ? "" : "const ";
	const lines = Object.entries(given).map(
		([name, value]) => `${word}${name} = ${JSON.stringify(value)}\n`,
	);
	return lines.join("");
}

/**
 * Command that starts programs, which leave TAP in a file. The project's own Node.js runs them if it can hook into the
 * loading of modules, and Sparring's where it is older.
 *
 * @param takers print what the programs get on standard input. It stands in a variable of the shell meanwhile, and in no file
 */
export function plainCommand(
	files: PlainRun["files"],
	report: string,
	takers: PlainRun["files"] = [],
): string {
	const call = ({ path }: PlainRun["files"][number]): string =>
		`${python.isOf(path) ? "python3" : '"$own"'} ${path}`;
	const variable = (path: string): string => (python.isOf(path) ? "in_python" : "in_node");
	const canHook = "process.exit(require('node:module').registerHooks ? 0 : 1)";
	return [
		`: > ${report}`,
		`own=node; node -e "${canHook}" 2> /dev/null || own='${process.execPath.replaceAll("'", "'\\''")}'`,
		...takers.map((taker) => `${variable(taker.path)}=$(${call(taker)})`),
		...files.map((file) => `printf %s "$${variable(file.path)}" | ${call(file)}`),
		`echo "1..$(grep -c '^ok\\|^not' ${report})" >> ${report}`,
	].join("\n");
}
