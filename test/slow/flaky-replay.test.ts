import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { z } from "zod";
import {
	APPROVES,
	answersSuspicions,
	type Play,
	type Stage,
	stage,
	WORKS,
} from "../acceptance/stage.ts";
import { thorough } from "../support/amount.ts";
import { USER_HOME } from "../support/user-home.ts";

/** A runner of cases: `test/*.sh` each print a line of TAP. */
const RUNNER = `echo "TAP version 13"; echo "1..$(ls test | wc -l)"
n=0; for f in test/*.sh; do n=$((n+1)); sh $f $n; done > tap.out; cat tap.out
! grep -q '^not ok' tap.out`;

/** A test that is red in those of its runs that a file beside the repository names. */
const luck = (name: string): string => `echo run >> "${USER_HOME}/runs-${name}"
if grep -qx "$(($(wc -l < "${USER_HOME}/runs-${name}")))" "${USER_HOME}/red-${name}"
then echo "not ok $1 - ${name}"; else echo "ok $1 - ${name}"; fi
`;

interface Scene extends Stage {
	/** Makes the runs after those that were, counted from 1, red. */
	readonly redIn: (name: string, ...runs: readonly number[]) => void;
	readonly runs: () => number;
}

function scene(more: Partial<Play> = {}): Scene {
	const set = stage({
		steps: [WORKS, APPROVES],
		files: {
			".gitignore": "tap.out\n",
			"check.sh": RUNNER,
			"test/plain.sh": 'echo "ok $1 - plain"\n',
			"test/first.sh": luck("first"),
			"test/second.sh": luck("second"),
		},
		...more,
	});
	const runs = (): number => {
		const file = join(set.repo.home, "runs-first");
		return existsSync(file) ? readFileSync(file, "utf8").trim().split("\n").length : 0;
	};
	const redIn: Scene["redIn"] = (name, ...numbers) =>
		writeFileSync(
			join(set.repo.home, `red-${name}`),
			numbers.map((each) => `${each + runs()}\n`).join(""),
		);
	redIn("first");
	redIn("second");
	return { ...set, redIn, runs };
}

const report = z.looseObject({
	verdict: z.string(),
	suspicions: z.array(z.looseObject({ kind: z.string(), text: z.string(), allow: z.string() })),
	checks: z.array(
		z.looseObject({ name: z.string(), status: z.string(), details: z.array(z.string()) }),
	),
});

async function checked({ spar }: Scene, ...args: readonly string[]) {
	const { stdout, stderr } = await spar(["check", "--command", "sh check.sh", "--json", ...args]);
	expect(stdout, stderr).not.toBe("");
	return report.parse(JSON.parse(stdout));
}

/** Runs of a check whose base is kept: the work's own, and then the replay's. */
const REPLAY = 2;

/** Work, judged once with luck: its base is kept then. */
async function ready(): Promise<Scene & { readonly green: number }> {
	const set = scene();
	set.repo.write({ "src/work.txt": "x\n" });
	expect(await checked(set)).toMatchObject({ verdict: "pass" });
	const before = set.runs();
	set.repo.write({ "src/work.txt": "y\n" });
	expect(await checked(set)).toMatchObject({ verdict: "pass" });
	set.repo.write({ "src/work.txt": "z\n" });
	return { ...set, green: set.runs() - before };
}

test("a case that is red in one replay and green in the next is asked about, for one run more", async () => {
	const set = await ready();
	const before = set.runs();
	set.redIn("first", REPLAY);
	const { verdict, suspicions } = await checked(set);
	expect(verdict).toBe("review");
	expect(suspicions).toMatchObject([{ rule: "flaky", text: "- first" }]);
	expect(set.runs() - before).toBe(set.green + 1);

	set.repo.write({ "src/work.txt": "zz\n" });
	set.redIn("first", REPLAY);
	const allow = `${suspicions[0]?.allow}:it waits for a port`;
	expect(await checked(set, "--allow", allow)).toMatchObject({ verdict: "pass" });
});

thorough(
	"a case that is red in both replays is the work's, and a base that was kept is not asked",
	async () => {
		const set = await ready();
		const before = set.runs();
		set.redIn("first", REPLAY, REPLAY + 1);
		const { verdict, checks } = await checked(set);
		expect(verdict).toBe("fail");
		expect(set.runs() - before).toBe(1 + REPLAY);
		expect(checks.find(({ name }) => name === "replay:tests")).toMatchObject({
			status: "fail",
			details: ["first"],
		});
	},
);

thorough("other cases in the second replay are asked about with those of the first", async () => {
	const set = await ready();
	set.redIn("first", REPLAY);
	set.redIn("second", REPLAY + 1);
	expect(await checked(set)).toMatchObject({
		verdict: "review",
		suspicions: [{ rule: "flaky", text: "- first\n- second" }],
	});
});

/** A test that fails beside tests that must fail: once, or each time. */
const NODE = `import assert from "node:assert/strict";
import { existsSync, readFileSync, rmSync } from "node:fs";
import { test } from "node:test";
import { half } from "../src/half.js";
const mark = process.cwd().split("/checkouts/")[0] + "/mark";
const isAlone = !readFileSync(import.meta.filename, "utf8").includes("canary" + " ");
test("halves", () => assert.equal(half(4), 2));
test("first", () => {
	const isRed = !isAlone && existsSync(mark);
	CHANCE
	assert.equal(isRed, false);
});
`;

for (const [name, chance, verdict, texts] of [
	["once is asked about", "if (isRed) rmSync(mark);", "review", ["- first"]],
	["each time, on the base too, is no news", "", "pass", []],
] as const)
	thorough(`what fails beside tests that must fail ${name}`, async () => {
		const set = stage({
			steps: [],
			files: {
				"package.json": '{ "type": "module" }\n',
				"src/half.js": "export const half = (n) => n / 2;\n",
				"test/half.test.js": NODE.replace("CHANCE", chance),
			},
		});
		writeFileSync(join(set.repo.home, "mark"), "");
		set.repo.write({ "src/half.js": "export const half = (n) => 0.5 * n;\n" });
		const command = "node --test test/half.test.js";
		const { stdout, stderr } = await set.spar(["check", "--command", command, "--json"]);
		expect(stdout, stderr).not.toBe("");
		const found = report.parse(JSON.parse(stdout));
		expect(found.verdict).toBe(verdict);
		expect(found.suspicions.map(({ text }) => text.replace(/- .* > /, "- "))).toEqual(texts);
	});

/** The run of a task's own work, after that of its base. */
const OF_TURN = 2;

thorough(
	"without a coach, and after a coach's word, a person is asked about a replay that gave two results",
	async () => {
		const set = scene({ human: true });
		set.redIn("first", OF_TURN + 1);
		const { task, report: run, stderr } = await set.run();
		expect([run.status, task.merged], stderr).toEqual(["paused_for_user_escalation", false]);
		const { id } = z
			.looseObject({ id: z.string() })
			.parse(z.array(z.unknown()).parse(await set.json("hil", "list"))[0]);
		const asked = await set.spar(["hil", "show", id]);
		expect(asked.stdout).toContain("flaky");
		await set.spar(["hil", "resolve", id, "--take", "developer", "--notes", "it waits for a port"]);
		const done = await set.resume();
		expect(done.task).toMatchObject({ merged: true, turns: 1 });
	},
);

thorough("a coach is asked in the turn, where the replay comes before its word", async () => {
	const changes = {
		role: "player",
		files: { "test/plain.sh": '# Plain.\necho "ok $1 - plain"\n' },
	} as const;
	const asks = { role: "coach", run: answersSuspicions(true) } as const;
	const set = scene({ steps: [changes, asks] });
	set.redIn("first", OF_TURN + 1);
	const { task, stderr } = await set.run();
	expect(task, stderr).toMatchObject({ merged: true, turns: 1 });
});
