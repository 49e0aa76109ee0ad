import { expect, test } from "vitest";
import { retryAfter } from "../../src/agents/circuit.ts";
import type { StreamMessages } from "../../src/web/protocol.ts";
import { MOST_ATTEMPTS, retryText, TaskStory } from "./task-story.ts";

type StoredEvent = StreamMessages["message"];

/** A story of a task of which these events, all of turn 1, are known. */
const told = (
	...events: readonly (readonly [type: StoredEvent["type"], node: string, data: unknown])[]
): TaskStory => {
	const story = new TaskStory();
	for (const [id, [type, node, data]] of events.entries()) {
		// Each test gives the data that the type has.
		story.take({
			id,
			run: "r1",
			task: "a",
			turn: 1,
			node,
			timestamp: "",
			type,
			data,
		} as StoredEvent);
	}
	return story;
};

const call = (number: number, more: object = {}): object => ({
	role: "player",
	agent: "dev",
	call: number,
	ms: 5,
	...more,
});

test("a turn is the nodes that it went through, the last one still open", () => {
	const story = told(
		["node-entered", "player_turn", { phase: "player_implementing" }],
		["node-left", "player_turn", { ms: 40, passed_through: null }],
		["node-left", "verify", { ms: 0, passed_through: "off" }],
		["node-entered", "coach_turn", { phase: "coach_validating" }],
	);
	expect(story.steps(1)).toEqual([
		{ node: "player_turn", ms: 40, passed: null },
		{ node: "verify", ms: 0, passed: "off" },
		{ node: "coach_turn", ms: null, passed: null },
	]);
	expect(story.steps(2)).toEqual([]);
});

test("the way that was taken is each step from one node to the next, from the start on", () => {
	const story = told(
		["node-entered", "initialize", { phase: "initializing" }],
		["node-left", "initialize", { ms: 1, passed_through: null }],
		["node-entered", "player_turn", { phase: "player_implementing" }],
	);
	expect(story.turns()).toEqual([1]);
	expect(story.way()).toEqual(new Set(["__start__>initialize", "initialize>player_turn"]));
	expect(told(["agent-called", "player_turn", call(1)]).turns()).toEqual([]);
});

test("a failed call stands in line with the attempt that follows it", () => {
	const story = told(
		["agent-called", "player_turn", call(1)],
		["agent-failed", "player_turn", call(1, { failure: "rate_limit", message: "slow down" })],
		["agent-called", "player_turn", call(2)],
	);
	expect(story.retries(1).map(retryText)).toEqual([
		"player dev: attempt 2 of 4, the last one: rate limit: slow down",
	]);
	expect(story.retries(1)[0]?.isOpen).toBe(true);
});

test("a call that answers after others failed is no longer open", () => {
	const story = told(
		["agent-failed", "player_turn", call(1, { failure: "network", message: "gone" })],
		["agent-failed", "player_turn", call(2, { failure: "timeout", message: "late" })],
		["agent-called", "player_turn", call(3)],
		["agent-answered", "player_turn", call(3)],
	);
	expect(story.retries(1)).toMatchObject([{ attempt: 3, isOpen: false, last: "timeout: late" }]);
});

test("a rejected report is told without a number of attempts, which is another one", () => {
	const story = told(["report-rejected", "coach_turn", call(1, { reason: "no decision" })]);
	expect(story.retries(1).map(retryText)).toEqual([
		"player dev: attempt 1, the last one: its report cannot be used: no decision",
	]);
});

test("calls that go well leave nothing behind", () => {
	const story = told(
		["agent-called", "player_turn", call(1)],
		["agent-answered", "player_turn", call(1)],
		["gate-evaluated", "policy_gate", {}],
	);
	expect(story.retries(1)).toEqual([]);
});

test("the page counts as many attempts of a call as are made", () => {
	const delays = Array.from({ length: MOST_ATTEMPTS }, (_, failed) =>
		retryAfter("network", failed + 1),
	);
	expect(delays.indexOf(null)).toBe(MOST_ATTEMPTS - 1);
});
