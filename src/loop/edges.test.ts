import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { reasonText } from "../human/reason.ts";
import type { StallTurn } from "../review/stall.ts";
import { decideRoute, escalationReason, type RouteState } from "./edges.ts";

const routeCoachDecision = (state: RouteState) => decideRoute(state).route;
const shouldEscalate = (state: RouteState): boolean => escalationReason(state) !== null;

/** A route with its reason in words. */
function told(state: RouteState) {
	const { route, reason } = decideRoute(state);
	return { route, reason: reasonText(reason) };
}

const SCORE_EXIT = "confidence_score >= 0.8";
const PAIR_EXIT = "pair.challenger_approved == true";

/** A turn that the coach approved, with nothing in the way. */
function approved(changes: Partial<RouteState> = {}): RouteState {
	return {
		coachDecision: "approve",
		paired: true,
		taken: false,
		blocking: 0,
		shortEvidence: [],
		untested: null,
		gated: true,
		refused: false,
		critical: false,
		exit: null,
		conflicts: null,
		overruled: null,
		suspicions: [],
		unchanged: null,
		recentTurns: [stallTurn(1)],
		inTheWay: ["F1 (the retry is missing)"],
		turnCount: 1,
		maxTurns: 10,
		...changes,
	};
}

/** A turn that the coach sent back with one blocking finding. */
function sentBack(changes: Partial<RouteState> = {}): RouteState {
	return approved({ coachDecision: "feedback", blocking: 1, ...changes });
}

function stallTurn(turn: number, changes: Partial<StallTurn> = {}): StallTurn {
	const openIssues = [`issue of turn ${turn}`];
	return {
		turn,
		tree: `tree ${turn}`,
		openIssues,
		exempt: false,
		restarted: false,
		startTree: `tree ${turn - 1}`,
		...changes,
	};
}

/** The newest turns, this one first, as `policy_gate` hands them over. */
function recent(newest: number, changes: Partial<StallTurn> = {}): StallTurn[] {
	return Array.from({ length: newest }, (_, index) => stallTurn(newest - index, changes));
}

describe("the founding tests", () => {
	test("test_route_approve: an approval with all evidence ends the loop", () => {
		expect(routeCoachDecision(approved())).toBe("approve");
		expect(told(approved()).reason).toBe("the coach approved and nothing blocks");
	});

	test("test_route_max_turns: feedback at the limit ends the loop with its reason", () => {
		const state = sentBack({ turnCount: 10, maxTurns: 10, recentTurns: recent(10) });
		expect(told(state)).toEqual({
			route: "max_turns",
			reason: "Max turns (10) reached without approval",
		});
	});

	test("test_route_feedback: feedback before the limit goes back to the player", () => {
		const state = sentBack({ turnCount: 3, maxTurns: 10, recentTurns: recent(3) });
		expect(told(state)).toEqual({
			route: "feedback",
			reason: "1 blocking finding open",
		});
	});

	test("test_escalate_repeated_issues: the same findings in three turns go to a person", () => {
		const openIssues = ["the retry is missing"];
		const state = sentBack({ turnCount: 3, recentTurns: recent(3, { openIssues }) });
		expect(shouldEscalate(state)).toBe(true);
		expect(told(state)).toEqual({
			route: "escalate",
			reason: "after turns 1, 2, 3 this is still open: F1 (the retry is missing)",
		});
	});
});

describe("conflicts", () => {
	const conflicts = {
		kind: "conflicts",
		conflicts: [{ finding: "F1", attempt: 3, why: "enough." }],
		critical: [{ finding: "F2", issue: "it\nleaks" }],
	} as const;
	const text = "Conflict about F1 (attempt 3): enough.\nCritical: F2: it leaks";

	test("one that waits for a person escalates with its reasons, also at the limit and where nothing else blocks", () => {
		const state = sentBack({ conflicts, blocking: 0, turnCount: 10, critical: true });
		expect(shouldEscalate(state)).toBe(true);
		expect(told(state)).toEqual({ route: "escalate", reason: text });
		expect(routeCoachDecision(approved({ conflicts }))).toBe("escalate");
	});

	test("an approval because of a ruling says so", () => {
		expect(told(approved({ overruled: ["F1"] }))).toEqual({
			route: "approve",
			reason: "overruled: F1",
		});
	});

	test("a person who took the output is not asked about it again", () => {
		expect(told(sentBack({ taken: true }))).toMatchObject({ route: "approve" });
	});
});

describe("what the founding rules are corrected by", () => {
	test("the current turn is one of the three: two turns of the same findings are no stall", () => {
		const openIssues = ["the retry is missing"];
		const state = sentBack({ turnCount: 2, recentTurns: recent(2, { openIssues }) });
		expect(routeCoachDecision(state)).toBe("feedback");
	});

	test("three turns without any finding are no repetition", () => {
		const state = sentBack({
			blocking: 0,
			turnCount: 3,
			recentTurns: recent(3, { openIssues: [] }),
		});
		expect(shouldEscalate(state)).toBe(false);
		expect(told(state)).toEqual({ route: "feedback", reason: "the coach did not approve" });
	});

	test("a critical finding in the last turn goes to a person and is no plain failure", () => {
		const state = sentBack({ critical: true, turnCount: 10 });
		expect(told(state)).toEqual({
			route: "escalate",
			reason: "a critical finding needs a person's decision",
		});
	});

	test("a stall in the last turn goes to a person and is no plain failure", () => {
		const openIssues = ["the retry is missing"];
		const state = sentBack({
			turnCount: 3,
			maxTurns: 3,
			recentTurns: recent(3, { openIssues }),
		});
		expect(routeCoachDecision(state)).toBe("escalate");
	});

	test("an approval in the last turn counts", () => {
		expect(routeCoachDecision(approved({ turnCount: 10 }))).toBe("approve");
	});
});

describe("what stands in the way of an approval", () => {
	test.each([
		[
			{ shortEvidence: ["tests", "integrity"] },
			"required evidence is missing or failed: tests, integrity",
		],
		[{ refused: true }, "the gate did not pass"],
		[{ blocking: 2 }, "2 blocking findings open"],
		[{ coachDecision: "pending" }, "the coach did not approve"],
	] as const)("%o sends the turn back", (changes, reason) => {
		expect(told(approved(changes))).toEqual({ route: "feedback", reason });
	});

	test("a task without a gate needs none", () => {
		expect(routeCoachDecision(approved({ gated: false }))).toBe("approve");
	});

	test("a single agent is done when the evidence is there", () => {
		const state = approved({ paired: false, coachDecision: "pending" });
		expect(told(state)).toEqual({ route: "approve", reason: "required evidence passed" });
	});

	test("where nothing tested the work, no evidence is said to have passed", () => {
		const none = "nothing was tested: the workflow has no checks";
		const alone = approved({ paired: false, coachDecision: "pending", untested: "checks" });
		expect(told(alone).reason).toBe(none);
		const paired = approved({ untested: "acceptance check" });
		expect(told(paired).reason).toBe(
			"the coach approved and nothing blocks; nothing was tested: the workflow has no acceptance check",
		);
		expect(told(approved({ taken: true, untested: "checks" })).reason).toBe(
			`a person took the player's output; ${none}`,
		);
	});

	test("a person who takes the player's output overrules the coach, and nothing else", () => {
		const taken = sentBack({ taken: true, critical: false });
		expect(told(taken)).toEqual({
			route: "approve",
			reason: "a person took the player's output",
		});
		expect(routeCoachDecision({ ...taken, refused: true })).toBe("feedback");
		expect(routeCoachDecision({ ...taken, shortEvidence: ["tests"] })).toBe("feedback");
	});
});

describe("exit conditions", () => {
	const byScore = { exit: { holds: SCORE_EXIT }, coachDecision: "feedback" } as const;

	test("the one that holds is named", () => {
		expect(told(approved({ exit: { holds: PAIR_EXIT } }))).toEqual({
			route: "approve",
			reason: `exit condition holds: ${PAIR_EXIT}`,
		});
	});

	test("while none holds the turn goes back, also when the coach approved", () => {
		expect(told(approved({ exit: { holds: null } }))).toEqual({
			route: "feedback",
			reason: "no exit condition holds",
		});
	});

	test("a score lets a pair's work go against its coach only past a gate", () => {
		expect(told(approved(byScore))).toEqual({
			route: "approve",
			reason: `exit condition holds: ${SCORE_EXIT}`,
		});
		expect(told(approved({ ...byScore, gated: false }))).toEqual({
			route: "feedback",
			reason: "the coach did not approve, and no gate applies",
		});
	});

	test.each([{ refused: true }, { blocking: 1 }, { shortEvidence: ["tests"] }] as const)(
		"a score lets nothing go over %o",
		(changes) => {
			expect(routeCoachDecision(approved({ ...byScore, ...changes }))).toBe("feedback");
		},
	);
});

/** The route of a turn that did nothing, once its player was told or cannot be. */
const isOver = ({ unchanged, turnCount, maxTurns }: RouteState) =>
	unchanged === "again" || turnCount >= maxTurns ? "escalate" : "feedback";

describe("for every state", () => {
	const stallTurns = fc
		.array(
			fc.record({
				tree: fc.constantFrom("a", "b", "c"),
				openIssues: fc.subarray(["x", "y"]),
				exempt: fc.boolean(),
				restarted: fc.boolean(),
			}),
			{ maxLength: 6 },
		)
		.map((turns) => turns.map((turn, index) => ({ ...turn, turn: turns.length - index })));
	const states: fc.Arbitrary<RouteState> = fc.record({
		coachDecision: fc.constantFrom("pending", "approve", "feedback"),
		paired: fc.boolean(),
		taken: fc.boolean(),
		blocking: fc.nat({ max: 3 }),
		shortEvidence: fc.subarray(["tests", "integrity"]),
		untested: fc.constantFrom("checks", "acceptance check", null),
		gated: fc.boolean(),
		refused: fc.boolean(),
		critical: fc.boolean(),
		recentTurns: stallTurns,
		inTheWay: fc.constant([]),
		turnCount: fc.integer({ min: 1, max: 6 }),
		maxTurns: fc.integer({ min: 1, max: 6 }),
		exit: fc.option(fc.record({ holds: fc.constantFrom(null, SCORE_EXIT, PAIR_EXIT) })),
		conflicts: fc.constant(null),
		overruled: fc.constant(null),
		suspicions: fc.subarray(["s-1", "s-2"]),
		unchanged: fc.constantFrom("first", "again", null),
	});

	test("nothing is approved with short evidence or a gate that failed", () => {
		fc.assert(
			fc.property(states, (state) => {
				const short = state.shortEvidence.length > 0 || state.refused;
				expect(short && routeCoachDecision(state) === "approve").toBe(false);
			}),
		);
	});

	test("nothing is approved where nothing was changed, unless a person took it or a coach showed it", () => {
		fc.assert(
			fc.property(states, (state) => {
				const idle = { ...state, taken: false, unchanged: state.unchanged ?? "first" };
				expect(routeCoachDecision(idle)).not.toBe("approve");
			}),
		);
	});

	test("nothing is approved over a suspicion, unless a person took it, and without a coach one is asked", () => {
		fc.assert(
			fc.property(states, (state) => {
				const over = { ...state, taken: false, suspicions: ["s-1"] };
				expect(routeCoachDecision(over)).not.toBe("approve");
				const alone = { ...over, paired: false, suspicions: [] };
				const asked = decideRoute({ ...over, paired: false });
				if (routeCoachDecision(alone) !== "approve") return;
				expect(asked).toEqual({
					route: "escalate",
					reason: { kind: "suspicions_open", ids: ["s-1"] },
				});
			}),
		);
	});

	test("nothing is approved over a blocking finding, unless a person took it", () => {
		fc.assert(
			fc.property(states, (state) => {
				const over = { ...state, taken: false, blocking: state.blocking + 1 };
				expect(routeCoachDecision(over)).not.toBe("approve");
			}),
		);
	});

	test("a pair's work leaves without its coach only past a gate, or when a person took it", () => {
		fc.assert(
			fc.property(states, (state) => {
				const clear = { paired: true, taken: false, blocking: 0, shortEvidence: [] };
				const left = routeCoachDecision({ ...state, ...clear }) === "approve";
				const judged = state.coachDecision === "approve" || (state.gated && !state.refused);
				expect(left && !judged).toBe(false);
			}),
		);
	});

	test("where conditions are asked and none holds, nothing leaves that no person took", () => {
		fc.assert(
			fc.property(states, (state) => {
				const route = routeCoachDecision({ ...state, taken: false, exit: { holds: null } });
				expect(route).not.toBe("approve");
			}),
		);
	});

	test("a condition that holds lets go of nothing that stood in the way without it", () => {
		fc.assert(
			fc.property(states, (state) => {
				const plain = { ...state, paired: false, exit: null };
				const held = { ...plain, exit: { holds: state.exit?.holds ?? SCORE_EXIT } };
				expect(routeCoachDecision(held)).toBe(routeCoachDecision(plain));
			}),
		);
	});

	test("a turn at or over the limit never goes back to the player, so every loop ends", () => {
		fc.assert(
			fc.property(states, (state) => {
				const turnCount = state.maxTurns + (state.turnCount - 1);
				expect(routeCoachDecision({ ...state, turnCount })).not.toBe("feedback");
			}),
		);
	});

	const isUnasked = ({ paired, coachDecision }: RouteState): boolean =>
		!paired || coachDecision === "approve";

	test("what needs a person is never a plain failure at the limit", () => {
		fc.assert(
			fc.property(states, (state) => {
				const { route, reason } = decideRoute(state);
				if (shouldEscalate(state)) expect(["approve", "escalate"]).toContain(route);
				// Where no coach sits, or it has spoken, a person answers what only a coach or a person can.
				else if (reason.kind === "suspicions_open" && isUnasked(state))
					expect(route).toBe("escalate");
				else if (reason.kind === "nothing_changed") expect(route).toBe(isOver(state));
				else expect(route).not.toBe("escalate");
			}),
		);
	});

	test("every decision names its reason and is the same when it is made again", () => {
		fc.assert(
			fc.property(states, (state) => {
				const decision = decideRoute(state);
				expect(reasonText(decision.reason)).not.toBe("");
				expect(decideRoute(state)).toEqual(decision);
			}),
		);
	});

	test("a loop whose every turn is routed ends after at most its bound", () => {
		fc.assert(
			fc.property(fc.array(states, { minLength: 1, maxLength: 20 }), (turns) => {
				const bound = 6;
				let turn = 0;
				for (;;) {
					turn += 1;
					const state = turns[(turn - 1) % turns.length];
					if (state === undefined) throw new Error("no state");
					const route = routeCoachDecision({ ...state, turnCount: turn, maxTurns: bound });
					if (route !== "feedback") break;
				}
				expect(turn).toBeLessThanOrEqual(bound);
			}),
		);
	});
});
