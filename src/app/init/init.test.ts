import { chmod, mkdir, mkdtemp, readFile, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { findProgram } from "../../process/find-program.ts";
import { loadWorkflow } from "../../workflow/load.ts";
import type { Workflow } from "../../workflow/workflow.ts";
import { reachableHosts } from "../run/reachable-hosts.ts";
import { requireWords } from "../run/require-words.ts";
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
	const written = await initWorkflow({ root, env, force: true });
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

const unittests = () => ({ "pyproject.toml": "[project]", "tests/test_a.py": "import unittest" });

test.each([
	[
		"npm",
		{ "package-lock.json": "{}", "package.json": manifest("vitest run") },
		["npm ci"],
		"npm test",
		false,
	],
	[
		"pnpm",
		{ "pnpm-lock.yaml": "", "package.json": manifest("node --test") },
		["pnpm install --frozen-lockfile"],
		"pnpm test",
		false,
	],
	[
		"yarn",
		{ "yarn.lock": "", "package.json": manifest("jest") },
		["yarn install --frozen-lockfile"],
		"yarn test",
		false,
	],
	[
		"bun",
		{ "bun.lock": "", "package.json": manifest("mocha") },
		["bun install --frozen-lockfile"],
		"bun run test",
		false,
	],
	["an own script", { "package.json": manifest("node check.js") }, [], "npm test", true],
	[
		"no lock",
		{ "package.json": manifest("ava", { dependencies: { a: "1" } }) },
		["npm install --no-package-lock"],
		"npm test",
		true,
	],
	["uv", { "uv.lock": "" }, ["uv sync --locked"], "uv run pytest", false],
	[
		"poetry",
		{ "poetry.lock": "" },
		["POETRY_VIRTUALENVS_IN_PROJECT=true poetry install"],
		"poetry run pytest",
		false,
	],
	["pytest", { "pyproject.toml": "[tool.pytest.ini_options]" }, [], "python3 -m pytest", false],
	["tests of unittest", unittests(), [], "python3 -m unittest discover -s tests", false],
	[
		"a package of unittest",
		{ ...unittests(), "tests/__init__.py": "" },
		[],
		"python3 -m unittest discover",
		false,
	],
	[
		"tests of unittest at the top",
		{ "setup.py": "", "test_a.py": "" },
		[],
		"python3 -m unittest discover",
		false,
	],
	["go", { "go.mod": "module a" }, [], "go test -v ./...", false],
	["cargo", { "Cargo.toml": "[package]" }, [], "cargo test", true],
	["make", { Makefile: "all:\n\ttrue\ntest: all\n\ttrue\n" }, [], "make test", true],
])("a project with %s gets its commands", async (_name, files, setup, run, byExitCode) => {
	await write(files);
	const { workflow } = await init();
	expect(workflow.setup).toEqual(setup);
	expect(workflow.checks).toMatchObject([{ name: "tests", kind: "acceptance", run }]);
	expect(workflow.checks[0]?.report?.format).toBe(byExitCode ? "exit" : undefined);
});

test("a Python project without a test gets no command", async () => {
	await write({ "pyproject.toml": "[project]" });
	expect((await init()).workflow.checks).toEqual([]);
});

test("the starter's task does not run before all of it is edited", async () => {
	await write({ "package.json": manifest("vitest") });
	const { workflow } = await init();
	const [task] = workflow.tasks;
	if (task === undefined) throw new Error("no task");
	const refused = (change: Partial<typeof task>) => () => {
		requireWords({ tasks: [{ ...task, ...change }] });
	};
	const words = "first-task still has the words of the starter file";
	expect(refused({})).toThrow(words);
	expect(refused({ description: "Fix it." })).toThrow(words);
	expect(refused({ acceptanceCriteria: ["It holds."] })).toThrow(words);
	expect(refused({ description: "Fix it.", acceptanceCriteria: ["It holds."] })).not.toThrow();
});

test("without a real test command the checks stay a comment", async () => {
	for (const text of [
		"",
		"not json",
		"[]",
		manifest('echo "Error: no test specified" && exit 1'),
	]) {
		await write({ "package.json": text });
		const { workflow, text: written } = await init();
		expect(workflow.checks).toEqual([]);
		expect(written).toContain("#   tests: { kind: acceptance");
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

test("two coding agents on the PATH take one seat each, with a key that is set", async () => {
	const env = {
		PATH: await programs("codex", "claude", "opencode", "qwen"),
		ANTHROPIC_API_KEY: "x",
		OPENAI_API_KEY: "",
	};
	const { workflow, text } = await init(env);
	expect(workflow.agents).toMatchObject({
		dev: { adapter: "claude", env: ["ANTHROPIC_API_KEY"], login: "user", args: [] },
		reviewer: { adapter: "codex", env: [], login: "user" },
	});
	expect(workflow.tasks).toMatchObject([
		{ player: "dev", pair: { challenger: "reviewer" }, bound: 10 },
	]);
	expect(text).not.toContain("your-agent");
	expect(text).not.toContain("same make");
});

test.each(["claude", "codex", "gemini", "opencode"])("%s alone takes both seats", async (name) => {
	const { workflow, text } = await init({ PATH: await programs(name) });
	expect(workflow.agents).toMatchObject({
		dev: { adapter: name },
		reviewer: { adapter: name },
	});
	expect(text).toContain("Both seats use the same agent");
});

test("agents that speak ACP sit where there is no adapter of their own", async () => {
	const { workflow } = await init({ PATH: await programs("goose", "copilot") });
	expect(workflow.agents).toMatchObject({
		dev: { adapter: "acp", run: ["goose", "acp"] },
		reviewer: { adapter: "acp", run: ["copilot", "--acp", "--no-auto-update"] },
	});
	expect((await init({ PATH: await programs("gemini") })).workflow.agents).toMatchObject({
		dev: { adapter: "gemini" },
		reviewer: { adapter: "gemini" },
	});
});

test("without any coding agent there is a placeholder", async () => {
	const { workflow, text } = await init({});
	expect(text).toContain("replace your-agent");
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
		expect(text).toContain("# unix_sockets: tsx");
		await write({ "package-lock.json": "{}" });
		expect((await init()).text).toContain("\nsandbox: { mode: auto, unix_sockets: true }\n");
		await write({ "package.json": manifest("tsx", { [key]: { "tsx-like": "4" }, tsx: "4" }) });
		expect((await init()).workflow.sandbox).toEqual({ mode: "auto", allowHosts: [] });
	},
);

test("the schema is named where the package is installed", async () => {
	expect((await init()).text).not.toContain("yaml-language-server");
	await write({ "node_modules/sparring/schema/workflow.schema.json": "{}" });
	expect((await init()).text.split("\n")[0]).toBe(
		"# yaml-language-server: $schema=./node_modules/sparring/schema/workflow.schema.json",
	);
});

test("dependencies that git does not ignore are warned of", async () => {
	await write({ "package.json": manifest("jest"), "package-lock.json": "{}" });
	expect((await init()).text).toContain("node_modules is not in .gitignore");
	await write({ ".gitignore": "dist\r\n/node_modules/\r\n" });
	expect((await init()).text).not.toContain("is not in .gitignore");
});

test("a file that is there is not replaced without --force", async () => {
	await write({ "sparring.yaml": "mine" });
	await expect(initWorkflow({ root, env: {} })).rejects.toMatchObject({ code: "usage" });
	expect(await readFile(path.join(root, "sparring.yaml"), "utf8")).toBe("mine");
});

test("a place that cannot be written is a fault, not a bug", async () => {
	await mkdir(path.join(root, "sparring.yaml"));
	await expect(initWorkflow({ root, env: {}, force: true })).rejects.toMatchObject({
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
	expect(await findProgram("tool", `relative:${folder}`, "/")).toBe(tool);
	expect(await findProgram("bin/tool", "", root)).toBe(tool);
	expect(await findProgram("text", folder, "/")).toBeUndefined();
	expect(await findProgram("folder", folder, "/")).toBeUndefined();
	expect(await findProgram("tool", "bin", root)).toBeUndefined();
});
