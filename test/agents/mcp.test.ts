import { spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";
import { text } from "node:stream/consumers";
import { afterEach, expect, test } from "vitest";
import type { HarnessName } from "../../src/workflow/harnesses.ts";
import type { Script, Step } from "../model-server/exchange.ts";
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

/** Where a user of each harness adds the server, and how one is started with it. */
const STARTS: Readonly<Record<HarnessName, (at: Place) => readonly string[]>> = {
	claude: ({ model, settings }) => {
		const flags = "-p --allowedTools Bash,mcp__sparring --output-format stream-json --verbose";
		return [...flags.split(" "), "--mcp-config", settings, "--model", model];
	},
	codex: ({ model }) => {
		const flags = "exec --json --dangerously-bypass-approvals-and-sandbox -c".split(" ");
		// Required, so that the model is asked once the server's tools are known.
		const server = 'mcp_servers.sparring={command="spar",args=["mcp"],required=true}';
		return [...flags, server, "--model", model];
	},
	gemini: ({ model, home, settings }) => {
		const store = join(home, ".gemini");
		mkdirSync(store);
		const security = { auth: { selectedType: "gemini-api-key" }, folderTrust: { enabled: true } };
		const servers = JSON.parse(readFileSync(settings, "utf8")) as object;
		writeFileSync(join(store, "settings.json"), JSON.stringify({ ...servers, security }));
		const trusted = { [home]: "TRUST_FOLDER" };
		writeFileSync(join(store, "trustedFolders.json"), JSON.stringify(trusted));
		return ["--model", model, "--approval-mode", "yolo", "--output-format", "stream-json"];
	},
	opencode: ({ model, home }) => {
		const mcp = { sparring: { type: "local", command: ["spar", "mcp"], enabled: true } };
		mkdirSync(join(home, ".config/opencode"), { recursive: true });
		writeFileSync(join(home, ".config/opencode/opencode.json"), JSON.stringify({ mcp }));
		return ["run", "--format", "json", "--title", "x", "--model", model];
	},
};

interface Place {
	readonly model: string;
	readonly home: string;
	/** File with what `spar mcp --json` prints. */
	readonly settings: string;
}

/** Names by which each offers the server's check; Codex in a group. */
const TOOLS: Readonly<Record<HarnessName, readonly [tool: string, namespace?: string]>> = {
	claude: ["mcp__sparring__check"],
	codex: ["check", "mcp__sparring"],
	gemini: ["mcp_sparring_check"],
	opencode: ["sparring_check"],
};

function checkOf(name: HarnessName): Step {
	const [tool, namespace] = TOOLS[name];
	return { kind: "call", tool, input: {}, ...(namespace === undefined ? {} : { namespace }) };
}

const ends: (() => Promise<void>)[] = [];
afterEach(async () => {
	for (const end of ends.splice(0).reverse()) await end();
});

/** A repository with broken work, and a harness in it as a user has it who added the server. */
async function desk({ name, bin }: Installed, script: Script) {
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
	const server = await startModelServer({ script });
	const outside = await startOutside();
	ends.push(async () => {
		await Promise.all([server.close(), outside.close()]);
		await waitUntil("the end of all processes", () => processesOf(repo).length === 0);
		repo.remove();
	});
	const { model, args, env } = connectionOf(name, server.url, repo.home);
	const PATH = [programs, dirname(process.execPath), repo.env["PATH"]].join(delimiter);
	const start = [...STARTS[name]({ model, home: repo.home, settings }), ...args];
	const child = spawn(bin, start, {
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

describeHarnesses((harness) => {
	test("asks the server for the verdict, repairs the work, and asks again", async () => {
		const check = checkOf(harness.name);
		const repair = `echo 'export const value = "good again";' > ${VALUE}`;
		const { told, said, code } = await desk(
			harness,
			inOrder(check, { kind: "shell", command: repair }, check, { kind: "text", text: "Done." }),
		);
		expect(code, said).toBe(0);
		expect(told, said).toHaveLength(3);
		const [red, , green] = told;
		// Some show their model the report, and some its text.
		expect(red).toMatch(/"verdict":"fail".*says good|fail {2}uncommitted changes.*says good/s);
		expect(green).toMatch(/"verdict":"pass"|pass {2}uncommitted changes/);
	});
});
