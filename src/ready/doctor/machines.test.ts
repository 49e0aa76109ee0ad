import { expect, test } from "vitest";
import { thorough } from "../../../test/support/amount.ts";
import type { DoctorLine } from "../../seats/doctor-line.ts";
import { loadWorkflow } from "../../workflow/load.ts";
import type { Workflow } from "../../workflow/workflow.ts";
import { leftToOthers, machineTags, tagsLine } from "./machines.ts";

const FILE = `version: 1
name: w
agents:
  any: { adapter: command, run: [sh, a.sh] }
  fast: { adapter: command, run: [sh, a.sh], tags: [gpu, linux] }
  slow: { adapter: command, run: [sh, a.sh], tags: [linux] }
  apple: { adapter: command, run: [sh, a.sh], tags: [mac] }
tasks:
  one: { agent: any, description: d, acceptance_criteria: [c] }
  two: { agent: fast, description: d, acceptance_criteria: [c] }
  three: { agent: slow, description: d, acceptance_criteria: [c] }
  four: { agent: apple, description: d, acceptance_criteria: [c] }
`;

function workflowOf(content = FILE): Workflow {
	const place = { file: "sparring.yaml", directory: "/repo", repositoryRoot: "/repo" };
	const { workflow, errors } = loadWorkflow({ content, ...place });
	if (workflow === null) throw new Error(JSON.stringify(errors));
	return workflow;
}

const line = (agent: string, ok: boolean): DoctorLine => ({
	name: `agent ${agent}`,
	ok,
	detail: agent,
	fix: ok ? null : "Install it.",
});

const lines = (...broken: readonly string[]) =>
	["any", "fast", "slow", "apple"].map((agent) => line(agent, !broken.includes(agent)));

test("a machine has the tags of which every agent works there", () => {
	const workflow = workflowOf();
	expect(machineTags(workflow, () => true)).toEqual({
		tags: ["gpu", "linux", "mac"],
		others: [],
		untagged: [],
	});
	const { tags, others } = machineTags(workflow, (agent) => agent !== "fast");
	expect(tags).toEqual(["mac"]);
	expect(others).toEqual([
		{ task: "two", lacks: ["gpu", "linux"] },
		{ task: "three", lacks: ["linux"] },
	]);
});

thorough(
	"doctor proposes how to start a worker, and names the tasks that others have to take",
	() => {
		expect(tagsLine(workflowOf(), lines("apple"))).toEqual({
			name: "worker",
			ok: true,
			detail: "spar worker --tags gpu,linux takes 3 of 4 tasks; left to others: four (mac)",
			fix: null,
		});
		expect(tagsLine(workflowOf(), lines("apple", "fast")).detail).toBe(
			"spar worker takes 1 of 4 tasks; left to others: two (gpu, linux), three (linux), four (mac)",
		);
	},
);

test("of many tasks that are left to others a line names five", () => {
	const more = Array.from(
		{ length: 7 },
		(_, index) => `  t${index}: { agent: apple, description: d, acceptance_criteria: [c] }\n`,
	);
	const { detail } = tagsLine(workflowOf(FILE + more.join("")), lines("apple"));
	expect(detail).toMatch(/t3 \(mac\) and 3 more$/);
});

test("an agent without tags that does not work here is a warning: any worker may take its tasks", () => {
	const told = tagsLine(workflowOf(), lines("any"));
	expect(told.ok).toBe("warn");
	expect(told.detail).toContain("it would also take tasks of any, which cannot be called here");
	expect(told.fix).toContain("tags: [NAME]");
});

test("a tagged agent that does not work here is no failure of this machine, one without tags is", () => {
	const marked = leftToOthers(workflowOf(), lines("any", "apple"));
	expect(marked.filter(({ ok }) => ok === false)).toEqual([
		line("any", false),
		{ ...line("apple", false), needed: false },
	]);
});
