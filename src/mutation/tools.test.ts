import { chmodSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { thorough, thoroughly } from "../../test/support/amount.ts";
import { countMutants } from "../formats/mutation/mutation-report.ts";
import { mutationDetails } from "../formats/mutation/mutation-text.ts";
import { parseReport } from "../formats/parse-report.ts";
import { commitAll, git, userRepository, writeFiles } from "../git/scratch.fixture.ts";
import { runProcess } from "../process/run-process.ts";
import { findTools, type MutableLines } from "./tools.ts";

const PATH = "/usr/local/bin:/usr/bin:/bin";
const OLD = "def clamp(x, lo, hi):\n    if x < lo: return lo\n    return x\n";
/** Line 3 is new. */
const FRESH = OLD.replace("    return x", "    if x > hi: return hi\n    return x");
const LINES: readonly MutableLines[] = [{ path: "src/clamp.py", lines: [3] }];

/** A checkout with these programs, in which a turn added line 3. */
function checkout(programs: Readonly<Record<string, string>>, text = FRESH) {
	const dir = userRepository({ "src/clamp.py": OLD, "ok.sh": "exit 0\n" });
	const start = git(dir, "rev-parse", "HEAD");
	writeFiles(dir, { "src/clamp.py": text });
	commitAll(dir);
	writeFiles(dir, programs);
	for (const name of Object.keys(programs)) chmodSync(join(dir, name), 0o755);
	return { dir, start };
}

/** Runs the tool that is found, and says what its report tells of line 3. */
async function tried(
	{ dir, start }: ReturnType<typeof checkout>,
	{ tests = "sh ok.sh", timeoutMs = 60_000, patienceMs = 20_000 } = {},
) {
	const [tool] = await findTools(dir, PATH, LINES);
	const { run } = tool?.run({ start, tests, timeoutMs, patienceMs }) ?? expect.unreachable();
	const { stdout, stderr } = await runProcess(
		{
			command: ["sh", "-c", run],
			cwd: dir,
			env: { PATH, HOME: dir },
			timeoutMs: 60_000,
			mark: "tools-test",
		},
		new AbortController().signal,
	);
	const report = parseReport("mutation", stdout);
	if (report.kind === "invalid") throw new Error(`${report.reason}: ${stderr}`);
	expect(git(dir, "diff", "--stat")).toBe("");
	return mutationDetails(countMutants(report, [dir], new Map([["src/clamp.py", { lines: [3] }]])));
}

test("a tool is found where it is for files that it can mutate; of two for the same files the first", async () => {
	const { dir } = checkout({
		"node_modules/.bin/stryker": "",
		".venv/bin/mutmut": "",
		"venv/bin/cosmic-ray": "",
	});
	const names = async (path: string): Promise<string[]> =>
		(await findTools(dir, PATH, [{ path, lines: [1] }])).map(({ name }) => name);
	expect(await names("a.ts")).toEqual(["stryker"]);
	expect(await names("a.py")).toEqual(["cosmic-ray"]);
	expect(await names("a.go")).toEqual([]);
	expect(await findTools(checkout({}).dir, "", LINES)).toEqual([]);
});

test("Stryker is limited to ranges of lines, and characters of its patterns stand for themselves", async () => {
	const { dir } = checkout({ "node_modules/.bin/stryker": "" });
	const [tool] = await findTools(dir, PATH, [
		{ path: "src/[id].ts", lines: [3, 4, 9] },
		{ path: "it's.js", lines: [1] },
		{ path: "a,b.js", lines: [2] },
	]);
	const { run, report } =
		tool?.run({ start: "c0", tests: "true", timeoutMs: 1, patienceMs: 1 }) ?? expect.unreachable();
	expect(run).toContain(
		`run --mutate 'src/[[]id].ts:3-4,src/[[]id].ts:9-9,it'\\''s.js:1-1,a?b.js:2-2' --reporters json`,
	);
	expect(report).toEqual({ format: "mutation", path: "reports/mutation/mutation.json" });
});

/** What cosmic-ray does, as far as it is used: it makes a `<` or a `>` the other one. */
const COSMIC_RAY = `#!/usr/bin/env python3
import json, re, sys
command, *words = sys.argv[1:]
if command == "init":
    path = re.search(r'module-path = "(.*)"', open(words[0]).read()).group(1)
    open(words[1], "w").write(path)
elif command == "dump":
    path = open(words[0]).read()
    for count, (row, line) in enumerate((row, line) for row, line in enumerate(open(path), 1) if "<" in line or ">" in line):
        spec = {"module_path": path, "operator_name": "core/Compare", "occurrence": count, "start_pos": [row, 4], "end_pos": [row, 9], "operator_args": {}}
        print(json.dumps([{"job_id": str(count), "mutations": [spec]}, None]))
elif command == "apply":
    path, _, count = words
    lines = open(path).read().split("\\n")
    at = [at for at, line in enumerate(lines) if "<" in line or ">" in line][int(count)]
    lines[at] = lines[at].translate({60: ">", 62: "<"})
    open(path, "w").write("\\n".join(lines))
`;

thoroughly("cosmic-ray", () => {
	const here = () => checkout({ ".venv/bin/cosmic-ray": COSMIC_RAY });
	const survived =
		"survived: src/clamp.py:3 (Compare): if x > hi: return hi -> if x < hi: return hi";

	test("writes the mutants of the changed lines, and the tests are run on each", async () => {
		expect(await tried(here())).toEqual([
			"0 of 1 mutants on changed lines were detected",
			survived,
		]);
		const refuses = { tests: "grep -q 'x > hi' src/clamp.py" };
		expect(await tried(here(), refuses)).toEqual(["1 of 1 mutants on changed lines were detected"]);
	});

	thorough(
		"a mutant that never ends is detected; what the time did not suffice for is pending",
		async () => {
			const endless = { tests: "while :; do :; done", patienceMs: 100 };
			expect(await tried(here(), endless)).toEqual([
				"1 of 1 mutants on changed lines were detected",
			]);
			const short = { tests: "while :; do :; done", timeoutMs: 500 };
			expect(await tried(here(), short)).toEqual([
				"0 of 0 mutants on changed lines were detected; 1 more were not run",
			]);
		},
	);
});

const DIFF =
	"--- src/clamp.py\n+++ src/clamp.py\n@@ -1 +1 @@\n-    if x > hi: return hi\n+    if x &gt;= hi: return hi\n";

/** What mutmut 2 does: it keeps what it was asked for, and reports lines counted from 0 or 1. */
const mutmut2 = (line: number): string => `#!/bin/sh
case "$*" in
*--help*) echo "  --use-patch-file TEXT" ;;
run*) echo "$@" > "$HOME/asked"; cat "$5" > "$HOME/patch"; exit 2 ;;
junitxml*) cat <<'END'
<?xml version="1.0"?><testsuites><testsuite>
<testcase name="Mutant #1" file="src/clamp.py" line="${line}"><failure message="bad_survived">${DIFF}</failure><system-out>    if x &gt; hi: return hi</system-out></testcase>
<testcase name="Mutant #2" file="src/clamp.py" line="${line}"><system-out>    if x &gt; hi: return hi</system-out></testcase>
<testcase name="Mutant #3" file="src/clamp.py" line="${line}"><skipped/><system-out>    if x &gt; hi: return hi</system-out></testcase>
<testcase name="Mutant #4" file="src/clamp.py" line="1"><system-out>    if x &lt; lo: return lo</system-out></testcase>
</testsuite></testsuites>
END
;;
esac
`;

test.each([2, 3])("mutmut 2 is limited by a patch, and its lines are found (%i)", async (line) => {
	const here = checkout({ "venv/bin/mutmut": mutmut2(line) });
	expect(await tried(here)).toEqual([
		"1 of 2 mutants on changed lines were detected; 1 more were not run",
		"survived: src/clamp.py:3 (mutmut): if x > hi: return hi -> if x >= hi: return hi",
	]);
	const kept = (name: string): string => readFileSync(join(here.dir, name), "utf8");
	expect(kept("asked")).toMatch(
		/^run --paths-to-mutate src\/clamp.py --use-patch-file \S+ --runner \(?sh ok.sh\)? --no-progress$/m,
	);
	expect(kept("patch")).toContain("+    if x > hi: return hi");
});

/** What mutmut 3 does: mutants have names of functions, and no lines. */
const MUTMUT_3 = `#!/bin/sh
case "$1 $2" in
"run --help") echo "  --max-children INTEGER" ;;
"run "*) echo "$@" > "$HOME/asked" ;;
"results --all")
	echo "    clamp.x_clamp__mutmut_1: survived"
	echo "    clamp.x_clamp__mutmut_2: killed"
	echo "    clamp.x_clamp__mutmut_3: no tests"
	echo "    other.x_f__mutmut_1: survived" ;;
"show clamp.x_clamp__mutmut_3") printf -- '--- src/clamp.py\\n+++ src/clamp.py\\n@@ -1 +1 @@\\n-    if x < lo: return lo\\n+    if x <= lo: return lo\\n' ;;
"show "*) printf -- '--- src/clamp.py\\n+++ src/clamp.py\\n@@ -1 +1 @@\\n-    if x > hi: return hi\\n+    if x >= hi: return hi\\n' ;;
esac
`;

thorough("mutmut 3 is limited by modules, and what it replaces tells the line", async () => {
	const here = checkout({ "venv/bin/mutmut": MUTMUT_3 });
	expect(await tried(here)).toEqual([
		"1 of 2 mutants on changed lines were detected",
		"survived: src/clamp.py:3 (mutmut): if x > hi: return hi -> if x >= hi: return hi",
	]);
	expect(readFileSync(join(here.dir, "asked"), "utf8").trim()).toBe("run clamp.*");
});
