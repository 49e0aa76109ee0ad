import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { knownIds } from "./known-ids.ts";

/** A directory with the git directory and the workflow file of a repository. */
function repositoryWith(workflow: string): string {
	const directory = mkdtempSync(join(tmpdir(), "spar-known-ids-"));
	onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
	mkdirSync(join(directory, ".git"));
	writeFileSync(join(directory, "sparring.yaml"), workflow);
	return directory;
}

const env = { HOME: "/nowhere" };

test("what a shell would expand is not offered to it", async () => {
	const names = ["ok", "ok-2.b", '"$(touch x)"', "`id`", '"a b"', "$HOME", "-x", "a;b"];
	const workflow = `tasks:\n${names.map((name) => `  ${name}: {}\n`).join("")}`;
	const directory = repositoryWith(workflow.replace("  `id`: {}\n", '  "`id`": {}\n'));
	expect(await knownIds({ directory, env })).toEqual({
		runs: [],
		tasks: [],
		workflowTasks: ["ok", "ok-2.b"],
		items: [],
	});
});

test("a workflow file that cannot be read offers nothing", async () => {
	const directory = repositoryWith("tasks: [a, b]\n");
	expect((await knownIds({ directory, env })).workflowTasks).toEqual([]);
});
