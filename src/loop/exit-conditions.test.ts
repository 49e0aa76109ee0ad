import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type ExitFacts, exitOf } from "./decide-turn.ts";
import type { TurnScore } from "./records/task-steps.ts";

const APPROVED = "pair.challenger_approved == true";
const pair = { challenger: "coach" };

const scored = (score: number, values: TurnScore["values"] = {}): TurnScore => ({
	score,
	values,
	threshold: 0.8,
	advisory: null,
	metrics: [],
	warnings: [],
});

function facts(changes: Partial<ExitFacts> = {}): ExitFacts {
	return {
		turn: 1,
		effective: null,
		open: [],
		score: null,
		gate: null,
		verification: null,
		items: [],
		...changes,
	};
}

const holdsFor = (text: string, changes: Partial<ExitFacts>, paired = true): boolean =>
	exitOf({ exitConditions: [text], ...(paired ? { pair } : {}) }, facts(changes))?.holds === text;

describe("a task has exit conditions of its own", () => {
	test("unless it has none, or a pair only its default", () => {
		expect(exitOf({}, facts())).toBeNull();
		expect(exitOf({ pair, exitConditions: [] }, facts())).toBeNull();
		expect(exitOf({ pair, exitConditions: [` ${APPROVED} `] }, facts())).toBeNull();
		expect(exitOf({ pair, exitConditions: [APPROVED, "loop.turn > 3"] }, facts())).toEqual({
			holds: null,
		});
	});

	test("the first that holds is named", () => {
		const exitConditions = ["loop.turn > 3", "loop.turn > 1", "loop.turn > 0"];
		expect(exitOf({ exitConditions }, facts({ turn: 2 }))).toEqual({ holds: "loop.turn > 1" });
	});

	test("what does not parse holds never", () => {
		expect(exitOf({ exitConditions: ["loop.turn >"] }, facts())).toEqual({ holds: null });
	});
});

describe("what a condition can ask", () => {
	test.each<[string, Partial<ExitFacts>]>([
		[`${APPROVED} && loop.turn > 0`, { effective: "approve" }],
		["pair.challenger_approved == false", { effective: "feedback" }],
		["pair.iteration == 4", { turn: 4 }],
		["confidence_score >= 0.8", { score: scored(0.8) }],
		["metrics.lint_score > 0.5", { score: scored(0, { lint_score: 0.75 }) }],
		['gate.verdict == "PASS"', { gate: "PASS" }],
		['verification.verdict in ["passed", "skipped"]', { verification: "skipped" }],
		["findings.open == 0 && findings.blocking == 0", {}],
		["hil.resolved", { items: [{ status: "RESOLVED" }] }],
		["!hil.resolved", { items: [{ status: "RESOLVED" }, { status: "REJECTED" }] }],
	])("%s", (text, changes) => {
		expect(holdsFor(text, changes)).toBe(true);
	});

	test.each([
		["pair.challenger_approved == false", false],
		["pair.challenger_approved == false", true],
		["pair.iteration > 0", false],
		["confidence_score < 1.0", true],
		["metrics.lint_score < 1.0", true],
		['gate.verdict != "FAIL"', true],
		['verification.verdict != "failed"', true],
		["!hil.resolved", true],
	])("%s is unknown and holds not, paired: %s", (text, paired) => {
		expect(holdsFor(text, {}, paired)).toBe(false);
	});
});

test("where nothing is known no condition on it holds, nor its opposite", () => {
	const unknown = fc.constantFrom(
		"pair.challenger_approved",
		"hil.resolved",
		"confidence_score >= 0.1",
		"metrics.llm_judge < 0.5",
		'gate.verdict == "PASS"',
	);
	fc.assert(
		fc.property(unknown, fc.boolean(), fc.nat({ max: 50 }), (text, negated, turn) => {
			const condition = negated ? `!(${text})` : text;
			expect(exitOf({ exitConditions: [condition] }, facts({ turn }))).toEqual({ holds: null });
		}),
	);
});
