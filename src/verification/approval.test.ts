import { expect, test } from "vitest";
import { loadWorkflow } from "../workflow/load.ts";
import { approvalOf } from "./requirement.ts";

/** How the task `a` stands. */
function approval(keys: string, rest = "verifier: v\n") {
	const content = `version: 1\nagents: { d: { adapter: codex }, v: { adapter: claude } }\ntasks:\n  a: { agent: d, description: x, ${keys} }\n  b: { agent: d, description: x }\n${rest}`;
	const { workflow, errors } = loadWorkflow({ content, file: "w.yaml", directory: "/r" });
	const task = workflow?.tasks[0];
	if (workflow === null || task === undefined) throw new Error(JSON.stringify(errors));
	return approvalOf(workflow, task);
}

test.each([
	["true, by: planner", "requires_verification: true, verification_by: planner", true, "planner"],
	["true, by: person", "requires_verification: true, verification_by: person", true, "person"],
	["false, by: person", "requires_verification: false, verification_by: person", false, "person"],
	["true alone", "requires_verification: true", true, "file"],
	[
		"a planner's that became false by hand",
		"requires_verification: false, verification_by: planner",
		false,
		"file",
	],
	["auto with a path that tells", "context_files: [db/migrations/1.sql]", true, "heuristic"],
	[
		"auto that became so by hand",
		"requires_verification: auto, verification_by: person",
		false,
		"heuristic",
	],
	["a formal review", "formal_review: true, depends_on: [b]", false, "file"],
])("%s", (_name, keys, effective, by) => {
	expect(approval(keys)).toMatchObject({ effective, by });
});

test("a reason in the file is told beside a choice", () => {
	expect(approval("requires_verification: true, verification_reason: risky")).toEqual({
		effective: true,
		by: "file",
		reason: "risky",
		verifier: "v",
	});
});

test("a waiver of the workflow switches it off, and nobody is named where nobody can", () => {
	const rest = "verifier: v\nwaive: { verification: legacy }\n";
	expect(approval("requires_verification: true", rest)).toMatchObject({
		effective: false,
		by: "file",
		reason: "waived: legacy",
	});
	expect(approval("context_files: [db/migrations/1.sql]", "").verifier).toBeNull();
});
