import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { z } from "zod";
import { processesOf } from "../support/processes.ts";
import { type Files, repository, type TestRepository } from "../support/repository.ts";
import { type SparOptions, spar } from "../support/spar.ts";
import { tidyLater } from "../support/tidy.ts";
import { workflow } from "../support/workflow.ts";

const SECRET = "blue-heron-4711";

/** Each file of `test/` prints the status of its own case. */
const RUNNER = `echo run >> "$OUT/runs"; n=0; rc=0; echo "TAP version 13"
for f in test/*.test.sh; do n=$((n+1)); if sh $f; then echo "ok $n - $f"; else echo "not ok $n - $f"; rc=1; fi; done
echo "1..$n"; exit $rc
`;

interface Project extends TestRepository {
	/** Executions of the suite since the last call. */
	readonly runs: () => number;
	readonly check: (args?: readonly string[], options?: SparOptions) => ReturnType<typeof spar>;
	readonly report: (
		args?: readonly string[],
		options?: SparOptions,
	) => Promise<z.infer<typeof reportJson>>;
	/** Answer of the stop hook; null: it said nothing. */
	readonly stop: () => Promise<z.infer<typeof answerJson> | null>;
}

const reportJson = z.looseObject({
	verdict: z.string(),
	not_counted: z.array(z.strictObject({ test: z.string(), why: z.string() })),
	integrity: z.looseObject({ notes: z.array(z.string()) }),
});

const answerJson = z.looseObject({ systemMessage: z.string().optional() });

/** A project that counts how often its suite runs; `$OUT` in its tests is a folder outside of it. */
function project(files: Files, keys: object = {}): Project {
	const repo = repository();
	tidyLater(() => repo.remove());
	const out = join(repo.home, "out");
	mkdirSync(out);
	const placed = Object.entries({ "test/run.sh": RUNNER, ...files }).map(
		([path, text]) => [path, String(text).replaceAll("$OUT", out)] as const,
	);
	repo.write({
		".gitignore": ".env\n",
		"src/value.txt": "good\n",
		"test/plain.test.sh": "test -e src\n",
		"sparring.yaml": workflow({
			agents: { dev: { adapter: "command", run: ["true"] } },
			tasks: { one: { agent: "dev", description: "x" } },
			checks: { tests: { kind: "acceptance", run: "sh test/run.sh", ...keys } },
		}),
		...Object.fromEntries(placed),
	});
	repo.commit("First");
	let known = 0;
	const runs = (): number => {
		const all = existsSync(join(out, "runs")) ? readFileSync(join(out, "runs")).length / 4 : 0;
		const fresh = all - known;
		known = all;
		return fresh;
	};
	const check: Project["check"] = (args = [], options) => spar(repo, ["check", ...args], options);
	const report: Project["report"] = async (args = [], options) => {
		const { stdout, stderr } = await check(["--json", ...args], options);
		if (stdout === "") throw new Error(stderr);
		return reportJson.parse(JSON.parse(stdout));
	};
	const stop = async () => {
		const call = { session_id: "s-1", cwd: repo.root, hook_event_name: "Stop" };
		const { stdout } = await check(["--hook", "stop"], { input: JSON.stringify(call) });
		return stdout === "" ? null : answerJson.parse(JSON.parse(stdout));
	};
	return { ...repo, runs, check, report, stop };
}

const NEEDS_ENV = { "test/price.test.sh": "grep -q CURRENCY .env && grep -q good src/value.txt\n" };
const BREAKS: Files = { "src/value.txt": "bad\n" };

test("work that breaks a test which needs an ignored file is not passed: what is lacking is told", async () => {
	const at = project(NEEDS_ENV);
	at.write({ ".env": `CURRENCY=EUR\nKEY=${SECRET}\n`, ...BREAKS });
	const before = at.git("status", "--porcelain", "--ignored");
	const { code, stderr, stdout, shown } = await at.check();
	expect(code, shown).toBe(2);
	expect(stdout).toBe("");
	expect(stderr).toMatch(
		/check tests: 1 test passes where you work and not in Sparring's checkouts: test\/price\.test\.sh/,
	);
	expect(stderr).toContain('they lack .env, which git ignores: add copy: [".env"]');
	expect(stderr).toContain("spar check --anyway");
	expect(shown).not.toContain(SECRET);
	expect(at.git("status", "--porcelain", "--ignored")).toBe(before);
	expect(readdirSync(join(at.home, "checkouts"), { recursive: true }).join(" ")).not.toMatch(
		/trial|\.env/,
	);
	// The agent is not held back, and a person is told.
	expect((await at.stop())?.systemMessage).toMatch(/has not judged this work.*\.env/s);
});

test("with --anyway it goes on, and the first line, the JSON, --strict and each hook say what is not counted", async () => {
	const at = project(NEEDS_ENV);
	at.write({ ".env": "CURRENCY=EUR\n", "src/more.txt": "more\n" });
	const { code, stdout } = await at.check(["--anyway"]);
	expect(code).toBe(0);
	expect(stdout).toMatch(/^pass, 1 test not counted {2}/);
	expect(stdout).toContain("not counted: test/price.test.sh: on the base it passes");
	expect((await at.report(["--anyway"])).not_counted).toMatchObject([
		{ test: "test/price.test.sh", why: "on the base it passes only where you work" },
	]);
	expect((await at.check(["--anyway", "--strict"])).code).toBe(3);
});

test("a base that is red for the user too is known failing, after one run more that is remembered", async () => {
	const at = project({ "test/old.test.sh": "exit 1\n" });
	at.write({ "src/more.txt": "more\n" });
	expect(await at.report()).toMatchObject({
		verdict: "pass",
		not_counted: [{ test: "test/old.test.sh", why: "it fails on the base too" }],
	});
	const first = at.runs();
	at.write({ "src/more.txt": "still more\n" });
	expect((await at.report()).verdict).toBe("pass");
	expect(first - at.runs()).toBe(1);
	// A plain pass says nothing; this one does.
	at.write({ "src/more.txt": "most\n" });
	expect((await at.stop())?.systemMessage).toMatch(/^pass, 1 test not counted/);
	at.git("add", ".");
	const hook = await at.check(["--hook", "pre-commit"]);
	expect([hook.code, hook.stdout]).toEqual([0, expect.stringContaining("1 test not counted")]);
	expect(hook.stderr).toMatch(
		/^judged: .*: pass, 1 test not counted \(red base: test\/old\.test\.sh\)$/m,
	);
	expect((await at.check(["--hook", "pre-commit", "--strict"])).code).toBe(3);
});

test("what fails on the base by now, too, is not blamed on the work, and is asked about", async () => {
	const at = project({ "test/service.test.sh": 'test ! -e "$OUT/down"\n' });
	at.write({ "src/more.txt": "more\n" });
	expect(await at.report()).toMatchObject({ verdict: "pass", not_counted: [] });
	writeFileSync(join(at.home, "out/down"), "");
	at.write({ "src/more.txt": "still more\n" });
	expect(await at.report()).toMatchObject({
		verdict: "review",
		not_counted: [{ test: "test/service.test.sh", why: "it fails on the base by now, too" }],
	});
	at.write({ ...BREAKS, "test/value.test.sh": "grep -q good src/value.txt\n" });
	expect((await at.report()).verdict, "its own faults stay its own").toBe("fail");
});

test("a base that gives no result where the user works blocks nothing, and that is told in one line", async () => {
	const tested = "test -e .env && exec tail -f src/value.txt; exit 1\n";
	const at = project({ "test/slow.test.sh": tested }, { timeout: "5s" });
	at.write({ ".env": "A=1\n", "src/more.txt": "more\n" });
	const { code, stderr, stdout } = await at.check();
	expect(code, stderr).toBe(0);
	expect(stdout).toMatch(/^pass, 1 test not counted/);
	expect(stderr.match(/could not be run where you work.*timed out/g)).toHaveLength(1);
	expect(processesOf(at)).toEqual([]);
});

test("a red test's report names the variables and places of the user that its source reads", async () => {
	const source = `# EDITOR and SECRET_NAME are words here.
[ -n "$DATABASE_ADDRESS" ] && [ -e "$HOME/.cache/browsers/chrome" ] && grep -q good src/value.txt
`;
	const at = project({ "test/value.test.sh": source });
	const chrome = join(at.home, ".cache/browsers/chrome");
	mkdirSync(dirname(chrome), { recursive: true });
	writeFileSync(chrome, "");
	const env = { DATABASE_ADDRESS: SECRET, EDITOR: "vi", SECRET_NAME: "x-none-y" };
	at.write({ "src/more.txt": "more\n" });
	expect((await at.report([], { env })).integrity.notes).toEqual([]);
	at.write(BREAKS);
	const { verdict, integrity } = await at.report([], { env });
	expect(verdict).toBe("fail");
	expect(integrity.notes).toEqual([
		"these tests use your surroundings: DATABASE_ADDRESS, ~/.cache/browsers",
	]);
});

test("a stack trace that names the checkout below the home is no use of the home", async () => {
	const source = `grep -q good src/value.txt || { echo "# at $PWD/src/value.txt:1"; false; }\n`;
	const at = project({ "test/value.test.sh": source });
	at.write(BREAKS);
	const env = { SPAR_CHECKOUTS: join(at.home, ".local/state/sparring") };
	const { verdict, integrity } = await at.report([], { env });
	expect([verdict, integrity.notes]).toEqual(["fail", []]);
});
