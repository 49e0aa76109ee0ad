import { createInterface } from "node:readline";
import { PassThrough } from "node:stream";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { loadCommand } from "../../src/cli/command-table.ts";
import { fakeShell } from "../../src/cli/fakes.contract.ts";
import { serveMcp } from "../../src/cli/mcp/serve-mcp.ts";
import type { GateFacts, GateRule } from "../../src/gate/gate-facts.ts";
import { GATE_RULES } from "../../src/gate/gate-rules.ts";
import { openSparring } from "../../src/library/open-sparring.ts";
import { thorough } from "../support/amount.ts";
import type { SparResult } from "../support/spar.ts";
import { type Stage, stage, TESTS, WORKS } from "./stage.ts";

/** When the rule that a team might add refuses. It looks at nothing but what the gate is told. */
let closed: (facts: GateFacts) => boolean = () => false;

const RULE: GateRule = {
	rule: "no_friday",
	area: "operational_readiness",
	judge: (facts) =>
		closed(facts)
			? { status: "FAIL", details: "nothing lands on a Friday" }
			: { status: "PASS", details: "" },
};

// A table that everybody else may only read.
const table = GATE_RULES as GateRule[];

beforeAll(() => void table.push(RULE));
afterAll(() => void table.splice(table.indexOf(RULE), 1));

afterEach(() => {
	closed = () => false;
});

const alone = (): Stage => stage({ steps: [WORKS], task: { overlays: {} } });
const SAID = /no_friday.*nothing lands on a Friday/;

/** Output of a command, in one line. */
const said = ({ stdout, stderr }: SparResult): string =>
	`${stdout}${stderr}`.replaceAll(/\s+/g, " ");

function changed(): Stage {
	const set = alone();
	set.repo.write({ "work.txt": "done\n" });
	return set;
}

test("a rule that is added to the gate refuses what spar check judges, and is told there as any other", async () => {
	const { spar } = changed();
	expect((await spar(["check"])).code).toBe(0);
	closed = () => true;
	const checked = await spar(["check"]);
	expect(checked.code).not.toBe(0);
	expect(said(checked)).toMatch(SAID);
	const quick = await spar(["check", "--quick", "--json"]);
	expect(JSON.parse(quick.stdout)).toMatchObject({ verdict: "fail" });
});

test("a fact that nobody has in a check is told as not asked", async () => {
	const { spar } = changed();
	const { stdout } = await spar(["check", "--json"]);
	const { rules } = JSON.parse(stdout) as { rules: { rule: string; status: string }[] };
	const told = Object.fromEntries(rules.map(({ rule, status }) => [rule, status]));
	expect(told).toEqual({
		acceptance: "pass",
		lint: "skipped",
		security: "skipped",
		verification: "not_asked",
		readiness: "skipped",
		coverage: "skipped",
		requirement_coverage: "not_asked",
		questions: "pass",
		coach: "not_asked",
		signature: "not_asked",
		no_friday: "pass",
	});
});

thorough("the tier and the waivers of the workflow file hold in a check, too", async () => {
	const defaults = { overlays: { policy_gate: { enabled: true, risk_tier: "T1" } } };
	const set = stage({ steps: [WORKS], task: { overlays: {} }, workflow: { defaults } });
	set.repo.write({ "work.txt": "done\n" });
	const short = await set.spar(["check"]);
	expect([short.code, said(short)]).toEqual([
		2,
		expect.stringMatching(/cannot pass: there is no lint/),
	]);
	expect(await set.spar(["check", "--command", "sh check.sh"]), "has no gate").toMatchObject({
		code: 0,
	});
	set.rewrite({ defaults, waive: { lint: "prose alone", security: "prose alone" } });
	set.repo.commit("Waived");
	set.repo.write({ "work.txt": "done again\n" });
	expect(await set.spar(["check"])).toMatchObject({ code: 0 });
	// Red before, a linter is required all the same, and says so in every format.
	const checks = { tests: TESTS, lint: { kind: "lint", run: "false" } };
	set.rewrite({ defaults, checks, waive: { security: "prose alone" } });
	set.repo.commit("A linter");
	set.repo.write({ "work.txt": "done once more\n" });
	const red = await set.spar(["check", "--format", "junit"]);
	expect([red.code, red.stdout]).toEqual([1, expect.stringContaining('failures="1"')]);
	set.rewrite({
		defaults: undefined,
		checks: { ...checks, lint: { kind: "lint", run: "! grep -q more work.txt" } },
		waive: { lint: "noise" },
	});
	set.repo.write({ "work.txt": "done\n" });
	set.repo.commit("Waived without a tier");
	set.repo.write({ "work.txt": "once more\n" });
	const { stdout } = await set.spar(["check", "--json"]);
	const waived = JSON.parse(stdout) as {
		verdict: string;
		rules: { rule: string; status: string }[];
	};
	expect(waived.verdict).toBe("pass");
	expect(waived.rules.find(({ rule }) => rule === "lint")?.status).toBe("waived");
});

thorough("it refuses in both hooks of git and in that of a session", async () => {
	const { repo, spar } = changed();
	closed = () => true;
	repo.git("add", "-A");
	const commit = await spar(["check", "--hook", "pre-commit"]);
	expect([commit.code === 0, said(commit)]).toEqual([false, expect.stringMatching(SAID)]);
	const call = { session_id: "s", cwd: repo.root, hook_event_name: "Stop" };
	const stop = await spar(["check", "--hook", "stop"], { input: JSON.stringify(call) });
	expect(JSON.parse(stop.stdout)).toMatchObject({ decision: "block" });
	repo.git("switch", "--quiet", "--create", "topic");
	repo.commit("The work");
	const push = await spar(["check", "--hook", "pre-push"]);
	expect([push.code === 0, said(push)]).toEqual([false, expect.stringMatching(SAID)]);
});

thorough("it refuses a turn, whose player is told, with a gate and without", async () => {
	for (const overlays of [{}, { policy_gate: { enabled: true } }]) {
		const set = stage({ steps: [WORKS], task: { overlays, max_turns: 2 } });
		closed = ({ scope }) => scope !== "tests";
		const { task } = await set.run();
		expect(task).toMatchObject({ merged: false, turns: 2 });
		const { events } = set.trace();
		expect(JSON.stringify(events)).toContain("nothing lands on a Friday");
	}
});

thorough("it refuses a merge, after a turn that it let pass", async () => {
	const set = alone();
	closed = ({ scope }) => scope === "tests";
	const { task } = await set.run();
	expect(task.merged).toBe(false);
	const { events } = set.trace();
	const refused = events.filter(({ type }) => type === "merge-refused");
	expect(JSON.stringify(refused)).toMatch(SAID);
});

test("it refuses what an agent asks about over MCP", async () => {
	const { repo } = changed();
	closed = () => true;
	const sparring = await openSparring({ directory: repo.root, env: repo.env });
	const [stdin, stdout] = [new PassThrough(), new PassThrough()];
	const wire = { stdin, stdout, mask: (text: string) => text };
	const shell = {
		...fakeShell({ sparring: { check: (options) => sparring.check(options) } }),
		openWire: () => Promise.resolve(wire),
	};
	const served = serveMcp(shell, new AbortController().signal, loadCommand);
	const about = { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: CLIENT };
	const ask = (id: number, method: string, params: object): void =>
		void stdin.write(`${JSON.stringify({ jsonrpc: "2.0", id, method, params })}\n`);
	ask(1, "initialize", about);
	ask(2, "tools/call", { name: "check", arguments: {} });
	let answer = "";
	for await (const line of createInterface({ input: stdout })) {
		answer = line;
		if (line.includes('"id":2')) break;
	}
	expect(answer).toContain("fail  uncommitted changes");
	expect(answer).toMatch(SAID);
	stdin.end();
	await served;
	sparring.close();
});

const CLIENT = { name: "test", version: "1" };
