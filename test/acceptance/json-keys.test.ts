import { expect, test } from "vitest";
import { viewShape } from "../../scripts/view-schema.ts";
import { pair } from "../support/workflow.ts";
import { sendsBack, stage, WORKS } from "./stage.ts";

/** Keys that programs of other conventions could not guess, wherever they stand. */
function oddKeys(value: unknown): string[] {
	if (typeof value !== "object" || value === null) return [];
	if (Array.isArray(value)) return value.flatMap(oddKeys);
	return Object.entries(value).flatMap(([key, inner]) => [
		...(/^[a-z][a-z0-9_]*$/.test(key) ? [] : [key]),
		...oddKeys(inner),
	]);
}

test("each key of what programs read is in snake case, and a run's view is as its schema says", async () => {
	const made = stage({
		steps: [
			{ ...WORKS, report: { concerns: ["slow?"] } },
			{ role: "coach", report: sendsBack({ issue: "It is wrong.", severity: "critical" }) },
			{ role: "evaluator", report: { score: 0.4, rationale: "Half." } },
		],
		human: true,
		task: {
			checklist: [{ item: "there is work", run: "test -f work.txt" }],
			overlays: {
				...pair(),
				confidence_loop: {
					enabled: true,
					metrics: [
						{ type: "llm_judge", evaluator_agent: "judge" },
						{ type: "checklist_completion" },
					],
				},
			},
		},
	});
	const { dev, coach } = made.agents.agents;
	made.rewrite({ agents: { dev, coach, judge: dev } });
	made.repo.commit("With a judge");
	const { task, report } = await made.run();
	const view = await made.json("report");
	expect(viewShape().safeParse(view).error).toBeUndefined();
	expect(view).toMatchObject({ tasks: [{ turns: [{ turn: 1, findings: ["F1"] }] }] });
	const read = [
		report,
		await made.json("hil", "list"),
		await made.json("hil", "show", task.human_item ?? ""),
		await made.json("findings", "one"),
		await made.json("gate", "one"),
		view,
		made.trace(),
		JSON.parse(made.repo.read(".sparring/state/pair-sessions/one.json") ?? ""),
	];
	expect(read.map(oddKeys)).toEqual(read.map(() => []));
});
