import { spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";
import { text } from "node:stream/consumers";
import { afterEach, expect, test } from "vitest";
import type { Step } from "../model-server/exchange.ts";
import { inOrder, startModelServer } from "../model-server/model-server.ts";
import { processesOf } from "../support/processes.ts";
import { PROGRAM } from "../support/program.ts";
import { repository } from "../support/repository.ts";
import { spar } from "../support/spar.ts";
import { waitUntil } from "../support/wait-until.ts";
import { workflow } from "../support/workflow.ts";
import { connectionOf } from "./connection.ts";
import { describeHarnesses } from "./describe-harnesses.ts";
import type { Installed } from "./harnesses.ts";
import { startOutside } from "./outside.ts";

const VALUE = "src/value.js";
const SUITE = `echo 1..1
if grep -q good ${VALUE}; then echo "ok 1 - says good"; else echo "not ok 1 - says good"; fi
`;
const TOOL = "mcp__sparring__check";

const ends: (() => Promise<void>)[] = [];
afterEach(async () => {
	for (const end of ends.splice(0).reverse()) await end();
});

/** A repository with broken work, and Claude Code in it as a user has it who added the server. */
async function desk({ name, bin }: Installed, first: Step, ...steps: readonly Step[]) {
	const repo = repository();
	repo.write({
		[VALUE]: 'export const value = "good";\n',
		"test/suite.sh": SUITE,
		"sparring.yaml": workflow({
			agents: { dev: { adapter: "command", run: ["true"] } },
			tasks: { one: { agent: "dev", description: "x" } },
			checks: { tests: { kind: "acceptance", run: "sh test/suite.sh", report: { format: "tap" } } },
		}),
	});
	repo.commit("The project");
	repo.write({ [VALUE]: 'export const value = "bad";\n' });
	const programs = join(repo.home, "bin");
	mkdirSync(programs);
	const shim = join(programs, "spar");
	writeFileSync(shim, `#!/bin/sh\nexec "${process.execPath}" "${PROGRAM}" "$@"\n`);
	chmodSync(shim, 0o755);
	const settings = join(repo.home, "mcp.json");
	writeFileSync(settings, (await spar(repo, ["mcp", "--json"])).stdout);
	const server = await startModelServer({ script: inOrder(first, ...steps) });
	const outside = await startOutside();
	ends.push(async () => {
		await Promise.all([server.close(), outside.close()]);
		await waitUntil("the end of all processes", () => processesOf(repo).length === 0);
		repo.remove();
	});
	const { model, env } = connectionOf(name, server.url, repo.home);
	const PATH = [programs, dirname(process.execPath), repo.env["PATH"]].join(delimiter);
	const flags = ["--allowedTools", `Bash,${TOOL}`, "--output-format", "stream-json", "--verbose"];
	const child = spawn(bin, ["-p", "--mcp-config", settings, ...flags, "--model", model], {
		cwd: repo.root,
		env: { ...repo.env, ...env, ...outside.env, PATH, DISABLE_AUTOUPDATER: "1" },
	});
	child.stdin.end("Is the work done?");
	const [said, err] = await Promise.all([text(child.stdout), text(child.stderr)]);
	if (child.exitCode === null) await once(child, "close");
	const last = server.requests.filter(({ isSide }) => !isSide).at(-1);
	const told = last?.request.messages.flatMap(({ results }) => results) ?? [];
	return { repo, said: `${said}${err}`, code: child.exitCode, told };
}

describeHarnesses(
	(harness) => {
		test("asks the server for the verdict, repairs the work, and asks again", async () => {
			const check: Step = { kind: "call", tool: TOOL, input: {} };
			const repair = `echo 'export const value = "good again";' > ${VALUE}`;
			const { told, said, code } = await desk(
				harness,
				check,
				{ kind: "shell", command: repair },
				check,
				{ kind: "text", text: "Now it is done." },
			);
			expect(code, said).toBe(0);
			const [red = "", , green = ""] = told;
			expect(told, said).toHaveLength(3);
			expect(JSON.parse(red)).toMatchObject({
				verdict: "fail",
				checks: [{ name: "tests", failed: ["says good"] }],
			});
			expect(JSON.parse(green)).toMatchObject({ verdict: "pass", files: [VALUE] });
		});
	},
	["claude"],
);
