import { expect, onTestFinished, test } from "vitest";
import { repository } from "../support/repository.ts";
import { approval, scriptedAgents } from "../support/scripted-agents.ts";
import { sparProcess } from "../support/spar.ts";
import { stateRows } from "../support/state-rows.ts";
import { pair, workflow } from "../support/workflow.ts";

/** Ends when its one value is right, and waits for ever where that is made wrong. */
const WAITS = `const timer = setInterval(() => {
	if (typeof process === "object") clearInterval(timer);
});
`;

test("a check that waits for ever where a value is wrong has noticed it, and holds nobody up", async () => {
	const repo = repository({ files: { "check.mjs": WAITS } });
	onTestFinished(() => repo.remove());
	const { agents } = scriptedAgents(repo, [
		{ role: "player", files: { "work.txt": "done\n" }, report: {} },
		{ role: "coach", report: approval("it is done") },
	]);
	const tests = { kind: "acceptance", run: "node check.mjs", report: { format: "exit" } };
	const only = { description: "Do it.", acceptance_criteria: ["it is done"], overlays: pair() };
	repo.write({ "sparring.yaml": workflow({ agents, checks: { tests }, tasks: { only } }) });
	repo.commit("A workflow");
	const run = await sparProcess(repo, ["run"]);
	expect(run.code, run.stderr).toBe(0);
	const rows = JSON.stringify(stateRows(repo, "SELECT * FROM evidence"));
	expect(rows).toContain("the check fails when an expected value is wrong (check.mjs:2)");
});
