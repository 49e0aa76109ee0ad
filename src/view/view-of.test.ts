import { expect, test } from "vitest";
import { anItem } from "../human/item-builder.contract.ts";
import type { StoredEvent } from "../trace/event.ts";
import { criteriaOf } from "./criteria-of.ts";
import { aReportedFinding } from "./run-view.fixture.ts";
import { decisionsOf } from "./view-of.ts";

/** A turn in which a judge said this of criteria. */
function judged(...met: readonly (readonly [criterion: string, met: boolean])[]): StoredEvent {
	const criteria = met.map(([criterion, is]) => ({
		criterion,
		met: is,
		evidence: "seen",
		tests: [],
	}));
	const data = { raw: null, effective: null, reasons: [], rationale: "", criteria };
	const place = { id: 1, run: "r1", task: "limiter", turn: 1, node: null, timestamp: "" };
	return { ...place, type: "turn-judged", data };
}

const about = (state: "open" | "fixed" | "overruled") =>
	aReportedFinding({ source: "criterion", criterion: "a", state });

const task = {
	acceptanceCriteria: ["a"],
	subtasks: [{ id: "s", description: "", acceptanceCriteria: ["b", "a"] }],
};

test.each([
	["met", [judged(["a", true])], []],
	["unmet", [judged(["a", true]), judged(["a", false])], [about("open")]],
	["overruled", [judged(["a", false])], [about("overruled")]],
	["unmet", [judged(["a", false])], []],
	["met", [judged(["a", false]), judged(["a", true])], [about("fixed")]],
	["unjudged", [], []],
	// The judge was asked and said nothing of it.
	["unmet", [judged()], [about("open")]],
])("a criterion is %s by what was said of it last", (status, events, findings) => {
	const [first, ...others] = criteriaOf(task, events, findings);
	expect(first).toMatchObject({ criterion: "a", status });
	expect(others).toMatchObject([{ criterion: "b", status: "unjudged" }]);
});

const NO_WORDS = { directive: null, notes: null, reason: null } as const;

test("a decision has the words that were given, and an open question is none", () => {
	expect(decisionsOf(anItem())).toEqual([]);
	const answer = { ...NO_WORDS, choice: "reject", reason: "too late", answeredAt: "now" } as const;
	expect(decisionsOf(anItem({ trigger: "sign_off", answer }))).toEqual([
		{ trigger: "sign_off", choice: "reject", finding: null, words: "too late", answered_at: "now" },
	]);
});

test("an answer to several conflicts is told for each finding", () => {
	const part = {
		choice: "take_developer",
		directive: null,
		notes: "fine",
		answeredAt: "now",
	} as const;
	const answer = { ...NO_WORDS, choice: "take_developer", answeredAt: "now" } as const;
	const told = decisionsOf(anItem({ trigger: "conflict", answer, parts: { F1: part, F2: part } }));
	expect(told.map(({ finding, words }) => [finding, words])).toEqual([
		["F1", "fine"],
		["F2", "fine"],
	]);
});
