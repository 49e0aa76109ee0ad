import { chmod, mkdir, mkdtemp, readFile, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { thorough } from "../../../test/support/amount.ts";
import { requireWords } from "../../drive/require-words.ts";
import { findProgram } from "../../process/find-program.ts";
import { reachableHosts } from "../../seats/reachable-hosts.ts";
import { loadWorkflow } from "../../workflow/load.ts";
import type { Workflow } from "../../workflow/workflow.ts";
import { initWorkflow, rootAround } from "./init.ts";

let root = "";
beforeEach(async () => {
	root = await realpath(await mkdtemp(path.join(tmpdir(), "spar init é-")));
});
afterEach(async () => {
	await rm(root, { recursive: true, force: true });
});

async function write(files: Readonly<Record<string, string>>): Promise<void> {
	for (const [name, text] of Object.entries(files)) {
		await mkdir(path.dirname(path.join(root, name)), { recursive: true });
		await writeFile(path.join(root, name), text);
	}
}

/** Writes the file and loads it: there are no errors, whatever the project. */
async function init(
	env: Readonly<Record<string, string>> = {},
): Promise<{ workflow: Workflow; text: string }> {
	const written = await initWorkflow({ root, env, packageFolder: "/opt/sparring", force: true });
	const content = await readFile(written.path);
	expect(content.toString()).toBe(written.text);
	const place = { file: "sparring.yaml", directory: root, repositoryRoot: root };
	const { workflow, errors } = loadWorkflow({ content, ...place });
	expect(errors).toEqual([]);
	if (workflow === null) throw new Error("no workflow");
	return { workflow, text: written.text };
}

const manifest = (test: string, more: object = {}): string =>
	JSON.stringify({ scripts: { test }, ...more });

test("checks, setup and seats stand in the file as they were found", async () => {
	await write({
		"package.json": manifest("vitest run"),
		"package-lock.json": "{}",
		"pyproject.toml": '[project.optional-dependencies]\ntest = ["pytest"]\n',
		"Cargo.toml": "[package]",
	});
	const { workflow } = await init();
	expect(workflow.setup).toEqual([
		"npm ci",
		"python3 -m venv .venv",
		'.venv/bin/python -m pip install -e ".[test]"',
	]);
	expect(workflow.checks).toMatchObject([
		{ name: "tests-node", kind: "acceptance", run: "npm test" },
		{ name: "tests-python", kind: "acceptance", run: ".venv/bin/python -m pytest" },
		{ name: "tests-rust", kind: "acceptance", run: "cargo test" },
	]);
	expect(workflow.checks.some(({ report }) => report !== undefined)).toBe(false);
});

test("a lint target of a Makefile is a check that what is red already does not fail", async () => {
	await write({ Makefile: "test:\n\t./t\nlint:\n\t./l\n" });
	expect((await init()).workflow.checks).toMatchObject([
		{ name: "tests", kind: "acceptance", run: "make test" },
		{ name: "lint", kind: "lint", run: "make lint", baseline: "tolerate" },
	]);
});

test("the file says what was found, and no more", async () => {
	await write({
		"package.json": manifest("vitest run"),
		"package-lock.json": "{}",
		".gitignore": "node_modules",
	});
	const { text, workflow } = await init({ PATH: await programs("claude", "codex") });
	expect(text).toBe(`# yaml-language-server: $schema=/opt/sparring/schema/workflow.schema.json
# Every key, with examples: /opt/sparring/docs/user-guide/workflows.md
version: 1
setup: ["npm ci"]
player: claude
coach: codex
sandbox: auto
checks:
  tests: "npm test"
tasks:
  first-task: "Describe what to build or fix."
`);
	expect(workflow.tasks).toMatchObject([
		{ player: "claude", pair: { challenger: "codex" }, bound: 10 },
	]);
});

test("the starter's task does not run before it is edited", async () => {
	await write({ "package.json": manifest("vitest") });
	const [task] = (await init()).workflow.tasks;
	if (task === undefined) throw new Error("no task");
	expect(() => requireWords({ tasks: [task] })).toThrow(
		"first-task still has the words of the starter file",
	);
	expect(() => requireWords({ tasks: [{ ...task, description: "Fix it." }] })).not.toThrow();
});

thorough("without a real test command the checks stay a comment", async () => {
	for (const text of [
		"",
		"not json",
		"[]",
		manifest('echo "Error: no test specified" && exit 1'),
	]) {
		await write({ "package.json": text });
		const { workflow, text: written } = await init();
		expect(workflow.checks).toEqual([]);
		expect(written).toContain('# checks: { tests: "make test" }');
	}
});

/** A folder with programs of these names. */
async function programs(...names: readonly string[]): Promise<string> {
	const folder = path.join(root, "bin");
	await mkdir(folder, { recursive: true });
	for (const name of names) {
		await writeFile(path.join(folder, name), "#!/bin/sh\n");
		await chmod(path.join(folder, name), 0o755);
	}
	return folder;
}

test("each coding agent on the PATH gets an agent; the first two take a seat each", async () => {
	const env = {
		PATH: await programs("codex", "claude", "opencode", "qwen"),
		ANTHROPIC_API_KEY: "x",
		OPENAI_API_KEY: "",
	};
	const { workflow, text } = await init(env);
	expect(Object.keys(workflow.agents)).toEqual(["claude", "opencode", "qwen", "codex"]);
	expect(workflow.agents).toMatchObject({
		claude: { adapter: "claude", env: ["ANTHROPIC_API_KEY"], login: "user", args: [] },
		codex: { adapter: "codex", env: [], login: "user" },
		qwen: { adapter: "acp", run: ["qwen", "--acp"] },
	});
	expect(workflow.tasks).toMatchObject([
		{ player: "claude", pair: { challenger: "codex" }, bound: 10 },
	]);
	expect(text).not.toContain("your-agent");
});

test("two programs for the models of one maker are one agent, so that the seats differ", async () => {
	const PATH = await programs("claude", "claude-agent-acp", "codex-acp");
	expect((await init({ PATH })).workflow.agents).toMatchObject({
		claude: { adapter: "claude" },
		"codex-acp": { adapter: "acp", run: ["codex-acp"] },
	});
});

test.each(["claude", "codex", "gemini", "opencode"])("%s alone takes both seats", async (name) => {
	const { workflow } = await init({ PATH: await programs(name) });
	expect(workflow.agents).toMatchObject({
		[name]: { adapter: name },
		reviewer: { adapter: name },
	});
	expect(workflow.tasks).toMatchObject([{ player: name, pair: { challenger: "reviewer" } }]);
});

test("agents that speak ACP sit where there is no adapter of their own", async () => {
	const { workflow } = await init({ PATH: await programs("goose", "copilot") });
	expect(workflow.agents).toMatchObject({
		goose: { adapter: "acp", run: ["goose", "acp"] },
		copilot: { adapter: "acp", run: ["copilot", "--acp", "--no-auto-update"] },
	});
	expect((await init({ PATH: await programs("gemini") })).workflow.agents).toMatchObject({
		gemini: { adapter: "gemini" },
		goose: { adapter: "acp", run: ["goose", "acp"] },
		copilot: { adapter: "acp" },
	});
});

test("without any coding agent there is a placeholder", async () => {
	const { workflow, text } = await init({});
	expect(text).toContain("No known coding agent is on the PATH");
	expect(Object.keys(workflow.agents)).toEqual(["dev", "reviewer"]);
});

test.each([
	[
		"package-lock.json",
		'"resolved": "https://npm.example.org/a/-/a-1.tgz"\n"funding": { "url": "https://money.example.org" }',
		["npm.example.org"],
	],
	["yarn.lock", '  resolved "https://me:pw@YARN.example.org:8443/a.tgz#1"', ["yarn.example.org"]],
	[
		"pnpm-lock.yaml",
		"    resolution: {integrity: x, tarball: https://pnpm.example.org/a.tgz}",
		["pnpm.example.org"],
	],
	["package-lock.json", '"resolved": "http://localhost:4873/a.tgz"', []],
	["package-lock.json", "{}", []],
])("the hosts that %s names may be reached by setup", async (lock, content, hosts) => {
	await write({ [lock]: content, "package.json": manifest("jest") });
	const { workflow, text } = await init();
	expect(workflow.sandbox).toEqual({ mode: "auto", allowHosts: hosts });
	expect(text.includes("\nsandbox: auto")).toBe(hosts.length === 0);
});

test("registries of .npmrc may be reached as well, and other languages have theirs", async () => {
	await write({
		"package.json": manifest("jest"),
		"package-lock.json": '"resolved": "https://b.example.org/a.tgz"',
		".npmrc": "; registry=https://no.example.org\n@mine:registry=https://a.example.org/npm/\n",
		"home/.npmrc": "registry = https://c.example.org\n",
	});
	expect((await init({ HOME: path.join(root, "home") })).workflow.sandbox?.allowHosts).toEqual([
		"a.example.org",
		"b.example.org",
		"c.example.org",
	]);
	await rm(path.join(root, "package.json"));
	await write({
		"uv.lock":
			'source = { registry = "https://py.example.org/simple" }\nsdist = { url = "https://files.example.org/x.gz" }',
	});
	expect((await init()).workflow.sandbox?.allowHosts).toEqual([
		"files.example.org",
		"py.example.org",
	]);
});

test("public registries need no mention", async () => {
	const [host = ""] = reachableHosts({ agents: {}, setup: ["npm ci"] }, {});
	await write({
		"package.json": manifest("jest"),
		"package-lock.json": `"resolved": "https://${host}/a.tgz"`,
	});
	expect((await init()).workflow.sandbox).toEqual({ mode: "auto", allowHosts: [] });
});

test.each(["dependencies", "devDependencies"])(
	"tsx among %s gets its Unix sockets",
	async (key) => {
		await write({
			"package.json": manifest("node --import tsx --test", { [key]: { tsx: "4" } }),
			"package-lock.json": '"resolved": "https://npm.example.org/a.tgz"',
		});
		const { workflow, text } = await init();
		const allowHosts = ["npm.example.org"];
		expect(workflow.sandbox).toEqual({ mode: "auto", allowHosts, unixSockets: true });
		expect(text).toContain("unix_sockets: true }\n");
		await write({ "package-lock.json": "{}" });
		expect((await init()).text).toContain("\nsandbox: { mode: auto, unix_sockets: true }\n");
		await write({ "package.json": manifest("tsx", { [key]: { "tsx-like": "4" }, tsx: "4" }) });
		expect((await init()).workflow.sandbox).toEqual({ mode: "auto", allowHosts: [] });
	},
);

test("editors find the schema in the project, else in the package that wrote the file", async () => {
	expect((await init()).text.split("\n")[0]).toBe(
		"# yaml-language-server: $schema=/opt/sparring/schema/workflow.schema.json",
	);
	await write({ "node_modules/sparring/schema/workflow.schema.json": "{}" });
	expect((await init()).text.split("\n")[0]).toBe(
		"# yaml-language-server: $schema=./node_modules/sparring/schema/workflow.schema.json",
	);
});

thorough("dependencies that git does not ignore are warned of", async () => {
	await write({ "package.json": manifest("jest"), "package-lock.json": "{}" });
	expect((await init()).text).toContain("node_modules is not in .gitignore");
	await write({ ".gitignore": "dist\r\n/node_modules/\r\n" });
	expect((await init()).text).not.toContain("is not in .gitignore");
	await write({ "pyproject.toml": '[dependency-groups]\ndev = ["pytest"]', ".gitignore": "" });
	const { text } = await init();
	expect(text).toContain("# node_modules and .venv are not in .gitignore:");
});

test("a file that is there is not replaced without --force", async () => {
	await write({ "sparring.yaml": "mine" });
	await expect(
		initWorkflow({ root, env: {}, packageFolder: "/opt/sparring" }),
	).rejects.toMatchObject({
		code: "usage",
	});
	expect(await readFile(path.join(root, "sparring.yaml"), "utf8")).toBe("mine");
});

test("a place that cannot be written is a fault, not a bug", async () => {
	await mkdir(path.join(root, "sparring.yaml"));
	await expect(
		initWorkflow({ root, env: {}, packageFolder: "/opt/sparring", force: true }),
	).rejects.toMatchObject({
		code: "state-unwritable",
	});
});

test("the root is the nearest folder with .git, which a linked work tree has as a file", async () => {
	await write({ "a/.git": "gitdir: x", "a/b/c.txt": "" });
	expect(rootAround(path.join(root, "a/b"))).toBe(path.join(root, "a"));
	expect(() => rootAround("/")).toThrow(expect.objectContaining({ code: "not-a-repository" }));
});

test("a program is an executable file on the PATH or at its path", async () => {
	const folder = await programs("tool");
	await write({ "bin/text": "" });
	await mkdir(path.join(folder, "folder"));
	const tool = path.join(folder, "tool");
	expect(findProgram("tool", `relative:${folder}`, "/")).toBe(tool);
	expect(findProgram("bin/tool", "", root)).toBe(tool);
	expect(findProgram("text", folder, "/")).toBeUndefined();
	expect(findProgram("folder", folder, "/")).toBeUndefined();
	expect(findProgram("tool", "bin", root)).toBeUndefined();
});
