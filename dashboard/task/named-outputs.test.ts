import { expect, test } from "vitest";
import { aTaskDetail } from "../../test/browser/story.ts";
import { namedOutputs } from "./named-outputs.ts";

const log = (path: string, turn: number | null, bytes = 9) => ({
	path,
	turn,
	source: "check" as const,
	name: "turn-tests",
	changed_at: "",
	bytes,
});

const { task: story } = aTaskDetail();
const [first] = story.turns;
const [piece] = first?.checks ?? [];
if (first === undefined || piece === undefined) throw new Error("the story has evidence");

const task = {
	...story,
	node: null,
	baseline: [],
	turns: [
		{
			...first,
			calls: first.calls.slice(0, 1).map((call) => ({ ...call, call: 2, log: "player" })),
			checks: [
				{ ...piece, log: "tests", status: "fail" as const },
				{ ...piece, log: "cold", purpose: "assembled" as const, status: "pass" as const },
			],
		},
	],
};
const logs = [
	log("tests", 1),
	log("player", 1),
	log("cold", 1),
	log("empty", 1, 0),
	log("setup", null),
];
const named = (node: string | null): string[] =>
	namedOutputs({ ...task, node }, logs).map(({ name }) => name);

test("outputs are named as evidence and calls are, what failed comes first, and an empty one is left out", () => {
	expect(named(null)).toEqual([
		"turn 1, tests",
		"check turn-tests",
		"turn 1, tests, assembled",
		"turn 1, player dev, call 2",
	]);
});

test("while a task is worked on the newest comes first", () => {
	expect(named("coach_turn")[0]).toBe("check turn-tests");
	expect(named("await_human")[0]).toBe("turn 1, tests");
});
