import fc from "fast-check";
import { expect, test } from "vitest";
import { thorough } from "../../test/support/amount.ts";
import { formatDiagnostic } from "./diagnostic.ts";
import { type LoadedWorkflow, loadWorkflow } from "./load.ts";
import { parseTaskFile, splitCriteria, type TaskSource, taskFromWords } from "./task-file.ts";

const WORKFLOW = `version: 1
agents: { dev: { adapter: command, run: [sh] } }
checks: { t: { kind: acceptance, run: x } }
defaults: { agent: dev }
`;

const loadTask = (onlyTask: TaskSource, content = WORKFLOW): LoadedWorkflow =>
	loadWorkflow({ content, file: "w.yaml", directory: "/repo", onlyTask });
const markdown = (content: string | Uint8Array, file = "tasks/My Task.md"): LoadedWorkflow =>
	loadTask(parseTaskFile(content, file));
const errorsOf = ({ errors }: LoadedWorkflow): string[] =>
	errors.map((error) => formatDiagnostic(error).split("\n")[0] ?? "");

test("a Markdown file becomes a task: keys from the front matter, the rest from the text", () => {
	const { workflow, errors } = markdown(
		"---\nmax_turns: 3\n---\n# Limiter\n\nBuild it.\n\n## Acceptance criteria\n- refuses\n- refills\n",
	);
	expect(errors).toEqual([]);
	expect(workflow?.tasks).toMatchObject([
		{
			id: "my-task",
			description: "# Limiter\n\nBuild it.",
			acceptanceCriteria: ["refuses", "refills"],
			maxTurns: 3,
			player: "dev",
		},
	]);
});

test("a file without front matter, or with an empty one, is the description", () => {
	expect(markdown("Build it.\r\n").workflow?.tasks[0]?.description).toBe("Build it.");
	expect(markdown("---\n---\nBuild it.").workflow?.tasks[0]?.description).toBe("Build it.");
});

test("the front matter wins over the text, and unused text is a warning", () => {
	const { workflow, warnings } = markdown(
		"---\nid: core\ndescription: d\nacceptance_criteria: [c]\n---\ntext\n# Acceptance criteria\n- x\n",
	);
	expect(workflow?.tasks).toMatchObject([
		{ id: "core", description: "d", acceptanceCriteria: ["c"] },
	]);
	expect(warnings.map(formatDiagnostic)[0]).toMatch(
		/^tasks\/My Task\.md:3:1 the text below the front matter is ignored/,
	);
	expect(markdown("---\ndescription: d\n---\n# Acceptance criteria\n- x\n").warnings).toEqual([]);
});

test("the task replaces those of the workflow file, and its mistakes", () => {
	const task = taskFromWords({ description: "Add it", criteria: ["works"] });
	const { workflow } = loadTask(task, `${WORKFLOW}tasks: { other: { agnt: dev } }\n`);
	expect(workflow?.tasks).toMatchObject([
		{ id: "add-it", description: "Add it", acceptanceCriteria: ["works"] },
	]);
});

test.each([
	["an unknown key", "---\nagnet: x\n---\ntext", ['t.md:2:1 unknown key "agnet"']],
	[
		"a wrong value",
		"---\n\nmax_turns: 0\n---\ntext",
		["t.md:3:12 tasks.t.max_turns must be at least 1"],
	],
	[
		"a duplicate key",
		"---\nagent: dev\nagent: dev\n---\ntext",
		['t.md:3:1 duplicate key "agent", first at 2:1'],
	],
	["broken YAML", "---\na: 'x\n---\ntext", ["t.md:2:6 YAML: Missing closing 'quote"]],
	[
		"a list",
		"---\n- a\n---\ntext",
		["t.md:2:1 the front matter must be a mapping of a task's keys"],
	],
	["no end", "---\na: 1\n", ["t.md:1:1 the front matter is not closed"]],
	["an id that is no text", "---\nid: 5\n---\ntext", ["t.md:2:5 id must be a string"]],
	[
		"an unsafe id",
		"---\nmax_turns: 1\nid: a/b\n---\ntext",
		[
			't.md:3:5 task "a/b" may only contain letters, digits, ".", "-" and "_" (it is part of branch and file names)',
		],
	],
	["a dependency", "---\ndepends_on: [b]\n---\ntext", ['t.md:2:14 unknown task "b"']],
	["no text", "---\nmax_turns: 1\n---\n\n", ["t.md:4:1 tasks.t.description must not be empty"]],
	[
		"a NUL in a criterion",
		"text\n# Acceptance criteria\n- a\n- b\0\n",
		["t.md:4:1 tasks.t.acceptance_criteria[1] must not contain a NUL character"],
	],
	[
		"bytes that are not UTF-8",
		Buffer.from("a\n\xe4", "latin1"),
		["t.md:2:1 the file is not UTF-8"],
	],
])("%s in a Markdown task is an error at its place there", (_name, content, errors) => {
	expect(errorsOf(markdown(content, "t.md"))).toEqual(errors);
});

test("a task without agent is named at its id, or at the top", () => {
	const bare = WORKFLOW.replace("defaults: { agent: dev }\n", "");
	expect(errorsOf(loadTask(parseTaskFile("x", "t.md"), bare))).toEqual([
		't.md:1:1 task "t" needs an agent',
	]);
	const named = parseTaskFile("---\nid: n\n---\nx", "t.md");
	expect(errorsOf(loadTask(named, bare))).toEqual(['t.md:2:5 task "n" needs an agent']);
});

test("mistakes of both files are reported at once when the task can be read", () => {
	const task = parseTaskFile("---\nmax_turns: 0\n---\nx", "t.md");
	expect(errorsOf(loadTask(task, `${WORKFLOW}nme: x\n`))).toEqual([
		"t.md:2:12 tasks.t.max_turns must be at least 1",
		'w.yaml:5:1 unknown key "nme"',
	]);
});

test("mistakes in words name the option", () => {
	const task = taskFromWords({ description: " ", criteria: ["ok", ""], id: "x" });
	expect(errorsOf(loadTask(task))).toEqual([
		"--criterion:2:1 tasks.x.acceptance_criteria[1] must not be empty",
		"--task:1:1 tasks.x.description must not be empty",
	]);
});

thorough("any Markdown file gives a result", () => {
	const part = fc.constantFrom(
		"---\n",
		"id: ",
		"a\n",
		"- b\n",
		"# Acceptance criteria\n",
		"```\n",
		"description: x\n",
		"\0",
		"&a ",
		"*a",
	);
	fc.assert(
		fc.property(
			fc.oneof(
				fc.uint8Array(),
				fc.array(part).map((parts) => parts.join("")),
			),
			(content) => {
				const { workflow, errors } = markdown(content);
				expect(workflow === null).toBe(errors.length > 0);
			},
		),
	);
});

const texts = (markdown: string): string[] =>
	splitCriteria(markdown).criteria.map(({ text }) => text);

test("the list under the heading becomes criteria, with lines", () => {
	const split = splitCriteria(
		"Do it.\n\n## Acceptance Criteria:\n\n- one\n2. two\n* [ ] three\n  goes on\n\n## Notes\n- no",
	);
	expect(split.criteria).toEqual([
		{ text: "one", line: 5 },
		{ text: "two", line: 6 },
		{ text: "three goes on", line: 7 },
	]);
	expect(split.rest).toBe("Do it.\n\n## Notes\n- no");
});

test("a text without the heading is untouched", () => {
	expect(splitCriteria("a\n- b\n")).toEqual({ criteria: [], rest: "a\n- b" });
});

test("headings and lists in code are text", () => {
	expect(texts("```\n# Acceptance criteria\n- a\n```\n- b")).toEqual([]);
	const split = splitCriteria("# Acceptance criteria\n- a\n~~~~\n- b\n~~~\n- c\n~~~~\n- d");
	expect(split.criteria.map(({ text }) => text)).toEqual(["a", "d"]);
	expect(split.rest).toBe("~~~~\n- b\n~~~\n- c\n~~~~");
});

test("prose of the section stays, before the list with its heading", () => {
	const split = splitCriteria("# Acceptance criteria\nThey are:\n- a\nand so on\n  indented");
	expect(split.rest).toBe("# Acceptance criteria\nThey are:\nand so on\n  indented");
	expect(texts("# Acceptance criteria\n- a\r\n- b\r\n")).toEqual(["a", "b"]);
});
