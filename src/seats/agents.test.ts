import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { thorough } from "../../test/support/amount.ts";
import { contractCall } from "../agents/agent.contract.ts";
import { maskerOf } from "../places/secrets.ts";
import { childEnvironment } from "../process/environment.ts";
import { bareHost } from "../process/run-process.ts";
import { loadWorkflow } from "../workflow/load.ts";
import { tieBreakerOf } from "../workflow/tie-breaker-of.ts";
import type { Workflow } from "../workflow/workflow.ts";
import { obstacleTo, requireAgents } from "./agent-needs.ts";
import { seatsOf } from "./agents.ts";

let dir = "";
beforeEach(async () => {
	dir = await mkdtemp(path.join(tmpdir(), "spar-seats-"));
});
afterEach(async () => {
	await rm(dir, { recursive: true });
});

const PAIRED =
	"overlays: { paired_workflow: { enabled: true, driver_agent: dev, challenger_agent: rev } }";

/** Two agents that need nothing, and what a test adds. */
function workflow(agents: string, more = "", seats = PAIRED): Workflow {
	const { workflow: loaded, errors } = loadWorkflow({
		content: `version: 1
agents:
  dev: { adapter: command, run: [/bin/true] }
  rev: { adapter: command, run: [/bin/true] }
${agents}tasks: { a: { description: x, ${seats} } }
${more}`,
		file: "w.yaml",
		directory: "/repo",
	});
	expect(errors).toEqual([]);
	if (loaded === null) throw new Error("no workflow");
	return loaded;
}

const NAMED = "tie_breaker: arbiter\n";
const FLASH = "  arbiter: { adapter: model, model: google/gemini-flash-latest }\n";
const GONE = "  arbiter: { adapter: command, run: [no-such-program] }\n";
const NO_KEY = { env: { PATH: "/usr/bin:/bin" } };

test("no run is refused for want of the default tie-breaker's key", async () => {
	await expect(requireAgents(workflow(""), NO_KEY)).resolves.toBeUndefined();
});

test("a tie-breaker that the file names has to be there before a pair starts", async () => {
	await expect(requireAgents(workflow(FLASH, NAMED), NO_KEY)).rejects.toThrow(
		"agent arbiter needs a key for the model google/gemini-flash-latest",
	);
	await expect(requireAgents(workflow(GONE, NAMED), NO_KEY)).rejects.toThrow(
		"agent arbiter needs the program no-such-program",
	);
	const leaning = `${GONE}  arbiter2: { adapter: command, run: [/bin/true], fallback: arbiter }\n`;
	await expect(requireAgents(workflow(leaning, "tie_breaker: arbiter2\n"), NO_KEY)).rejects.toThrow(
		"agent arbiter needs the program no-such-program",
	);
});

test("where no task has a pair it is never asked, so nothing is looked for", async () => {
	await expect(requireAgents(workflow(GONE, NAMED, "agent: dev"), NO_KEY)).resolves.toBeUndefined();
});

test("what is in the way of an agent is known without calling it", async () => {
	const plain = workflow("");
	const { name } = tieBreakerOf(plain);
	expect(await obstacleTo(plain, name, NO_KEY)).toContain("needs a key");
	expect(await obstacleTo(plain, name, { env: { GEMINI_API_KEY: "k".repeat(20) } })).toBeNull();
	await expect(obstacleTo(plain, "nobody", NO_KEY)).rejects.toThrow("no agent nobody");
});

thorough(
	"a program that only `node_modules/.bin` has is missing before the call, as it is in the call",
	async () => {
		const folder = path.join(dir, "node_modules", ".bin");
		await mkdir(folder, { recursive: true });
		await writeFile(path.join(folder, "local"), "#!/bin/sh\n", { mode: 0o755 });
		const env = { PATH: `${folder}:/usr/bin:/bin` };
		const plain = workflow("  local: { adapter: command, run: [local], env: [PATH] }\n");
		expect(await obstacleTo(plain, "local", { env })).toBe(
			`agent local needs the program local, and ${folder}/local is in a folder that agents do not search`,
		);
		const { agent } = await seatsOf(plain, { env, host: bareHost })("local");
		const call = await contractCall(dir, { env: childEnvironment(env) });
		expect(await agent.call(call, new AbortController().signal)).toMatchObject({
			message: "local could not be started: the program is missing",
		});
	},
);

test("the default tie-breaker is made like any agent, once, under a name of its own", async () => {
	const plain = workflow("");
	const seat = seatsOf(plain, { env: NO_KEY.env, host: bareHost });
	const { name } = tieBreakerOf(plain);
	const made = await seat(name);
	expect(made.definition).toMatchObject({ name, adapter: "model", model: name });
	expect(await seat(name)).toBe(made);
});

test("a workflow that names its own does not know the default, nor anybody else", () => {
	const seat = seatsOf(workflow(FLASH, NAMED), { env: NO_KEY.env, host: bareHost });
	expect(() => seat("google/gemini-flash-latest")).toThrow("no agent google/gemini-flash-latest");
	expect(() => seat("nobody")).toThrow("no agent nobody");
});

test("without a key the default tie-breaker fails at once, and says which variable to set", async () => {
	const plain = workflow("");
	const seat = seatsOf(plain, { env: NO_KEY.env, host: bareHost });
	const { name } = tieBreakerOf(plain);
	const call = { ...(await contractCall(dir, { role: "tie_breaker" })), agent: name };
	const outcome = await (await seat(name)).agent.call(call, new AbortController().signal);
	expect(outcome).toMatchObject({
		kind: "failed",
		// No retry follows this one.
		failure: "unknown",
		message:
			"the model google/gemini-flash-latest needs a key, and none of these is set: GEMINI_API_KEY, GOOGLE_API_KEY, GOOGLE_GENERATIVE_AI_API_KEY. Set GEMINI_API_KEY.",
	});
});

test("a server that an agent is given has to be there, and what it may see is masked", async () => {
	const bin = path.join(dir, "bin");
	await mkdir(bin);
	await writeFile(path.join(bin, "claude"), "#!/bin/sh\n", { mode: 0o755 });
	const env = { PATH: `${bin}:/usr/bin:/bin`, NOTES_KEY: "note-key-1234567890" };
	const serving = (command: string): Workflow =>
		workflow(
			`  fast: { adapter: claude, mcp: { notes: { command: [${command}, x], env: [NOTES_KEY] } } }\n`,
		);
	expect(await obstacleTo(serving("no-such-server"), "fast", { env })).toBe(
		"agent fast needs the program no-such-server, which is not on the PATH",
	);
	const made = serving("sh");
	expect(await obstacleTo(made, "fast", { env })).toBeNull();
	expect(maskerOf(env, made).mask(`key ${env.NOTES_KEY}`)).not.toContain(env.NOTES_KEY);
});
