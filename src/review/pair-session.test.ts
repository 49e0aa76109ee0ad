import fc from "fast-check";
import { expect, test } from "vitest";
import { anyCharacter } from "../../test/support/any-character.ts";
import {
	advanceSession,
	type IterationResult,
	MAX_SUMMARY,
	type PairPlan,
	type PairSession,
	rebuildSession,
	seatsAt,
	sessionProblems,
	startSession,
} from "./pair-session.ts";

const plan = (changes: Partial<PairPlan> = {}): PairPlan => ({
	driver: "pe",
	challenger: "architect",
	roleSwitch: "session",
	checkpoints: [],
	maxIterations: 5,
	...changes,
});

const result = (changes: Partial<IterationResult> = {}): IterationResult => ({
	turn: 1,
	summary: "four services",
	critique: "no data strategy",
	findings: [],
	approved: false,
	completedSubtask: null,
	...changes,
});

const begin = (changes: Partial<PairPlan> = {}): PairSession =>
	startSession({ runId: "r1", taskId: "limiter" }, plan(changes));

/** A session after turns 1, 2, ..., each with what is given for it. */
const played = (session: PairSession, turns: readonly Partial<IterationResult>[]): PairSession =>
	turns.reduce<PairSession>(
		(now, changes, index) => advanceSession(now, result({ turn: index + 1, ...changes })),
		session,
	);

const drivers = (session: PairSession): string[] => [
	...session.history.map(({ driver }) => driver),
	session.currentDriver,
];

test("the driver plays first and the challenger coaches", () => {
	expect(seatsAt(begin())).toEqual({ player: "pe", coach: "architect" });
});

test("with role_switch session the seats never change", () => {
	const session = played(begin(), [{}, { completedSubtask: "core" }, {}]);
	expect(drivers(session)).toEqual(["pe", "pe", "pe", "pe"]);
});

test("with role_switch subtask they change after each completed subtask", () => {
	const session = played(begin({ roleSwitch: "subtask" }), [
		{},
		{ completedSubtask: "core" },
		{ completedSubtask: "api" },
	]);
	expect(drivers(session)).toEqual(["pe", "pe", "architect", "pe"]);
	expect(seatsAt(played(session, []))).toEqual({ player: "pe", coach: "architect" });
});

test("turns before another agent took a seat keep the name of who played them, in either seat", () => {
	const replaced = [{ until: 2, driver: "junior", challenger: "lead" }];
	const session = played(begin({ roleSwitch: "subtask", replaced }), [
		{ completedSubtask: "core" },
		{},
		{},
	]);
	expect(drivers(session)).toEqual(["junior", "lead", "architect", "architect"]);
	expect(rebuildSession(session, plan({ roleSwitch: "subtask", replaced }))).toEqual(session);
});

test("with role_switch checkpoint they change after the named turn or subtask, once at a time", () => {
	const session = played(begin({ roleSwitch: "checkpoint", checkpoints: [2, "core", "late"] }), [
		{},
		{ completedSubtask: "core" },
		{ completedSubtask: "other" },
		{ completedSubtask: "late" },
	]);
	expect(drivers(session)).toEqual(["pe", "pe", "architect", "architect", "pe"]);
	expect(seatsAt({ ...session, currentDriver: "architect" })).toEqual({
		player: "architect",
		coach: "pe",
	});
});

test("a named turn that was never judged counts with the next one", () => {
	const session = begin({ roleSwitch: "checkpoint", checkpoints: [2] });
	const first = advanceSession(session, result({ turn: 1 }));
	const third = advanceSession(first, result({ turn: 3 }));
	expect(drivers(third)).toEqual(["pe", "pe", "architect"]);
	expect(sessionProblems(third, session)).toEqual([]);
});

test("the same turn again replaces its iteration, seats included", () => {
	const session = begin({ roleSwitch: "subtask" });
	const once = played(session, [{}, { completedSubtask: "core", approved: true }]);
	const again = advanceSession(once, result({ turn: 2, critique: "overruled" }));
	expect(again).toMatchObject({ iteration: 2, currentDriver: "pe", challengerApproved: false });
	expect(again.history[1]).toMatchObject({ critique: "overruled", approved: false });
});

test.each([0, 1, -3, Number.NaN, 1.5])("turn %d cannot follow turn 2", (turn) => {
	expect(() => advanceSession(played(begin(), [{}, {}]), result({ turn }))).toThrow(
		"cannot follow turn 2",
	);
});

test("summaries are on one line and bounded", () => {
	const session = advanceSession(
		begin(),
		result({ summary: "x".repeat(MAX_SUMMARY + 5), critique: "a\nb\u202e\u0000" }),
	);
	const [entry] = session.history;
	expect(entry?.summary).toHaveLength(MAX_SUMMARY);
	expect(entry?.critique).toBe("a b<U+202E>");
});

const points = fc.array(fc.oneof(fc.integer({ min: 1, max: 8 }), fc.constantFrom("a", "b")));
const plans = fc.record({
	driver: fc.constant("pe"),
	challenger: fc.constant("architect"),
	roleSwitch: fc.constantFrom("session" as const, "subtask" as const, "checkpoint" as const),
	checkpoints: points,
	maxIterations: fc.integer({ min: 1, max: 5 }),
});
const steps = fc.array(
	fc.record({
		turn: fc.integer({ min: 0, max: 2 }),
		summary: fc.string({ unit: anyCharacter }),
		critique: fc.string(),
		findings: fc.array(
			fc.record({
				id: fc.string(),
				issue: fc.string(),
				severity: fc.constant("major" as const),
				state: fc.constant("open" as const),
			}),
			{ maxLength: 40 },
		),
		approved: fc.boolean(),
		completedSubtask: fc.constantFrom(null, null, "a", "b"),
	}),
	{ maxLength: 8 },
);

/** Turns grow by the random step; 0 judges the same turn again. */
function playedAtRandom(session: PairSession, random: readonly IterationResult[]): PairSession {
	let turn = 1;
	return random.reduce((now, step) => {
		turn += step.turn;
		return advanceSession(now, { ...step, turn });
	}, session);
}

test("over any sequence of verdicts the invariants hold, and rebuilding changes nothing", () => {
	fc.assert(
		fc.property(plans, steps, (random, turns) => {
			const start = startSession({ runId: "r1", taskId: "limiter" }, random);
			const session = playedAtRandom(start, turns);
			expect(sessionProblems(session, random)).toEqual([]);
			expect(session.history).toHaveLength(session.iteration);
			expect(rebuildSession(session, random)).toEqual(session);
			const { player, coach } = seatsAt(session);
			expect([player, coach].sort()).toEqual(["architect", "pe"]);
		}),
	);
});

const two = played(begin({ roleSwitch: "subtask" }), [{ completedSubtask: "core" }, {}]);
const [one, other] = two.history;
if (one === undefined || other === undefined) throw new Error("two iterations were played");

test.each<[string, Partial<PairSession>, RegExp]>([
	[
		"a count without its history",
		{ iteration: 3 },
		/iteration is 3, but history and workflow give 2/,
	],
	[
		"no number at all",
		{ iteration: Number.NaN },
		/iteration is null, but history and workflow give 2/,
	],
	[
		"a strange driver",
		{ currentDriver: "mallory" },
		/_driver is "mallory", but history and workflow give "architect"/,
	],
	[
		"seats that were not switched",
		{ currentDriver: "pe" },
		/_driver is "pe", but history and workflow give "architect"/,
	],
	[
		"another agent",
		{ challenger: "eve" },
		/challenger_agent is "eve", but history and workflow give "architect"/,
	],
	[
		"one agent twice",
		{ driver: "architect" },
		/driver_agent is "architect", but history and workflow give "pe"/,
	],
	[
		"another role switch",
		{ roleSwitch: "session" },
		/role_switch is "session", but history and workflow give "subtask"/,
	],
	[
		"another checkpoint",
		{ checkpoints: [7] },
		/checkpoints is \[7\], but history and workflow give \[\]/,
	],
	[
		"an approval that nobody gave",
		{ challengerApproved: true },
		/approved is true, but history and workflow give false/,
	],
	["entries in another order", { history: [other, one] }, /iteration 1 of the history does not/],
	["turns that go back", { history: [one, { ...other, turn: 1 }] }, /iteration 2 of the history/],
	["another driver", { history: [one, { ...other, driver: "pe" }] }, /iteration 2 of the history/],
	["a huge text", { history: [one, { ...other, critique: "x".repeat(1_001) }] }, /iteration 2 of/],
	[
		"a switch too many",
		{ history: [one, { ...other, completedSubtask: "api" }] },
		/, but history and workflow give "pe"/,
	],
])("%s is a problem", (_name, change, problem) => {
	expect(sessionProblems({ ...two, ...change }, two).join("\n")).toMatch(problem);
});

test("of many problems twenty are told", () => {
	const history = Array.from({ length: 100 }, () => one);
	expect(sessionProblems({ ...two, history }, two)).toHaveLength(20);
});

test("a damaged session can be rebuilt from its history", () => {
	const damaged: PairSession = {
		...two,
		iteration: 9,
		currentDriver: "mallory",
		challengerApproved: true,
		challenger: "eve",
		history: [one, { ...one, critique: "twice" }, { ...other, iteration: 7, driver: "eve" }],
	};
	const workflow = plan({ roleSwitch: "subtask" });
	const rebuilt = rebuildSession(damaged, workflow);
	expect(sessionProblems(rebuilt, workflow)).toEqual([]);
	expect(rebuilt).toEqual(two);
});

test("a new session has no problems and no approval", () => {
	expect(sessionProblems(begin(), plan())).toEqual([]);
	expect(begin().challengerApproved).toBe(false);
});
