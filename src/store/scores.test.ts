import fc from "fast-check";
import { expect, test } from "vitest";
import { scored } from "./record-builders.contract.ts";
import { calibrationRows, type ScoreRecord } from "./scores.ts";

const record = (part: Partial<ScoreRecord> = {}): ScoreRecord => ({
	...scored(),
	gate: null,
	human: null,
	assembled: null,
	...part,
});

test("a judge's score is the judge's, every other one and the whole are the player's", () => {
	expect(calibrationRows([record()])).toEqual([
		{ agent: "dev", metric: "lint_score", score: null, outcome: "unknown" },
		{ agent: "eve", metric: "llm_judge", score: 0.9, outcome: "unknown" },
		{ agent: "dev", metric: "confidence_score", score: 0.45, outcome: "unknown" },
	]);
});

test("all rows of a turn have its outcome, and one bad word outweighs every good one", () => {
	const verdicts = fc.record({
		gate: fc.constantFrom("PASS", "FAIL", null),
		human: fc.constantFrom("accepted", "rejected", null),
		assembled: fc.constantFrom("pass", "fail", null),
	});
	fc.assert(
		fc.property(verdicts, (later) => {
			const words: readonly (string | null)[] = Object.values(later);
			const spoken = words.filter((word) => word !== null);
			const bad = spoken.some((word) => ["FAIL", "rejected", "fail"].includes(word));
			const good = spoken.length > 0 ? "good" : "unknown";
			const rows = calibrationRows([record(later), record(later)]);
			expect(rows).toHaveLength(6);
			expect(new Set(rows.map(({ outcome }) => outcome))).toEqual(new Set([bad ? "bad" : good]));
		}),
	);
});
