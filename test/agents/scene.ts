import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { afterEach, expect } from "vitest";
import { contractCall } from "../../src/agents/agent.contract.ts";
import type { Agent, AgentCall } from "../../src/agents/agent.ts";
import { harnessAgent } from "../../src/agents/harness/harness-agent.ts";
import { endMarked } from "../../src/process/process-tree.ts";
import { bareHost } from "../../src/process/run-process.ts";
import { harnessOf } from "../../src/seats/harnesses.ts";
import type { Script } from "../model-server/exchange.ts";
import { type ModelServer, startModelServer } from "../model-server/model-server.ts";
import { type Connection, connectionOf } from "./connection.ts";
import type { Installed } from "./harnesses.ts";
import { type Outside, startOutside } from "./outside.ts";

/** A harness in a seat, its model played by a script. */
export interface Scene {
	/** Holds everything of the test. */
	readonly dir: string;
	/** The checkout: a repository with one commit. */
	readonly cwd: string;
	readonly agent: Agent;
	readonly server: ModelServer;
	/** What it wanted to reach besides the model. */
	readonly outside: Outside;
	readonly call: (rest?: Partial<AgentCall>) => Promise<AgentCall>;
	readonly git: (...args: readonly string[]) => string;
}

const ends: (() => Promise<void>)[] = [];

afterEach(async () => {
	for (const end of ends.splice(0)) await end();
});

/** Marks every process of a call. */
const mark = `lane-${process.pid}/`;

/** Makes the agent of a scene. */
export type Seated = (harness: Installed, connection: Connection) => Agent | Promise<Agent>;

/** Through the harness's own adapter. */
const native: Seated = async ({ name, bin }, { model, args, env }) =>
	harnessAgent(harnessOf(name), {
		program: bin,
		model,
		args,
		env,
		login: "key",
		store: {},
		host: bareHost,
	});

/** Sets a scene; it is taken down after the test, in which nothing may have been left running. */
export async function scene(
	harness: Installed,
	script: Script,
	seated: Seated = native,
): Promise<Scene> {
	const dir = mkdtempSync(join(tmpdir(), "spar-lane-"));
	const server = await startModelServer({ script });
	const outside = await startOutside();
	ends.push(async () => {
		const left = await endMarked(mark);
		await Promise.all([server.close(), outside.close()]);
		rmSync(dir, { recursive: true, force: true, maxRetries: 3 });
		expect(left).toBe(0);
	});
	const cwd = join(dir, "checkout");
	mkdirSync(cwd);
	writeFileSync(join(cwd, "work.txt"), "work\n");
	const git = (...args: readonly string[]): string =>
		execFileSync("git", ["-c", "user.name=T", "-c", "user.email=t@example.invalid", ...args], {
			cwd,
			encoding: "utf8",
			env: { PATH: process.env["PATH"], GIT_CONFIG_NOSYSTEM: "1", HOME: dir },
		});
	git("init", "--quiet");
	git("add", "--all");
	git("commit", "--quiet", "--message=First");
	const agent = await seated(harness, connectionOf(harness.name, server.url, dir));
	const path = [dirname(process.execPath), process.env["PATH"] ?? ""].join(delimiter);
	const call = (rest: Partial<AgentCall> = {}) =>
		contractCall(dir, {
			cwd,
			mark: `${mark}${harness.name}`,
			timeoutMs: 120_000,
			env: { PATH: path, HOME: dir, LANG: "C.UTF-8", ...outside.env },
			...rest,
		});
	return { dir, cwd, agent, server, outside, call, git };
}

/** What the tools have told the model by its last request, one a call. */
export function toldOf({ server }: Scene): readonly string[] {
	const last = server.requests.filter(({ isSide }) => !isSide).at(-1);
	return last?.request.messages.flatMap(({ results }) => results) ?? [];
}
