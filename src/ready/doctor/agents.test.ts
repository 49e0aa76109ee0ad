import { mkdir, mkdtemp, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { loadWorkflow } from "../../workflow/load.ts";
import { agentLines, installedLines } from "./agents.ts";

const containing = (text: string): unknown => expect.stringContaining(text);

let bin = "";
beforeEach(async () => {
	bin = await realpath(await mkdtemp(path.join(tmpdir(), "spar-agents-")));
});
afterEach(async () => {
	await rm(bin, { recursive: true, force: true });
});

/** Programs of these names that say a version. */
async function programs(...names: readonly string[]): Promise<void> {
	for (const name of names) {
		const script = `#!/bin/sh\n[ "$1" = --version ] && echo ${name} 1.2.3\n`;
		await writeFile(path.join(bin, name), script, { mode: 0o755 });
	}
}

const environment = (more: Readonly<Record<string, string>> = {}) => ({
	PATH: `${bin}:/usr/bin:/bin`,
	HOME: bin,
	...more,
});

/** The line of one agent, whose entry in the file is given. */
async function lineOf(agent: string, more: Readonly<Record<string, string>> = {}) {
	const content = `version: 1
agents: { x: { ${agent} }, dev: { adapter: command, run: [sh] } }
tasks: { a: { agent: dev, description: d } }
`;
	const { workflow, errors } = loadWorkflow({ content, file: "sparring.yaml", directory: bin });
	expect(errors).toEqual([]);
	const agents = Object.values(workflow?.agents ?? {}).filter(({ name }) => name === "x");
	const [line] = await agentLines(agents, { env: environment(more) });
	return line;
}

test.each(["claude", "codex", "gemini", "opencode"])(
	"%s is asked for its version",
	async (name) => {
		expect(await lineOf(`adapter: ${name}`)).toEqual({
			name: "agent x",
			ok: false,
			detail: `agent x needs the program ${name}, which is not on the PATH`,
			fix: `Install ${name}, or name another adapter in the workflow file.`,
		});
		await programs(name);
		const line = await lineOf(`adapter: ${name}`);
		expect(line?.detail).toContain(`${name} 1.2.3; login: user, `);
		expect(line?.detail).toContain(path.join(bin, name));
	},
);

test.each([
	["claude", "ANTHROPIC_API_KEY"],
	["codex", "CODEX_API_KEY"],
	["gemini", "GEMINI_API_KEY"],
])("%s by key needs that key", async (name, key) => {
	await programs(name);
	const agent = `adapter: ${name}, login: key, env: [${key}]`;
	expect(await lineOf(agent)).toMatchObject({ ok: false, fix: containing(key) });
	expect(await lineOf(agent, { [key]: "k" })).toMatchObject({ ok: true });
});

test("an ACP agent is a program, and by key one of its variables must be set", async () => {
	const agent = "adapter: acp, run: [speaker, --acp]";
	expect(await lineOf(agent)).toMatchObject({
		ok: false,
		detail: containing("needs the program speaker"),
	});
	await programs("speaker");
	expect(await lineOf(agent)).toMatchObject({ ok: true, detail: path.join(bin, "speaker") });
	const byKey = `${agent}, login: key, env: [ONE, TWO]`;
	expect(await lineOf(byKey)).toMatchObject({
		ok: false,
		detail: containing("none of ONE, TWO is set"),
	});
	expect(await lineOf(byKey, { TWO: "k" })).toMatchObject({ ok: true });
});

test.each(["command", "acp"])("a %s agent is looked for where its call does", async (adapter) => {
	const folder = path.join(bin, "node_modules", ".bin");
	await mkdir(folder, { recursive: true });
	await writeFile(path.join(folder, "local"), "#!/bin/sh\n", { mode: 0o755 });
	const line = await lineOf(`adapter: ${adapter}, run: [local], env: [PATH]`, {
		PATH: `${folder}:${environment().PATH}`,
	});
	expect(line).toEqual({
		name: "agent x",
		ok: false,
		detail: `agent x needs the program local, and ${folder}/local is in a folder that agents do not search`,
		fix: "Install it elsewhere, or name its full path in the workflow file.",
	});
});

test("a model needs its key, and is not called", async () => {
	const agent = "adapter: model, model: google/gemini-flash-latest";
	expect(await lineOf(agent)).toMatchObject({
		ok: false,
		fix: containing("GEMINI_API_KEY"),
	});
	expect(await lineOf(agent, { GEMINI_API_KEY: "k" })).toEqual({
		name: "agent x",
		ok: true,
		detail: "google/gemini-flash-latest, GEMINI_API_KEY is set; not called",
		fix: null,
	});
	const local = "adapter: model, model: openai-compatible/llama, base_url: 'http://127.0.0.1:1/v1'";
	expect(await lineOf(local)).toMatchObject({
		ok: true,
		detail: "openai-compatible/llama, no key is needed; not called",
	});
});

test("a machine without any coding agent is told so", async () => {
	expect(await installedLines(environment())).toMatchObject([
		{ name: "agents", ok: "warn", fix: containing("Install claude") },
	]);
});

test("what no workflow names is at most a warning", async () => {
	await programs("opencode");
	await writeFile(path.join(bin, "claude"), "#!/bin/sh\nexit 1\n", { mode: 0o755 });
	const lines = await installedLines(environment());
	expect(lines.map(({ name }) => name)).toEqual(["claude", "opencode"]);
	expect(lines.map(({ ok }) => ok)).not.toContain(false);
	expect(lines[0]?.fix).toContain("claude --version");
});
