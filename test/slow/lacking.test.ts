import { mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { APPROVES, dataOf, type Play, type Stage, stage, WORKS } from "../acceptance/stage.ts";
import { thorough } from "../support/amount.ts";
import { processesOf } from "../support/processes.ts";
import { USER_HOME } from "../support/user-home.ts";

const SECRET = "blue-heron-4711";

/** A runner of cases: files in `test/` that print a line of TAP. It counts its runs beside the repository. */
const RUNNER = `echo run >> "${USER_HOME}/runs"
echo "TAP version 13"; echo "1..$(ls test | wc -l)"
n=0; for f in test/*.sh; do n=$((n+1)); sh $f $n; done > tap.out; cat tap.out
! grep -q '^not ok' tap.out`;

const PASSES = 'echo "ok $1 - plain"';

function lackingStage(
	files: Readonly<Record<string, string>>,
	{ workflow = {}, ...play }: Partial<Play> = {},
): Stage {
	return stage({
		steps: [WORKS, APPROVES],
		files: {
			".gitignore": ".env\n/fixtures/\ntap.out\nnode_modules/\n.idea/\n",
			"check.sh": RUNNER,
			"test/plain.sh": PASSES,
			...files,
		},
		workflow,
		...play,
	});
}

const NEEDS_ENV = {
	"test/price.sh":
		'if grep -q CURRENCY .env; then echo "ok $1 - price"; else echo "not ok $1 - price"; fi',
};
/** What the run beside the checkouts left of itself. */
const left = ({ repo }: Stage): string[] => [
	...readdirSync(join(repo.home, "checkouts"), { recursive: true, encoding: "utf8" }).filter(
		(path) => /(?:^|\/)trial/.test(path),
	),
	...processesOf(repo).map(({ command }) => command),
];
const runs = (set: Stage): number => set.kept("runs").trim().split("\n").length;

thorough(
	"a test that needs an ignored file stops the run before any call, and copy lets it go on",
	async () => {
		const set = lackingStage(NEEDS_ENV);
		set.repo.write({ ".env": `CURRENCY=EUR\nKEY=${SECRET}\n` });
		const { code, stderr, stdout } = await set.spar(["run"]);
		expect(code).toBe(2);
		expect(stderr, "no turn will count it or not").not.toContain("known failing");
		expect(stderr).toContain(
			`check tests: 1 test passes where you work and not in Sparring's checkouts: price ("grep: .env: No such file or directory"); they lack .env, which git ignores: add copy: [".env"]`,
		);
		expect(set.agents.calls()).toEqual([]);
		expect(stderr + stdout).not.toContain(SECRET);
		expect((await set.spar(["status"])).stdout).toContain(
			"in the way: check tests: 1 test passes where you work",
		);

		set.rewrite({ copy: [".env"] });
		const next = await set.run();
		expect(next.code, next.stderr).toBe(0);
		expect(next.stderr).not.toContain("known failing");
	},
);

thorough(
	"a test that skips itself without a folder of fixtures is found by a run where the user works",
	async () => {
		const set = lackingStage({
			"test/big.sh":
				'd=fixtures; test -d $d && echo "ok $1 - big" || echo "ok $1 - big # SKIP no data"',
		});
		set.repo.write({
			"fixtures/a/b.txt": "data\n",
			".idea/x.xml": "<x/>\n",
			"node_modules/m/i.js": "",
		});
		const before = set.repo.git("status", "--porcelain", "--ignored");
		const { code, stderr } = await set.spar(["run"]);
		expect(code).toBe(2);
		expect(stderr).toContain('they lack fixtures/, which git ignores: add copy: ["fixtures/"]');
		expect(set.repo.git("status", "--porcelain", "--ignored").replace("!! .sparring/\n", "")).toBe(
			before,
		);
		// With --anyway it goes on, and says in the end what was not counted.
		const gone = await set.spar(["resume", "--anyway"]);
		expect(gone.code, gone.stderr).toBe(0);
		expect(dataOf(set.trace(), "preflight-ended")).toMatchObject([
			{ outcome: "stopped", problems: [{ kind: "lacking", check: "tests" }] },
			{ outcome: "went_on" },
		]);
		expect(gone.stdout).toContain("check tests: not counted: 1 skipped (big)");
		expect((await set.spar(["report"])).stdout).toContain("not counted: 1 skipped (big)");
		const gate = set.repo.read(".sparring/state/gate-reports/one.json");
		expect(gate).toContain("not counted: 1 skipped (big)");
	},
);

thorough(
	"a test that fails for everybody, one that is always skipped and one that fails now and then stop nobody",
	async () => {
		const set = lackingStage({
			"test/old.sh": 'echo "not ok $1 - old .env"',
			"test/later.sh": 'echo "ok $1 - later # SKIP one day"',
			"test/flaky.sh":
				'if test -f "$HOME_OF_USER/once"; then echo "ok $1 - flaky"; else echo "not ok $1 - flaky"; fi; touch "$HOME_OF_USER/once"'.replaceAll(
					"$HOME_OF_USER",
					USER_HOME,
				),
		});
		set.repo.write({ ".env": "A=1\n" });
		const { code, stderr, task } = await set.run();
		expect({ code, merged: task.merged }, stderr).toEqual({ code: 0, merged: true });
		expect(stderr).toContain("2 known failing (flaky, old .env), 1 skipped (later)");
		expect(task).toMatchObject({
			not_counted: [expect.stringContaining("1 known failing (old .env), 1 skipped (later)")],
		});
	},
);

/** A test by the status of its command. */
const asks = (command: string, name: string): string =>
	`if ${command}; then echo "ok $1 - ${name}"; else echo "not ok $1 - ${name}"; fi`;

test("a test that needs a variable of the user's shell stops the run, and env lets it go on", async () => {
	const set = lackingStage({ "test/db.sh": asks('[ -n "$DATABASE_ADDRESS" ]', "db") });
	const env = { DATABASE_ADDRESS: SECRET, EDITOR: "vi" };
	const { code, stderr, stdout } = await set.spar(["run"], { env });
	expect(code).toBe(2);
	expect(stderr).toContain(
		"they lack DATABASE_ADDRESS, which your shell has: add env: [DATABASE_ADDRESS] to the workflow file",
	);
	expect(set.agents.calls()).toEqual([]);
	expect(stderr + stdout).not.toContain(SECRET);
	expect(left(set)).toEqual([]);

	set.rewrite({ env: ["DATABASE_ADDRESS"] });
	const next = await set.spar(["run", "--json"], { env });
	expect(next.code, next.stderr).toBe(0);
	expect(next.stderr).not.toContain("known failing");
});

thorough(
	"a test that needs a browser below the user's home stops the run and names it",
	async () => {
		const browser = '$(echo "$HOME/.cache/browsers/chrome")';
		const set = lackingStage({
			"test/e2e.sh": `c=${browser}; [ -e "$c" ] || echo "no such file: $c" >&2; ${asks('[ -e "$c" ]', "e2e")}`,
		});
		const chrome = join(set.repo.home, ".cache/browsers/chrome");
		mkdirSync(dirname(chrome), { recursive: true });
		writeFileSync(chrome, "");
		const { code, stderr } = await set.spar(["run"]);
		expect(code).toBe(2);
		expect(stderr).toContain("they lack ~/.cache/browsers/chrome of your home: make it in setup");
		expect(left(set)).toEqual([]);
	},
);

thorough(
	"a base that is red for the user too costs one run the first time, and none then",
	async () => {
		const green = lackingStage({});
		expect((await green.run()).code).toBe(0);
		const red = lackingStage({ "test/old.sh": asks("false", "old") });
		expect((await red.run()).code).toBe(0);
		const first = runs(red);
		expect(first).toBe(runs(green) + 1);
		expect((await red.run()).code).toBe(0);
		expect(runs(red) - first).toBe(first - 1);
	},
);

const IN_TRIAL = 'case "$PWD" in */trial/*)';

thorough(
	"where it cannot be run as the user has it, that is told in one line and stops nobody",
	async () => {
		const old = { "test/old.sh": asks("false", "old") };
		for (const workflow of [
			{ setup: [`${IN_TRIAL} exit 3;; esac`] },
			{
				checks: {
					tests: {
						kind: "acceptance",
						run: `${IN_TRIAL} tail -f check.sh;; esac; sh check.sh`,
						timeout: "9s",
					},
				},
			},
		]) {
			const set = lackingStage(old, { workflow });
			const { code, stderr, task } = await set.run();
			expect({ code, merged: task.merged }, stderr).toEqual({ code: 0, merged: true });
			expect(stderr.match(/could not be run where you work/g), stderr).toHaveLength(1);
			expect(left(set)).toEqual([]);
		}
	},
);

thorough("a submodule that the user has is in the checkouts too", async () => {
	const set = lackingStage({
		"test/lib.sh": 'test -f vendor/lib/k && echo "ok $1 - lib" || echo "not ok $1 - lib"',
	});
	const lib = join(set.repo.home, "lib");
	mkdirSync(lib);
	writeFileSync(join(lib, "k"), "1\n");
	set.repo.git("-C", lib, "init", "-q");
	set.repo.git("-C", lib, "add", ".");
	set.repo.git(
		"-C",
		lib,
		"-c",
		"user.name=T",
		"-c",
		"user.email=t@example.invalid",
		"commit",
		"-qm",
		"lib",
	);
	set.repo.git(
		"-c",
		"protocol.file.allow=always",
		"submodule",
		"--quiet",
		"add",
		lib,
		"vendor/lib",
	);
	set.repo.commit("Lib");
	const { code, stderr, task } = await set.run();
	expect({ code, merged: task.merged }, stderr).toEqual({ code: 0, merged: true });
	expect(task).toMatchObject({ not_counted: [] });
});

thorough(
	"a red check that only its exit code tells of ends a run before any call, with its own words",
	async () => {
		const checks = {
			tests: {
				kind: "acceptance",
				run: "sh check.sh && git describe --no-such-option",
				timeout: "20s",
			},
		};
		const set = stage({ human: true, steps: [WORKS, APPROVES], workflow: { checks } });
		const { code, stderr } = await set.spar(["run"]);
		expect(code).toBe(2);
		expect(stderr).toMatch(
			/check tests fails before any work, and would in each turn: "error: unknown option/,
		);
		expect(set.agents.calls()).toEqual([]);
		expect((await set.spar(["resume", "--anyway"])).code).toBe(3);
		const [item] = (await set.json("hil", "list")) as { id: string }[];
		expect((await set.spar(["hil", "show", item?.id ?? ""])).stdout).toContain(
			"error: unknown option",
		);
	},
);

thorough(
	"red tests that an exit code tells of are told, and are the task's to make green",
	async () => {
		const checks = {
			tests: {
				kind: "acceptance",
				run: "test -f work.txt || { echo missing work; exit 1; }",
				report: { format: "exit" },
			},
		};
		const set = stage({ steps: [WORKS, APPROVES], workflow: { checks } });
		const { code, stderr } = await set.run();
		expect(code).toBe(0);
		expect(stderr).toContain(
			'note: check tests fails before any work, and would in each turn: "missing work"',
		);
	},
);
