import type { RunDefinition } from "../evidence/checklist.ts";
import { lineRanges } from "../evidence/line-ranges.ts";
import { findProgram } from "../process/find-program.ts";
import { quote } from "../process/sandbox/launch-script.ts";
import type { ChangedModule } from "./module-mutants.ts";

/**
 * A Python program that drives cosmic-ray or mutmut on some lines and prints a report in the mutation testing report
 * schema: only Python is sure to be there where they are. Arguments: the tool, its program, the start commit, the
 * command of the tests, the seconds of all mutants and of one, and the wanted lines by file as JSON.
 *
 * cosmic-ray lists the mutants and writes each; the tests are run from here, so that the time is kept, and what it did
 * not suffice for is `Pending`. mutmut 2 is limited by a patch and read from `junitxml`; mutmut 3 by the names of
 * modules: a mutant lies on a changed line if that has the text that the mutant replaces.
 */
const PYTHON_DRIVER = String.raw`
import json, os, re, signal, subprocess, sys, tempfile, time
from xml.etree import ElementTree

tool, program, start, command = sys.argv[1:5]
end, patience, wanted = time.time() + float(sys.argv[5]), float(sys.argv[6]), json.loads(sys.argv[7])
MOST = 24
found = {path: [] for path in wanted}

def read(path):
    with open(path, encoding="utf-8", newline="") as file:
        return file.read()

def write(path, text):
    with open(path, "w", encoding="utf-8", newline="") as file:
        file.write(text)

sources = {path: read(path) for path in wanted}

def call(*words):
    done = subprocess.run(words, stdout=subprocess.PIPE, timeout=max(1, end - time.time()))
    return done.stdout.decode("utf-8", "replace")

def add(path, first, last, fresh, status, name):
    lines = sources[path].split("\n")
    width = len(lines[last - 1]) + 1
    place = {"start": {"line": first, "column": 1}, "end": {"line": last, "column": width}}
    mutant = {"id": str(len(found[path])), "mutatorName": name, "replacement": fresh}
    found[path].append({**mutant, "status": status, "location": place})

def tried(count):
    env = {**os.environ, "PYTHONDONTWRITEBYTECODE": "1"}
    seconds = min(patience, end - time.time())
    if seconds <= 0:
        return "Pending"
    child = subprocess.Popen(["sh", "-c", command], stdout=sys.stderr, env=env, start_new_session=True)
    try:
        return "Survived" if child.wait(seconds) == 0 else "Killed"
    except subprocess.TimeoutExpired:
        os.killpg(child.pid, signal.SIGKILL)
        child.wait()
        return "Timeout" if seconds == patience else "Pending"

def cosmic_ray():
    folder = tempfile.mkdtemp()
    specs = []
    for index, path in enumerate(wanted):
        config, session = (os.path.join(folder, "%d.%s" % (index, kind)) for kind in ("toml", "sqlite"))
        words = (json.dumps(path), json.dumps(command))
        write(config, '[cosmic-ray]\nmodule-path = %s\ntimeout = 60.0\nexcluded-modules = []\ntest-command = %s\n\n[cosmic-ray.distributor]\nname = "local"\n' % words)
        call(program, "init", config, session)
        for line in call(program, "dump", session).splitlines():
            for spec in json.loads(line)[0]["mutations"]:
                first, last = spec["start_pos"][0], spec["end_pos"][0]
                if all(number in wanted[path] for number in range(first, last + 1)):
                    specs.append((path, spec))
    step = max(1, -(-len(specs) // MOST))
    for count, (path, spec) in enumerate(specs[::step]):
        name = spec["operator_name"]
        try:
            call(program, "apply", path, name, str(spec["occurrence"]))
            # Compiled code is taken for that of a file with the same time and size.
            os.utime(path, (1000000000 + count, 1000000000 + count))
            fresh = read(path)
            if fresh != sources[path]:
                first, last, text = change(sources[path], fresh)
                add(path, first, last, text, tried(count), name.split("/")[-1])
        finally:
            write(path, sources[path])

def change(old, fresh):
    a, b = old.split("\n"), fresh.split("\n")
    first = next(at for at in range(max(len(a), len(b))) if a[at:at + 1] != b[at:at + 1])
    same = 0
    while same < min(len(a), len(b)) - first - 1 and a[-1 - same] == b[-1 - same]:
        same += 1
    return first + 1, len(a) - same, "\n".join(b[first:len(b) - same])

def sides(diff):
    lines = [line for line in diff.split("\n") if not re.match(r"(---|\+\+\+)( |$)", line)]
    return tuple([line[1:] for line in lines if line[:1] == sign] for sign in "-+")

def run(*words):
    try:
        subprocess.run(words, stdout=sys.stderr, timeout=max(1, end - time.time()))
    except subprocess.TimeoutExpired:
        pass

def mutmut():
    if b"--use-patch-file" in subprocess.run([program, "run", "--help"], stdout=subprocess.PIPE).stdout:
        mutmut_2()
    else:
        mutmut_3()

def mutmut_2():
    patch = os.path.join(tempfile.mkdtemp(), "patch")
    write(patch, call("git", "diff", "--no-ext-diff", start, "--", *wanted))
    limits = ["--paths-to-mutate", ",".join(wanted), "--use-patch-file", patch]
    run(program, "run", *limits, "--runner", command, "--no-progress")
    done = subprocess.run([program, "junitxml", "--untested-policy", "skipped"], stdout=subprocess.PIPE)
    for case in ElementTree.fromstring(done.stdout).iter("testcase"):
        path, text = case.get("file"), (case.findtext("system-out") or "").strip()
        lines = sources.get(path, "").split("\n")
        # Some versions count lines from 0.
        near = [at for at in (int(case.get("line")), int(case.get("line")) + 1) if at in wanted.get(path, [])]
        line = next((at for at in near if lines[at - 1].strip() == text), None)
        kinds = {"failure": "Survived", "error": "Timeout", "skipped": "Pending"}
        status = next((kinds[kind] for kind in kinds if case.find(kind) is not None), "Killed")
        if line is not None:
            add(path, line, line, "\n".join(sides(case.findtext("failure") or "")[1]), status, "mutmut")

STATUS = {"survived": "Survived", "timeout": "Timeout", "no tests": "NoCoverage", "not checked": "Pending", "skipped": "Ignored"}

def mutmut_3():
    modules = {re.sub(r"^src/|\.py$", "", path).replace("/", ".").replace(".__init__", ""): path for path in wanted}
    run(program, "run", *(name + ".*" for name in modules))
    done = subprocess.run([program, "results", "--all", "true"], stdout=subprocess.PIPE)
    for name, said in re.findall(r"^\s*(\S+): (.+?)\s*$", done.stdout.decode("utf-8", "replace"), re.M):
        path = modules.get(name.rpartition(".")[0])
        if path is None:
            continue
        old, fresh = sides(subprocess.run([program, "show", name], stdout=subprocess.PIPE).stdout.decode("utf-8", "replace"))
        lines = sources[path].split("\n")
        at = next((at for at in wanted[path] if old and lines[at - 1].strip() == old[0].strip()), None)
        if at is not None:
            add(path, at, at, "\n".join(fresh), STATUS.get(said, "Killed"), "mutmut")

{"cosmic-ray": cosmic_ray, "mutmut": mutmut}[tool]()
files = {path: {"language": "python", "source": sources[path], "mutants": found[path]} for path in wanted}
print(json.dumps({"schemaVersion": "2", "files": files}))
`;

/** The lines of product files to mutate. */
export type MutableLines = Pick<ChangedModule, "path" | "lines">;

export interface ToolLimits {
	readonly start: string;
	readonly tests: string;
	/** Milliseconds that all mutants may take, and the tests on one of them. */
	readonly timeoutMs: number;
	readonly patienceMs: number;
}

export type ToolRun = Pick<RunDefinition, "run" | "report">;

interface MutationTool {
	readonly name: string;
	readonly files: RegExp;
	/** Relative to a checkout after setup, or on the search path; the first that is there counts. */
	readonly programs: readonly string[];
	readonly runOn: (program: string, files: readonly MutableLines[], limits: ToolLimits) => ToolRun;
}

const GLOB = /[[{(*?]/g;

// Stryker takes such characters for themselves in brackets. Its list is split at commas, and nothing spells one but
// any character.
const escaped = (path: string): string => path.replace(GLOB, "[$&]").replaceAll(",", "?");

const STRYKER: MutationTool = {
	name: "stryker",
	files: /\.[cm]?[jt]sx?$/,
	programs: ["node_modules/.bin/stryker"],
	runOn: (program, files) => {
		const places = files.flatMap(({ path, lines }) =>
			lineRanges(lines).map(({ from, to }) => `${escaped(path)}:${from}-${to}`),
		);
		return {
			run: `${quote(program)} run --mutate ${quote(places.join(","))} --reporters json --logLevel error`,
			report: { format: "mutation", path: "reports/mutation/mutation.json" },
		};
	},
};

const SHARE = 0.9;

const python = (name: string): MutationTool => ({
	name,
	files: /\.py$/,
	programs: [`.venv/bin/${name}`, `venv/bin/${name}`, name],
	runOn: (program, files, { start, tests, timeoutMs, patienceMs }) => {
		const wanted = Object.fromEntries(files.map(({ path, lines }) => [path, lines]));
		const words = [
			name,
			program,
			start,
			tests,
			String((timeoutMs * SHARE) / 1_000),
			String(patienceMs / 1_000),
			JSON.stringify(wanted),
		];
		return {
			run: `python3 -c ${quote(PYTHON_DRIVER)} ${words.map(quote).join(" ")}`,
			report: { format: "mutation" },
		};
	},
});

/** Of the tools for the same files the first that is there is run. */
const TOOLS: readonly MutationTool[] = [STRYKER, python("cosmic-ray"), python("mutmut")];

/** A tool that is there, with the files that it can mutate, and its run on their changed lines. */
export interface FoundTool extends Pick<MutationTool, "name" | "files"> {
	readonly run: (limits: ToolLimits) => ToolRun;
}

/**
 * The tools that are there and can mutate some of these lines.
 *
 * @param checkout absolute directory after its setup
 * @param searchPath value of `PATH`
 */
export async function findTools(
	checkout: string,
	searchPath: string,
	lines: readonly MutableLines[],
): Promise<FoundTool[]> {
	const found: FoundTool[] = [];
	for (const { name, files, programs, runOn } of TOOLS) {
		const own = lines.filter(
			({ path }) => files.test(path) && !found.some((tool) => tool.files.test(path)),
		);
		if (own.length === 0) continue;
		const [place] = programs.flatMap((each) => findProgram(each, searchPath, checkout) ?? []);
		if (place !== undefined)
			found.push({ name, files, run: (limits) => runOn(place, own, limits) });
	}
	return found;
}
