import { expect, test } from "vitest";
import type { ConfidencePolicy } from "../../workflow/workflow.ts";
import type { Evaluation } from "../evaluator-call.ts";
import { eventsOf, scene, theFacts } from "../scene.contract.ts";
import { scoreConfidence } from "./score-confidence.ts";

const policy: ConfidencePolicy = {
	mode: "raw",
	threshold: 0.8,
	maxIterations: 5,
	metrics: [{ type: "llm_judge", weight: 1, evaluator_agent: "arbiter" }],
} as ConfidencePolicy; // Of a policy the node reads these fields.

const facts = theFacts({ task: { confidence: policy } });
const says = (said: Evaluation) => ({ evaluator: () => Promise.resolve(said) });

test("without the overlay nobody is asked and nothing is scored", async () => {
	const { input, done } = scene();
	expect((await scoreConfidence(input)).passedThrough).toBe("confidence_loop is off");
	expect(done).toEqual([]);
});

test("an evaluator's score is kept for the turn, the task, the trace and the calibration", async () => {
	const report = { score: 0.9, rationale: "good" };
	const seats = says({ kind: "scored", agent: "arbiter", report, calls: 1 } as Evaluation);
	const { update, writes } = await scoreConfidence(scene({ facts, seats }).input);
	expect(update).toEqual({ next: "go" });
	expect(writes).toMatchObject([
		{ kind: "step", key: { step: "confidence", turn: 2 }, result: { score: 0.9 } },
		{ kind: "task", patch: { confidenceScore: 0.9 } },
		{ event: { type: "confidence-scored" } },
		{ kind: "score", score: { tree: "t-c2", agent: "dev", score: 0.9 } },
	]);
});

test("an evaluator that fails is its role's error, and its episode ends", async () => {
	const { input, done } = scene({ facts, seats: says({ kind: "failed", reason: "timeout" }) });
	const { update, writes } = await scoreConfidence(input);
	expect(update).toMatchObject({
		trigger: "role_error",
		reason: { kind: "role_failed", role: "evaluator", agent: "arbiter", why: "timeout" },
	});
	expect(eventsOf(writes)).toEqual([]);
	expect(done).toEqual(["episode evaluator"]);
});

test("a spent budget stops before the score", async () => {
	const seats = says({ kind: "unpaid", reason: "spent" });
	const { update } = await scoreConfidence(scene({ facts, seats }).input);
	expect(update).toMatchObject({ trigger: "budget" });
});
