import { beforeAll, describe, expect, test } from "vitest";
import {
	APPROVAL,
	APPROVES,
	dataOf,
	type Outcome,
	oneTurnTasks,
	type Stage,
	stage,
} from "./stage.ts";

const TESTS = `import assert from "node:assert/strict";
import { test } from "node:test";
import { fee } from "./fee.js";

test("a tenth", () => {
	assert.equal(fee(1000), 100);
});

test("at least twenty", () => {
	assert.equal(fee(10), 20);
});
`;
const BASE = {
	"package.json": '{ "name": "fees", "type": "module" }\n',
	"fee.js": "export const fee = (amount) => Math.max(20, amount / 10);\n",
	"fee.test.js": TESTS,
};
const THIRTY = "export const fee = (amount) => Math.max(30, amount / 10);\n";
const EXACT = TESTS.replace("fee(10), 20", "fee(10), 30");

/** A coach that says yes to every suspicion, with these words. */
const saysYes = (words: string) => `node -e '
const fs = require("node:fs");
const { suspicions } = JSON.parse(fs.readFileSync(process.env.SPAR_CONTEXT));
const suspicions_status = suspicions.map(({ id }) => ({ id, ok: true, asked_for: ${JSON.stringify(words)} }));
const report = { ...${JSON.stringify(APPROVAL)}, suspicions_status };
fs.writeFileSync(process.env.SPAR_REPORT, JSON.stringify(report));'`;

interface Play {
	readonly test: string;
	/** Words of the coach; left out: it answers nothing. */
	readonly words?: string;
	readonly allow?: readonly object[];
}

const edit = [{ path: "fee.test.js", change: "edit", reason: "the least fee" }];
const WEAKER = TESTS.replace("assert.equal(fee(10), 20)", "assert.ok(fee(10) > 0)");
const PLAYS: Readonly<Record<string, Play>> = {
	quoted: { test: EXACT, words: "The least fee becomes 30" },
	unquoted: { test: EXACT, words: "" },
	invented: { test: EXACT, words: "the fee may be 30" },
	beside: { test: EXACT, words: "and nothing else" },
	unanswered: { test: EXACT },
	weaker: { test: WEAKER, words: "The least fee becomes 30" },
	allowed: { test: EXACT, allow: edit },
	"allowed-weaker": { test: WEAKER, words: "The least fee becomes 30", allow: edit },
};

let set: Stage;
let outcome: Outcome;

beforeAll(async () => {
	const tasks = Object.entries(oneTurnTasks(PLAYS)).map(([name, task]) => [
		name,
		{ ...task, description: "The least fee becomes 30, and nothing else changes." },
	]);
	set = stage({
		steps: [
			...Object.entries(PLAYS).flatMap(([task, play]) => [
				{ task, role: "player" as const, files: { "fee.js": THIRTY, "fee.test.js": play.test } },
				...(play.words === undefined
					? []
					: [{ task, role: "coach" as const, run: saysYes(play.words) }]),
			]),
			APPROVES,
		],
		files: BASE,
		workflow: {
			merge: { into: "none" },
			checks: { tests: { kind: "acceptance", run: "node --test" } },
			tasks: Object.fromEntries(tasks),
		},
	});
	outcome = await set.run();
});

const isMerged = (name: string) => outcome.report.tasks[name]?.success;

describe("a right change of behaviour, with a test that asks for it as exactly", () => {
	test("merges when the coach quotes the task's words, or the task allows the file", () => {
		expect([isMerged("quoted"), isMerged("allowed")]).toEqual([true, true]);
		const [replay] = dataOf(set.trace("quoted"), "check-ran").filter(
			({ kind }) => kind === "replay",
		);
		expect(replay).toMatchObject({
			status: "pass",
			reason:
				"1 test of the base left out: the work changed what they expect, or has them no longer",
		});
	});

	test.each(["unquoted", "invented", "beside"])(
		"does not with words that do not ask for it (%s): a person is to decide",
		(name) => {
			expect(isMerged(name)).toBe(false);
			const [routed] = dataOf(set.trace(name), "turn-routed");
			expect(routed).toMatchObject({ route: "escalate" });
			expect(JSON.stringify(routed)).toContain("a test expects something else now");
		},
	);

	test("is no matter of silence: the coach is asked again", () => {
		expect(isMerged("unanswered")).toBe(false);
		const [routed] = dataOf(set.trace("unanswered"), "turn-routed");
		expect(routed).toMatchObject({ route: "max_turns" });
	});
});

test("a test that asks for less fails, whoever says yes, in an allowed file too", () => {
	for (const name of ["weaker", "allowed-weaker"]) {
		expect(isMerged(name), name).toBe(false);
		const [verdict] = dataOf(set.trace(name), "turn-judged");
		expect(String(verdict?.["reasons"]), name).toContain("nothing notices when fee(10) gives");
	}
});
