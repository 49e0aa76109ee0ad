import { chmod, mkdir, mkdtemp, readFile, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { loadWorkflow } from "../workflow/load.ts";
import type { Workflow } from "../workflow/workflow.ts";
import { findProgram } from "./find-program.ts";
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

test("two harnesses on the PATH take one seat each, with the keys that are set", async () => {
	const env = {
		PATH: await programs("claude", "codex"),
		ANTHROPIC_API_KEY: "x",
		OPENAI_API_KEY: "",
	};
	const { workflow, text } = await init(env);
	const { dev, reviewer } = workflow.agents;
	expect(dev).toMatchObject({ adapter: "command", env: ["ANTHROPIC_API_KEY"] });
	expect(dev?.adapter === "command" ? dev.run[0] : "").toBe("claude");
	expect(reviewer?.adapter === "command" ? reviewer.run.at(-1) : "").toContain("codex exec");
	expect(workflow.tasks).toMatchObject([
		{ player: "dev", pair: { challenger: "reviewer" }, bound: 10 },
	]);
	expect(text).not.toContain("your-agent");
});

test("each harness alone takes both seats; without any there is a placeholder", async () => {
	for (const name of ["claude", "codex", "gemini", "opencode"]) {
		await rm(path.join(root, "bin"), { recursive: true, force: true });
		const { text } = await init({ PATH: await programs(name) });
		expect(text).toContain(`exec ${name}`);
	}
	const { workflow, text } = await init({});
	expect(text).toContain("replace your-agent");
	expect(Object.keys(workflow.agents)).toEqual(["dev", "reviewer"]);
});

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
