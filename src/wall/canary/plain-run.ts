import { isPythonPath, type SourceText } from "../../syntax/source-trees.ts";

/**
 * Calls the tests of one file without their runner and in the surroundings of production: nothing of the runner is in the
 * process, only what compares, and no package for development is found from the product; home and program are others, the
 * other test files are loaded too, what modules replaced of the language is put back, and what a call gives does not answer
 * comparisons itself.
 */
const NODE = `
import { appendFileSync, readFileSync } from "node:fs";
import { createRequire, registerHooks } from "node:module";
import { pathToFileURL } from "node:url";

const { exit } = process;
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
import importlib, importlib.machinery, importlib.util, inspect, os, pathlib, sys, time, unittest

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
        if any("autouse" in each.read_text() for each in [file, *fixtures]):
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
	const python = tests.filter(isPythonPath);
	const runs = [
		...tests.filter((path) => !isPythonPath(path)).map((path) => [...setups, path]),
		...(python.length === 0 ? [] : [python]),
	].slice(0, MAX_FILES);
	const files = runs.map((paths, at): PlainRun["files"][number] => {
		const isPython = paths === python;
		const others = tests.filter((path) => !(isPythonPath(path) || paths.includes(path)));
		const given = { TOKEN: token, FILES: paths, OTHERS: others, KNOWN: known, MAX_CASES };
		const head = Object.entries(given).map(
			([name, value]) => `${isPython ? "" : "const "}${name} = ${JSON.stringify(value)}\n`,
		);
		return {
			path: `${token}_${at}.${isPython ? "py" : "mjs"}`,
			text: head.join("") + (isPython ? PYTHON : NODE),
		};
	});
	return { files, command: plainCommand(files, token), report: token };
}

/**
 * Command that starts programs, which leave TAP in a file. The project's own Node.js runs them if it can hook into the
 * loading of modules, and Sparring's where it is older.
 */
export function plainCommand(files: PlainRun["files"], report: string): string {
	const canHook = "process.exit(require('node:module').registerHooks ? 0 : 1)";
	return [
		`: > ${report}`,
		`own=node; node -e "${canHook}" 2> /dev/null || own='${process.execPath.replaceAll("'", "'\\''")}'`,
		...files.map(({ path }) => `${path.endsWith(".py") ? "python3" : '"$own"'} ${path}`),
		`echo "1..$(grep -c '^ok\\|^not' ${report})" >> ${report}`,
	].join("\n");
}
