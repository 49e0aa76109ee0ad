import {
	existsSync,
	mkdirSync,
	readdirSync,
	readFileSync,
	rmSync,
	symlinkSync,
	writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { thorough } from "../support/amount.ts";
import { USER_HOME } from "../support/user-home.ts";
import { APPROVES, answersSuspicions, CRITERION, type Stage, stage, WORKS } from "./stage.ts";

/** A runner of cases: `test/*.sh` each print a line of TAP. It counts its runs beside the repository. */
const RUNNER = `echo run >> "${USER_HOME}/runs"
echo "TAP version 13"; echo "1..$(ls test | wc -l)"
n=0; for f in test/*.sh; do n=$((n+1)); sh $f $n; done > tap.out; cat tap.out
! grep -q '^not ok' tap.out`;

const COMMAND = ["--command", "sh check.sh"] as const;

/** A test that is green where a condition holds, else says a word. */
const needs = (condition: string, word: string): string =>
	`if ${condition}; then echo "ok $1 - needy"; else echo "not ok $1 - needy"; echo "# ${word}"; fi\n`;

interface Scene extends Stage {
	/** Runs of the suite since the last call. */
	readonly runs: () => number;
	readonly check: (...args: readonly string[]) => ReturnType<Stage["spar"]>;
}

function scene(tests: Readonly<Record<string, string>>, more: object = {}): Scene {
	const set = stage({
		steps: [WORKS, APPROVES],
		files: {
			".gitignore": ".env\n/fixtures/\ntap.out\n",
			"check.sh": RUNNER,
			"test/plain.sh": 'echo "ok $1 - plain"\n',
			...tests,
		},
		...more,
	});
	const file = join(set.repo.home, "runs");
	let known = 0;
	const runs = (): number => {
		const all = existsSync(file) ? readFileSync(file, "utf8").trim().split("\n").length : 0;
		const fresh = all - known;
		known = all;
		return fresh;
	};
	const check = (...args: readonly string[]) => set.spar(["check", ...COMMAND, ...args]);
	return { ...set, runs, check };
}

/** Work that touches no test. */
const work = ({ repo }: Scene, text = "x"): void => repo.write({ "src/work.txt": `${text}\n` });

/** Folder of caches, in shell. */
const CACHE = ["$", "{XDG_CACHE_HOME:-$HOME/.cache}"].join("");

const ENV = { "test/needy.sh": needs("grep -q CURRENCY .env", "the price has no currency") };
const VARIABLE = {
	"test/needy.sh": needs('[ -n "$DATABASE_ADDRESS" ]', "DATABASE_ADDRESS is not set"),
};

test("a variable that the user's shell has and the checkouts do not stops a run, and `env` brings it in", async () => {
	const set = scene(VARIABLE);
	const env = { DATABASE_ADDRESS: "db.example.org" };
	const { code, stderr } = await set.spar(["run"], { env });
	expect(code, stderr).toBe(2);
	expect(stderr).toContain("1 test passes where you work and not in Sparring's checkouts: needy");
	expect(stderr).toContain(
		"they lack DATABASE_ADDRESS, which your shell has: add env: [DATABASE_ADDRESS]",
	);
	expect(set.agents.calls()).toEqual([]);

	set.rewrite({ env: ["DATABASE_ADDRESS"] });
	const next = await set.spar(["run", "--json"], { env });
	expect(next.code, next.stderr).toBe(0);
	expect(next.stderr).not.toContain("known failing");
});

thorough("a variable that product code alone names is told too", async () => {
	const set = scene({
		"test/needy.sh": needs("sh src/connect.sh", "no connection"),
		"src/connect.sh": 'test "$QUEUE_HOST" = here\n',
	});
	const { code, stderr } = await set.spar(["run"], { env: { QUEUE_HOST: "here" } });
	expect(code, stderr).toBe(2);
	expect(stderr).toContain("add env: [QUEUE_HOST]");
});

thorough("a browser in the user's home stops a run that cannot have it", async () => {
	const set = scene({
		"test/needy.sh": needs(
			`test -e "${CACHE}/browsers/chrome"`,
			`no browser at ${CACHE}/browsers/chrome`,
		),
	});
	mkdirSync(join(set.repo.home, ".cache/browsers"), { recursive: true });
	writeFileSync(join(set.repo.home, ".cache/browsers/chrome"), "");
	const { code, stderr } = await set.spar(["run"]);
	expect(code, stderr).toBe(2);
	expect(stderr).toContain("they lack ~/.cache/browsers/chrome of your home: make it in setup");
});

thorough(
	"a check stops for want of an ignored file, and goes on with --anyway, which it says in its first line",
	async () => {
		const set = scene(ENV);
		set.repo.write({ ".env": "CURRENCY=EUR\n" });
		work(set);
		const { code, stderr, stdout } = await set.check();
		expect(code, stderr).toBe(2);
		expect(stdout).toBe("");
		expect(stderr).toContain("needy");
		expect(stderr).toContain('they lack .env, which git ignores: add copy: [".env"]');
		expect(stderr).toContain("--anyway");

		const gone = await set.check("--anyway");
		expect(gone.code, gone.stderr).toBe(0);
		expect(gone.stdout.split("\n")[0]).toMatch(/^pass, 1 test not counted {2}/);
		expect(gone.stdout).toContain("not counted: needy: on the base it passes only where you work");
		expect((await set.check("--anyway", "--strict")).code).toBe(3);
	},
);

thorough(
	"a check that sees home and variables does not call them lacking, nor name a command that sets them",
	async () => {
		const set = scene({ "test/needy.sh": needs(`[ "$HOME" = "${USER_HOME}" ]`, "not there") });
		work(set);
		const { code, stderr } = await set.check();
		expect(code, stderr).toBe(2);
		expect(stderr).toContain("nothing that they lack was found: it may write to your home");
		expect(stderr).not.toMatch(/they lack your home|your shell|NAME/);
	},
);

thorough("a link to a file outside of the checkout is followed where the user works", async () => {
	const set = scene(ENV);
	writeFileSync(join(set.repo.home, "shared.env"), "CURRENCY=EUR\n");
	symlinkSync("../shared.env", join(set.repo.root, ".env"));
	work(set);
	const { code, stderr } = await set.check();
	expect(code, stderr).toBe(2);
	expect(stderr).toContain("they lack .env");
});

thorough(
	"what is red for the user too is known failing: one run more at first, and none later",
	async () => {
		const set = scene(ENV);
		work(set);
		const first = await set.check("--json");
		expect(first.code, first.stderr).toBe(0);
		// Base, the user's surroundings, work, and its replay where no test can be planted.
		const runs = set.runs();
		expect(JSON.parse(first.stdout)).toMatchObject({
			verdict: "pass",
			not_counted: [{ test: "needy", why: "it fails on the base too" }],
		});
		work(set, "y");
		const second = await set.check();
		expect(second.code, second.stderr).toBe(0);
		expect(second.stdout).toMatch(/^pass, 1 test not counted/);
		expect(set.runs()).toBe(runs - 1);
		// What has changed around is asked again.
		set.repo.write({ ".env": "CURRENCY=EUR\n" });
		work(set, "z");
		expect((await set.check()).code).toBe(2);
	},
);

thorough(
	"a green base costs no run more, and what is always skipped is asked about once",
	async () => {
		const green = scene({});
		work(green);
		expect((await green.check()).code).toBe(0);
		const plain = green.runs();
		const skips = scene({ "test/later.sh": 'echo "ok $1 - later # SKIP one day"\n' });
		work(skips);
		const { code, stdout } = await skips.check();
		expect([code, stdout.split(" ")[0]]).toEqual([0, "pass"]);
		expect(skips.runs()).toBe(plain + 1);
		skips.repo.commit("Another base");
		work(skips, "y");
		expect((await skips.check()).code).toBe(0);
		expect(skips.runs()).toBeLessThanOrEqual(plain);
	},
);

thorough("where the user's surroundings give no result the check says so and goes on", async () => {
	const set = scene({
		...ENV,
		// A check that hangs, in the user's surroundings alone.
		"check.sh": `${RUNNER.split("\n").slice(0, -1).join("\n")}
if test -n "$OWN_SHELL"; then kill -9 $$; fi
! grep -q '^not ok' tap.out`,
	});
	const { code, stderr, task } = await set.run();
	expect(code, stderr).toBe(0);
	expect(task.merged).toBe(true);
	const again = await set.spar(["run", "--json"], { env: { OWN_SHELL: "1" } });
	expect(again.code, again.stderr).toBe(0);
	expect(again.stderr).toContain("check tests could not be run where you work");
});

thorough(
	"a run in the user's surroundings leaves nothing behind, in the checkout neither",
	async () => {
		const set = scene({ "test/needy.sh": `${needs("false", "red")}echo x > left.txt\n` });
		work(set);
		const before = set.repo.git("status", "--porcelain", "--ignored");
		expect((await set.check()).code).toBe(0);
		expect(set.repo.git("status", "--porcelain", "--ignored")).toBe(before);
		const trials = readdirSync(set.repo.home, { recursive: true, encoding: "utf8" });
		expect(trials.filter((path) => path.includes("trial"))).toEqual([]);
	},
);

thorough("a coach looks at work whose base lacks nothing where the user works", async () => {
	const set = scene(VARIABLE);
	work(set);
	const env = { DATABASE_ADDRESS: "db.example.org" };
	const args = [
		"check",
		...COMMAND,
		"--coach",
		"coach",
		"--task",
		"Do it.",
		"--criterion",
		CRITERION,
	];
	const { code, stdout, stderr } = await set.spar(args, { env });
	expect(code, stdout + stderr).toBe(0);
	expect(stdout).toMatch(/^pass {2}/);
});

const FLAG = {
	"test/needy.sh": needs(`test -e "${USER_HOME}/flag"`, "the database is down"),
};

thorough(
	"a case that fails on the base by now is not blamed on the work: one run more, and the words",
	async () => {
		const set = scene(FLAG);
		const flag = join(set.repo.home, "flag");
		writeFileSync(flag, "");
		work(set);
		expect((await set.check()).code).toBe(0);
		set.runs();
		work(set, "y");
		expect((await set.check()).code).toBe(0);
		const kept = set.runs();
		rmSync(flag);
		work(set, "z");
		const { code, stdout, stderr } = await set.check("--json");
		expect(code, stdout + stderr).toBe(0);
		expect(JSON.parse(stdout)).toMatchObject({
			verdict: "review",
			suspicions: [{ rule: "red_by_now", file: "tests", text: "- needy" }],
			not_counted: [{ test: "needy", why: "it fails on the base by now, too" }],
		});
		expect(set.runs()).toBe(kept + 1);
		// It stays asked about: the work may be what made the base red.
		work(set, "zz");
		expect((await set.check()).stdout).toMatch(/^review, 1 test not counted.*/);
	},
);

thorough(
	"a run does not blame its player for a base that went red since it was kept, and its coach is asked",
	async () => {
		const asks = { role: "coach", run: answersSuspicions(true) } as const;
		const set = scene(FLAG, { steps: [WORKS, asks] });
		const flag = join(set.repo.home, "flag");
		writeFileSync(flag, "");
		work(set);
		expect((await set.spar(["check"])).code).toBe(0);
		set.repo.git("clean", "-fdq");
		rmSync(flag);
		const { code, task, stderr } = await set.run();
		expect([code, task.merged], stderr).toEqual([0, true]);
		expect(task).toMatchObject({ turns: 1, not_counted: [expect.stringContaining("needy")] });
	},
);

thorough(
	"work that breaks what it was kept green for is blamed, after the base ran again",
	async () => {
		const set = scene({
			"test/needy.sh": needs("grep -q good src/product.txt", "bad product"),
			"src/product.txt": "good\n",
		});
		work(set);
		expect((await set.check()).code).toBe(0);
		set.repo.write({ "src/product.txt": "bad\n" });
		const { code, stdout } = await set.check();
		expect(code).toBe(1);
		expect(stdout).toContain("needy");
		expect(stdout).not.toContain("by now");
	},
);

thorough(
	"work that makes the base red before it is asked again does not excuse what it breaks",
	async () => {
		const open = `test -e "${USER_HOME}/lock" && exit 1; echo 10`;
		const set = scene({
			"src/open.sh": open,
			"test/needy.sh": needs('[ "$(sh src/open.sh)" = 10 ]', "the limit is another one"),
		});
		work(set);
		expect((await set.check()).code).toBe(0);
		set.repo.write({ "src/open.sh": `touch "${USER_HOME}/lock"; echo 11` });
		for (const _ of ["first", "again"]) {
			const { stdout } = await set.check("--json");
			expect(JSON.parse(stdout)).toMatchObject({
				verdict: "review",
				suspicions: [{ rule: "red_by_now", text: "- needy" }],
			});
		}
		set.repo.git("checkout", "--quiet", ".");
		set.repo.git("clean", "-fdq");
		rmSync(join(set.repo.home, "lock"));
		expect((await set.check()).code, "nothing is left of it").not.toBe(1);
	},
);

test("a red exit without a failed case shows the command's own words", async () => {
	const set = scene({});
	work(set);
	const run = "sh check.sh; echo 'ERROR: coverage 61.2% does not meet the threshold'; exit 1";
	const { code, stdout } = await set.spar(["check", "--command", run]);
	expect(code).toBe(1);
	expect(stdout).toContain("ERROR: coverage 61.2% does not meet the threshold");
	expect(stdout.replaceAll(/\s+/g, " ")).toContain("it failed at the baseline too");
});

thorough("hooks and formats tell what is not counted", async () => {
	const set = scene({ "test/old.sh": 'echo "not ok $1 - old"\n' });
	work(set);
	const input = JSON.stringify({ session_id: "s", cwd: set.repo.root, hook_event_name: "Stop" });
	const stop = await set.spar(["check", ...COMMAND, "--hook", "stop"], { input });
	expect(stop.stdout).toMatch(/^\{"systemMessage":"pass, 1 test not counted.*not counted: old/);
	set.repo.git("add", "-A");
	const commit = await set.spar(["check", ...COMMAND, "--hook", "pre-commit"]);
	expect([commit.code, commit.stdout]).toEqual([
		0,
		expect.stringContaining("pass, 1 test not counted"),
	]);
	const folder = dirname(set.repo.root);
	const files = ["sarif", "junit", "markdown"].map((name) => [name, join(folder, name)] as const);
	const formats = files.flatMap(([name, file]) => ["--format", `${name}=${file}`]);
	const { stdout } = await set.check(...formats, "--format", "github");
	expect(stdout).toContain("::notice title=not counted::old: it fails on the base too");
	const [sarif, junit, markdown] = files.map(([, file]) => readFileSync(file, "utf8"));
	expect(sarif).toContain('"level": "note"');
	expect(junit).toContain('<testcase name="not counted: old"');
	expect(markdown).toContain("## spar check: pass, 1 test not counted (red base: old)");
});
