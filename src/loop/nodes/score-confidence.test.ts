import { describe, expect, test } from "vitest";
import { evidence } from "../../evidence/evidence.fixture.ts";
import { call, turn } from "../../store/record-builders.contract.ts";
import type { Write } from "../../store/records.ts";
import type { ConfidencePolicy, TaskDefinition } from "../../workflow/workflow.ts";
import type { Evaluation } from "../roles.ts";
import { eventsOf, scene, theFacts } from "../scene.contract.ts";
import { scoreConfidence } from "./score-confidence.ts";

const judge = (name: string) => ({ type: "llm_judge", weight: 1, evaluator_agent: name }) as const;
const policy: ConfidencePolicy = { mode: "raw", threshold: 0.8, metrics: [judge("arbiter")] };
const facts = theFacts({ task: { confidence: policy } });
const says = (said: Evaluation) => ({ evaluator: () => Promise.resolve(said) });
const good = (agent = "arbiter"): Evaluation => ({
	kind: "report",
	call: call({ role: "evaluator", agent }),
	report: { score: 0.9, rationale: "good", requirements_status: [] },
	refused: [],
});

test("without the overlay nobody is asked and nothing is scored", async () => {
	const { input, done } = scene();
	expect((await scoreConfidence(input)).passedThrough).toBe("confidence_loop is off");
	expect(done).toEqual([]);
});

test("an evaluator's score is kept for the turn, the task, the trace and the calibration", async () => {
	const { update, writes } = await scoreConfidence(scene({ facts, seats: says(good()) }).input);
	expect(update).toEqual({ next: "go" });
	expect(writes).toMatchObject([
		{ kind: "step", key: { step: "confidence", turn: 2 }, result: { score: 0.9, warnings: [] } },
		{ kind: "task", patch: { confidenceScore: 0.9, confidenceWarnings: [] } },
		{ event: { type: "confidence-scored" } },
		{ kind: "score", score: { tree: "t-c2", agent: "dev", score: 0.9 } },
	]);
});

test("an evaluator that fails is a metric without a value and a warning, and stops nothing", async () => {
	const refused = [1, 2].map((number) => ({
		call: call({ role: "evaluator", agent: "arbiter", call: number }),
		reason: `no score ${number}`,
	}));
	const seats = says({
		kind: "failed",
		agent: "arbiter",
		reason: "its report was invalid twice",
		refused,
	});
	const { input, kept } = scene({ facts, seats });
	const { update, writes } = await scoreConfidence(input);
	const warnings = [
		"llm_judge (arbiter) has no value and counts as 0.0: arbiter gave no score: its report was invalid twice",
	];
	expect(update).toEqual({ next: "go" });
	expect(writes).toMatchObject([
		{ result: { score: 0, advisory: null, warnings, values: {} } },
		{ patch: { confidenceScore: 0, confidenceWarnings: warnings } },
		{ event: { data: { warnings, metrics: [{ score: null }] } } },
		{ kind: "score" },
	]);
	expect(eventsOf(kept)).toEqual(["report-rejected", "report-rejected"]);
});

test("what an evaluator said is kept before the next one is asked, and after a kill nobody is asked again", async () => {
	const two = theFacts({
		task: { confidence: { ...policy, metrics: [judge("arbiter"), judge("eve")] } },
	});
	const asked: object[] = [];
	const steps = new Map<string, unknown>();
	const remember = (writes: readonly Write[]) => {
		for (const write of writes) if (write.kind === "step") steps.set(write.key.step, write.result);
		return Promise.resolve();
	};
	const failed: Evaluation = {
		kind: "failed",
		agent: "arbiter",
		reason: "timeout: 30m",
		refused: [{ call: call({ role: "evaluator" }), reason: "no score" }],
	};
	const play = (eve: Evaluation) => {
		const { input } = scene({
			facts: two,
			seats: {
				evaluator: (request) => {
					asked.push(request);
					return Promise.resolve(request.agent === "eve" ? eve : failed);
				},
			},
		});
		const step = <T>(key: { readonly step: string }) =>
			// The test keeps what the node wrote under the same key.
			Promise.resolve(steps.get(key.step) as T | undefined);
		return scoreConfidence({ ...input, keep: remember, read: { ...input.read, step } });
	};
	expect((await play({ kind: "unpaid", reason: "spent" })).update.next).toBe("halt");
	// The refused report of the first was an answered call: those of the second begin after it.
	expect(asked).toEqual([
		{ agent: "arbiter", nth: 0, judgesCriteria: false },
		{ agent: "eve", nth: 1, judgesCriteria: false },
	]);
	asked.length = 0;
	const { writes } = await play(good("eve"));
	expect(asked).toEqual([{ agent: "eve", nth: 1, judgesCriteria: false }]);
	expect(writes).toMatchObject([
		{ result: { metrics: [{ score: null }, { score: 0.9, reason: "scored by eve" }] } },
		{},
		{},
		{},
	]);
});

const said = (
	agent: string,
	...statements: Extract<Evaluation, { kind: "report" }>["report"]["requirements_status"]
): Evaluation => ({
	kind: "report",
	call: call({ role: "evaluator", agent }),
	report: { score: 1, rationale: "", requirements_status: statements },
	refused: [],
});

describe("what evaluators say of criteria", () => {
	const metrics = [
		...(["checklist_completion", "requirement_coverage"] as const).map((type) => {
			return { type, weight: 1 };
		}),
		judge("arbiter"),
		judge("eve"),
	];
	const confidence = { ...policy, metrics };
	const acceptanceCriteria = ["a", "b"];
	const met = (criterion: string, ...tests: string[]) => ({ criterion, met: true, tests });
	const run = evidence({ tree: "t-c2", cases: [{ id: "shows a", status: "passed" }] });

	async function measured(task: Partial<TaskDefinition>, answers: Record<string, Evaluation>) {
		const asked: (boolean | undefined)[] = [];
		const { input } = scene({
			facts: theFacts({ task: { confidence, acceptanceCriteria, ...task } }),
			read: {
				evidence: () => Promise.resolve([run]),
				turn: () => Promise.resolve(turn({ claims: [met("b"), met("a")] })),
			},
			seats: {
				evaluator: ({ agent, judgesCriteria }) => {
					asked.push(judgesCriteria);
					return Promise.resolve(answers[agent] ?? said(agent));
				},
			},
		});
		const { writes = [] } = await scoreConfidence(input);
		const step = writes.find(({ kind }) => kind === "step");
		const score = step?.kind === "step" ? step.result : null;
		const scores: unknown = Reflect.get(Object(score), "values");
		return { asked, scores };
	}

	test("counts where no coach judges: all of them are heard, and what nobody mentions is unmet", async () => {
		const answers = { arbiter: said("arbiter", met("a", "shows a")), eve: said("eve") };
		expect(await measured({}, answers)).toEqual({
			asked: [true, true],
			scores: { checklist_completion: 0.5, requirement_coverage: 0.5, llm_judge: 1 },
		});
	});

	test("one that calls a criterion unmet outweighs one that calls it met", async () => {
		const unmet = { criterion: "a", met: false, tests: [] };
		const answers = { arbiter: said("arbiter", met("a", "shows a")), eve: said("eve", unmet) };
		expect((await measured({}, answers)).scores).toMatchObject({ checklist_completion: 0 });
	});

	test("nothing has no value, and the word of an agent with a seat is nothing", async () => {
		const values = { llm_judge: 1 };
		expect((await measured({}, {})).scores).toEqual(values);
		const seated = { arbiter: said("dev", met("a", "shows a")) };
		expect((await measured({}, seated)).scores).toEqual({});
	});

	test("is neither asked for nor heard in a pair, nor asked for where a checklist is counted", async () => {
		const answers = { arbiter: said("arbiter", met("a", "shows a")) };
		const pair = await measured({ pair: { challenger: "rev" } }, answers);
		expect(pair.asked).toEqual([false, false]);
		expect(pair.scores).toMatchObject({ checklist_completion: 1, requirement_coverage: 0 });
		const checklist = [{ item: "log", run: "true", timeoutMs: 1 }];
		const counted = { ...confidence, metrics: [metrics[0], metrics[2]].filter((one) => !!one) };
		const listed = await measured({ checklist, confidence: counted }, answers);
		expect(listed.asked).toEqual([false]);
		// The item left no evidence on this tree.
		expect(listed.scores).toMatchObject({ checklist_completion: 0 });
	});
});

test("a spent budget stops before the score", async () => {
	const seats = says({ kind: "unpaid", reason: "spent" });
	const { update } = await scoreConfidence(scene({ facts, seats }).input);
	expect(update).toMatchObject({ trigger: "budget" });
});
