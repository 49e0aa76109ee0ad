import { expect, test } from "vitest";
import { loadWorkflow } from "./load.ts";
import { workflowOfChecks } from "./workflow-of-checks.ts";

const PLACE = { file: "sparring.yaml", directory: "/project", repositoryRoot: "/project" };

const checks = [
	{ name: "tests", kind: "acceptance", run: "npm test" },
	{ name: "lint", kind: "lint", run: "make lint" },
	{
		name: "unit",
		kind: "acceptance",
		run: "run",
		report: { format: "junit", path: "report.xml" },
	},
] as const;

test.each([
	["auto", [], false],
	[{ mode: "auto", allow_hosts: ["example.com"], unix_sockets: true }, ["example.com"], true],
] as const)(
	"what is found is what the loader makes of a file that says it (sandbox: %o)",
	(sandbox, hosts, unixSockets) => {
		const named = Object.fromEntries(
			checks.map(({ name, ...check }) => [
				name,
				check.kind === "lint" ? { ...check, baseline: "tolerate" } : check,
			]),
		);
		const content = JSON.stringify({ version: 1, setup: ["make deps"], sandbox, checks: named });
		const { workflow, errors } = loadWorkflow({ content, ...PLACE, mayLackTasks: true });
		expect(errors).toEqual([]);
		const found = { setup: ["make deps"], checks, hosts, unixSockets };
		expect({ ...workflow, file: undefined }).toEqual(workflowOfChecks(found));
	},
);
