import { expect, test } from "vitest";
import { formatDiagnostic } from "./diagnostic.ts";
import { loadWorkflow } from "./load.ts";

/** The merge policy stands on line 5. */
const load = (merge: string, task = "") =>
	loadWorkflow({
		content: `version: 1
agents:
  dev: { adapter: command, run: [sh] }
checks: { t: { kind: acceptance, run: npm test } }
merge: ${merge}
tasks:
  a: { agent: dev, description: x, feature_id: F-1 }
  b: { agent: dev, description: y${task} }
`,
		file: "w.yaml",
		directory: "/repo",
	});
const errorsOf = (merge: string, task = ""): string[] =>
	load(merge, task).errors.map(formatDiagnostic);

test("a task's work is one commit under the description's first line, unless the file says otherwise", () => {
	const plain = { into: "integration", style: "squash", message: "{title}" };
	expect(load("{}").workflow?.merge).toEqual(plain);
	const own = { into: "base", style: "history", message: "feat({task}): {title} {feature_id}" };
	expect(load(JSON.stringify(own)).workflow?.merge).toEqual(own);
	expect(load("{}").workflow?.tasks.map(({ featureId }) => featureId)).toEqual(["F-1", undefined]);
});

test("a placeholder that is not known is an error with those that are", () => {
	const known = "known are {title}, {task}, {feature_id}";
	expect(errorsOf('{ message: "feat: {titel} {}" }')).toEqual([
		`w.yaml:5:26 unknown placeholder "{titel}": ${known}\n    did you mean "title"?`,
		`w.yaml:5:34 unknown placeholder "{}": ${known}\n    expected one of: title, task, feature_id`,
	]);
	expect(errorsOf('{ message: "{constructor}" }')[0]).toContain('"{constructor}"');
});

test("a subject that would be empty is an error with the task that it is of", () => {
	expect(errorsOf('{ message: "{feature_id}" }')).toEqual([
		`w.yaml:5:19 the subject of task "b" would be empty\n    add words or {title}, or give the task what the placeholder names`,
	]);
	expect(errorsOf('{ message: "{feature_id}" }', ", feature_id: F-2")).toEqual([]);
	expect(errorsOf('{ message: "" }')).toEqual(["w.yaml:5:19 merge.message must not be empty"]);
	expect(errorsOf("{ style: rebase }")[0]).toContain("5:17");
});

test("a formal review has no commit, so it needs no subject", () => {
	expect(errorsOf('{ message: "{feature_id}" }', ", formal_review: true, depends_on: [a]")).toEqual(
		[],
	);
});

test("a task or a review that depends on work which never merges is warned of", () => {
	const warningsOf = (merge: string, task: string): string[] =>
		load(merge, task).warnings.map(({ message }) => message);
	const dependant = ", depends_on: [a]";
	const review = ", formal_review: true, depends_on: [a]";
	expect(warningsOf("{ into: none }", dependant)).toEqual([
		'task "b" starts without the work of the tasks it depends on: merge.into is none',
	]);
	expect(warningsOf("{ into: none }", review)).toContain(
		'the formal review "b" sees nothing of the tasks it depends on: merge.into is none',
	);
	expect(warningsOf("{ into: none }", "")).toEqual([]);
	expect(warningsOf("{ into: base }", dependant)).toEqual([]);
});
