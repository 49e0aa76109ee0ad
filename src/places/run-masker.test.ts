import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { Workflow } from "../workflow/workflow.ts";
import { currentWorkflow, runMasker } from "./run-masker.ts";
import { maskerOf, storedWorkflow } from "./secrets.ts";

const TOKEN = "tok-1234567890abcdef";
const ENV = { MY_TOKEN: "env-1234567890abcdef" };

let root: string;

beforeEach(() => {
	root = mkdtempSync(join(tmpdir(), "spar-masker-"));
});

afterEach(() => rmSync(root, { recursive: true, force: true }));

const writeWorkflow = (token: string): void => {
	const agents = { dev: { adapter: "command", run: ["agent", `--token=${token}`] } };
	const tasks = { one: { agent: "dev", description: "Do it.", acceptance_criteria: ["done"] } };
	const checks = { tests: { kind: "acceptance", run: "true" } };
	const text = JSON.stringify({ version: 1, name: "test", agents, checks, tasks });
	writeFileSync(join(root, "sparring.yaml"), text);
};

async function storedRun(): Promise<{ readonly workflow: Workflow }> {
	writeWorkflow(TOKEN);
	const workflow = await currentWorkflow(
		{ workflow: { file: "sparring.yaml", agents: {} } as Workflow }, // Nothing else of it is read.
		root,
	);
	if (workflow === null) throw new Error("the workflow of the test is invalid");
	return { workflow: storedWorkflow(workflow, maskerOf(ENV, workflow)) };
}

test("what the workflow file holds is known although the database holds only its mark", async () => {
	const run = await storedRun();
	expect(JSON.stringify(run)).not.toContain(TOKEN);
	const masker = await runMasker(run, { root, env: ENV });
	expect(masker.mask(`a ${TOKEN} b ${ENV.MY_TOKEN}`)).toMatch(
		/^a \[MASKED:config:\w{4}\] b \[MASKED:env:\w{4}\]$/,
	);
});

test("a file that is gone or damaged, and a secret that is no longer known, leave what is known now", async () => {
	const run = await storedRun();
	writeWorkflow("tok-of-another-time");
	const changed = await runMasker(run, { root, env: ENV });
	expect(changed.mask("tok-of-another-time")).toMatch(/^\[MASKED:/);
	writeFileSync(join(root, "sparring.yaml"), "{");
	expect(await currentWorkflow(run, root)).toBeNull();
	rmSync(join(root, "sparring.yaml"));
	expect(await currentWorkflow(run, root)).toBeNull();
	const gone = await runMasker(run, { root, env: ENV });
	expect(gone.mask(ENV.MY_TOKEN)).toMatch(/^\[MASKED:env:/);
});
