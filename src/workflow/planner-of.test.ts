import { expect, test } from "vitest";
import { loadWorkflow } from "./load.ts";

const plannerIn = (text: string): string | undefined => {
	const agents =
		"version: 1\nagents: { a: { adapter: codex }, b: { adapter: claude }, c: { adapter: gemini } }\n";
	const { workflow, errors } = loadWorkflow({
		content: agents + text,
		file: "w.yaml",
		directory: "/r",
	});
	expect(errors).toEqual([]);
	return workflow?.planner;
};
const paired = (challenger: string): string =>
	`overlays: { paired_workflow: { enabled: true, driver_agent: a, challenger_agent: ${challenger} } }`;
const task = (name: string, keys: string): string => `${name}: { description: x, ${keys} }`;

test("the agent that the file names plans", () => {
	expect(plannerIn(`planner: c\ntasks: { ${task("x", paired("b"))} }\n`)).toBe("c");
});

test("else the challenger in defaults, else the one challenger of all tasks", () => {
	const tasks = `tasks: { ${task("x", paired("c"))} }\n`;
	expect(plannerIn(`defaults: { ${paired("b")} }\n${tasks}`)).toBe("b");
	expect(plannerIn(tasks)).toBe("c");
	expect(
		plannerIn(`tasks: { ${task("x", paired("c"))}, ${task("y", paired("b"))} }\n`),
	).toBeUndefined();
});

test("without a pair it is the only agent, and nobody among several", () => {
	expect(plannerIn(`tasks: { ${task("x", "agent: a")} }\n`)).toBeUndefined();
	const content =
		"version: 1\nagents: { a: { adapter: codex } }\ntasks: { x: { description: x, agent: a } }\n";
	expect(loadWorkflow({ content, file: "w.yaml", directory: "/r" }).workflow?.planner).toBe("a");
});

test("a file that is about to get its tasks may have none", () => {
	const content = "version: 1\nagents: { a: { adapter: codex } }\n";
	const place = { content, file: "w.yaml", directory: "/r" };
	expect(loadWorkflow({ ...place, mayLackTasks: true }).workflow?.tasks).toEqual([]);
	expect(loadWorkflow(place).workflow).toBeNull();
});
