import { existsSync, globSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Command } from "commander";
import { expect, test } from "vitest";
import { processShell } from "../src/cli/process-shell.ts";
import { wholeProgram } from "../src/cli/program.ts";
import { EXIT } from "../src/cli/terminal/exit-code.ts";
import { mermaid } from "../src/library/graph.ts";
import { TASK_NODES } from "../src/loop/graph/task-nodes.ts";
import { isLiftedByFile, RULES, type SuspicionRule } from "../src/wall/suspicion.ts";
import { VARIABLE_NAMES } from "../src/workflow/expression/variables.ts";
import { loadWorkflow } from "../src/workflow/load.ts";
import { KINDS_OF_FORMAT } from "../src/workflow/schema-checks.ts";
import { thorough } from "./support/amount.ts";
import { repository } from "./support/repository.ts";
import { spar } from "./support/spar.ts";

const GUIDE = "docs/user-guide";
const PAGES = globSync("{*.md,docs/**/*.md,examples/**/*.md,src/*.md}").filter(
	(file) => !file.includes("node_modules"),
);

const read = (file: string): string => readFileSync(file, "utf8");

/** The text without fenced code, in which nothing is a link. */
const prose = (text: string): string => text.replaceAll(/^(`{3,})[\s\S]*?^\1$/gm, "");

/** The contents of fenced blocks of a language. */
const fences = (text: string, language: string): string[] =>
	[...text.matchAll(new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)\\n\`\`\`$`, "gm"))].map(
		([, body = ""]) => body,
	);

/** Anchor of a heading: lower case, spaces to hyphens, other punctuation dropped. */
const anchor = (heading: string): string =>
	heading
		.toLowerCase()
		.replaceAll(/[^\p{L}\p{N}\s_-]/gu, "")
		.replaceAll(/\s/g, "-");

const anchors = (text: string): string[] =>
	[...prose(text).matchAll(/^#+ +(.+)$/gm)].map(([, heading = ""]) => anchor(heading));

/** Links of a page that lead nowhere in the repository. */
function brokenLinks(file: string, text: string): string[] {
	const links = [...prose(text).matchAll(/\]\(([^)\s]+)\)/g)].map(([, target = ""]) => target);
	return links.filter((link) => {
		if (/^[a-z]+:/.test(link)) return false;
		const [path = "", hash] = link.split("#");
		const target = path === "" ? file : join(dirname(file), path);
		if (!existsSync(target)) return true;
		return hash !== undefined && !anchors(read(target)).includes(hash);
	});
}

/** Each command that does something, such as `hil list`, with its long options. */
function commandsOf(parent: Command, path: readonly string[] = []): [string, string[]][] {
	return parent.commands.flatMap((command): [string, string[]][] => {
		const words = [...path, command.name()];
		if (command.commands.length > 0) return commandsOf(command, words);
		return [[words.join(" "), command.options.flatMap(({ long }) => long ?? [])]];
	});
}

const program = await wholeProgram(processShell());
const commands = commandsOf(program);

/** Names of the properties anywhere in a JSON Schema. */
function keysOf(schema: unknown): string[] {
	if (typeof schema !== "object" || schema === null) return [];
	return Object.entries(schema).flatMap(([name, value]: [string, unknown]) => {
		const own = name === "properties" && typeof value === "object" && value !== null;
		return [...(own ? Object.keys(value) : []), ...keysOf(value)];
	});
}

thorough("every link between the pages leads somewhere", () => {
	expect(PAGES.length).toBeGreaterThan(20);
	const broken = PAGES.flatMap((file) =>
		brokenLinks(file, read(file)).map((to) => `${file}: ${to}`),
	);
	expect(broken).toEqual([]);
});

test("a link to a missing page and one to a missing heading are found", () => {
	const text = "[a](missing.md) [b](README.md#no-such-heading) [c](README.md#licence)";
	expect(brokenLinks("x.md", text)).toEqual(["missing.md", "README.md#no-such-heading"]);
});

test("every command and every option of it stands in commands.md", () => {
	const page = read(`${GUIDE}/commands.md`);
	expect(commands.length).toBeGreaterThan(15);
	expect(commands.flatMap(([, options]) => options).length).toBeGreaterThan(30);
	const missing = commands.flatMap(([command, options]) => [
		...(new RegExp(`^### \`spar ${command}[\` ]`, "m").test(page) ? [] : [command]),
		...options.filter((option) => !page.includes(option)).map((option) => `${command} ${option}`),
	]);
	expect(missing).toEqual([]);
});

test("commands.md describes no command that is not there", () => {
	const page = read(`${GUIDE}/commands.md`);
	const described = [...page.matchAll(/^### `spar ([a-z ]+?)(?: [[A-Z].*)?`$/gm)].map(
		([, name]) => name,
	);
	expect(described.length).toBeGreaterThan(15);
	const known = ["help", ...commands.map(([command]) => command)];
	expect(described.filter((name) => !known.includes(name ?? ""))).toEqual([]);
});

test("every exit code stands in commands.md", () => {
	const page = read(`${GUIDE}/commands.md`);
	const codes = Object.values(EXIT);
	expect(codes.filter((code) => !new RegExp(`^\\| ${code} +\\|`, "m").test(page))).toEqual([]);
});

test("workflow-file.md names every key of the schema", () => {
	const schema: unknown = JSON.parse(read("schema/workflow.schema.json"));
	const keys = [...new Set(keysOf(schema))];
	expect(keys.length).toBeGreaterThan(40);
	const page = read(`${GUIDE}/workflow-file.md`);
	expect(keys.filter((key) => !new RegExp(`\\b${key}\\b`).test(page))).toEqual([]);
});

test("workflow-file.md names every format of a report", () => {
	const page = read(`${GUIDE}/workflow-file.md`);
	expect(Object.keys(KINDS_OF_FORMAT).filter((name) => !page.includes(`\`${name}\``))).toEqual([]);
});

test("faults.md documents every code of a fault and no other", () => {
	const [union = ""] = /export type FaultCode =([\s\S]*?);/.exec(read("src/kernel/fault.ts")) ?? [];
	const codes = [...union.matchAll(/"([a-z-]+)"/g)].map(([, code]) => code);
	const documented = [...read(`${GUIDE}/faults.md`).matchAll(/^\| `([a-z-]+)` +\|/gm)].map(
		([, code]) => code,
	);
	expect(codes.length).toBeGreaterThan(20);
	expect(new Set(documented)).toEqual(new Set(codes));
});

test("people.md names every trigger of a question", () => {
	const [union = ""] = /export type Trigger =([\s\S]*?);/.exec(read("src/human/question.ts")) ?? [];
	const triggers = [...union.matchAll(/"([a-z_]+)"/g)].map(([, trigger = ""]) => trigger);
	expect(triggers.length).toBeGreaterThan(5);
	const page = read(`${GUIDE}/people.md`);
	expect(triggers.filter((trigger) => !page.includes(`\`${trigger}\``))).toEqual([]);
});

test("the drawing in orchestrator.md is what `spar graph` prints", async () => {
	const [drawing] = fences(read("docs/architecture/orchestrator.md"), "mermaid");
	expect(drawing).toBe((await mermaid()).trimEnd());
});

test("orchestrator.md describes every node", () => {
	const page = read("docs/architecture/orchestrator.md");
	expect(TASK_NODES.filter(({ name }) => !new RegExp(`^- \`${name}\`: `, "m").test(page))).toEqual(
		[],
	);
});

test("ARCHITECTURE.md lists the rooms of src/README.md in their order", () => {
	const rooms = (file: string): (string | undefined)[] =>
		[...read(file).matchAll(/^\| `([a-z]+)` +\|/gm)].map(([, room]) => room);
	expect(rooms("ARCHITECTURE.md")).toEqual(rooms("src/README.md"));
});

/** The part of a page below a heading of the second level. */
const section = (page: string, heading: string): string =>
	page.split(/^## /m).find((part) => part.startsWith(`${heading}\n`)) ?? "";

const SOURCES: ReadonlyMap<string, string> = new Map(
	globSync("src/**/*.ts").map((file) => [file, read(file)]),
);

const isWordOf = (text: string, word: string): boolean => new RegExp(`\\b${word}\\b`).test(text);

/** Whether a path, an npm script, a command or a name of the source exists; other code is not looked at. */
function isThere(code: string, file: string): boolean {
	const [, script] = /^npm run ([\w:-]+)/.exec(code) ?? [];
	if (script !== undefined) return read("package.json").includes(`"${script}": `);
	const [, command] = /^spar ([a-z]+)/.exec(code) ?? [];
	if (command !== undefined) return commands.some(([known]) => known.split(" ")[0] === command);
	if (code.includes("/")) return existsSync(code);
	if (!/^\w+$/.test(code)) return true;
	if (file !== "") return isWordOf(SOURCES.get(file) ?? "", code);
	return [...SOURCES.values()].some((text) => isWordOf(text, code));
}

/** What a text writes as code and is not there; `NAME` (`file`) is looked for in that file. */
const missingNames = (text: string): string[] =>
	[...prose(text).matchAll(/`([^`]+)`(?=(?:\s+\(`(src\/[^`]+\.ts)`)?)/g)].flatMap(
		([, code = "", file = ""]) => (isThere(code, file) ? [] : [code]),
	);

test("every file, name and command in the recipes of ARCHITECTURE.md exists", () => {
	const recipes = section(read("ARCHITECTURE.md"), "How to add");
	expect([...recipes.matchAll(/`[^`]+`/g)].length).toBeGreaterThan(15);
	expect(missingNames(recipes)).toEqual([]);
});

test("a recipe that names what is gone, or names it in the wrong file, is found", () => {
	const text =
		"`GONE_TYPES`, `NODES` (`src/kernel/fault.ts`), `src/gone.ts`, `npm run gone`, `spar gone`, " +
		"`Fault` (`src/kernel/fault.ts`), `npm run schema`, `spar hil list`, `a: b`";
	expect(missingNames(text)).toEqual([
		"GONE_TYPES",
		"NODES",
		"src/gone.ts",
		"npm run gone",
		"spar gone",
	]);
});

test("every message that troubleshooting.md quotes in a heading is in the source", () => {
	const page = read(`${GUIDE}/troubleshooting.md`);
	const quoted = [...page.matchAll(/^\*\*`([^`]+)`\.\*\*/gm)].map(([, text = ""]) => text);
	expect(quoted.length).toBeGreaterThan(3);
	const source = [...SOURCES.values()].join("\n");
	const parts = quoted.flatMap((text) => text.split("...").map((part) => part.trim()));
	expect(parts.filter((part) => !source.includes(part))).toEqual([]);
});

test("evidence.md has a row for each rule of a suspicion, with its kind and what lifts it", () => {
	const text = read("docs/architecture/evidence.md");
	const rows = [...text.matchAll(/^\| `(\w+)` +\| .+ \| `(\w+)` +\| (\w+)/gm)];
	const told = rows.map(([, rule, kind, lift]) => [rule, kind, lift]);
	const rules = Object.keys(RULES) as SuspicionRule[]; // An object's own keys are strings to the compiler.
	const lifts = rules.map((rule) => (isLiftedByFile(rule) ? "file" : "id"));
	expect(told).toEqual(rules.map((rule, at) => [rule, RULES[rule].kind, lifts[at]]));
	const asked = [...text.matchAll(/^- `(\w+)`: .+\?$/gm)].map(([, kind]) => kind);
	expect(asked).toEqual([...new Set(rules.map((rule) => RULES[rule].kind))]);
});

test("every decision is dated, has its three parts and stands in the list", () => {
	const list = read("docs/decisions/README.md");
	const records = globSync("docs/decisions/[0-9]*.md");
	expect(records.length).toBeGreaterThan(10);
	const unfit = records.filter((file) => {
		const text = read(file);
		const whole = ["## Context", "## Decision", "## Price"].every((part) => text.includes(part));
		return !(whole && /^Date: \d{4}-\d\d-\d\d$/m.test(text) && list.includes(file.slice(15)));
	});
	expect(unfit).toEqual([]);
});

const readmeWorkflow = (): string => fences(read("README.md"), "yaml")[0] ?? "";

test("the README's workflow loads without an error or a warning", () => {
	const loaded = loadWorkflow({
		content: readmeWorkflow(),
		file: "sparring.yaml",
		directory: "/repository",
	});
	expect([...loaded.errors, ...loaded.warnings]).toEqual([]);
	expect(loaded.workflow?.tasks.map(({ id }) => id)).toEqual(["greet"]);
});

test("every whole workflow of workflows.md loads without an error or a warning", () => {
	const files = fences(read(`${GUIDE}/workflows.md`), "yaml");
	expect(files.length).toBeGreaterThan(5);
	for (const content of files) {
		const loaded = loadWorkflow({ content, file: "sparring.yaml", directory: "/repository" });
		expect([...loaded.errors, ...loaded.warnings], content).toEqual([]);
	}
});

test("workflows.md names every variable of a condition", () => {
	const page = read(`${GUIDE}/workflows.md`);
	const names = VARIABLE_NAMES.map((name) => name.replace(/^metrics\..+/, "metrics.TYPE"));
	expect(names.filter((name) => !page.includes(`| \`${name}\` `))).toEqual([]);
});

/** What a page calls a file of its example: a path in code and a colon, then the content. */
const exampleFiles = (page: string): [string, string][] =>
	[...page.matchAll(/^`([\w./-]+)`:\n\n```\w+\n([\s\S]*?)\n```$/gm)].map(
		([, path = "", body = ""]) => [path, `${body}\n`],
	);

thorough(
	"the example of agent-protocol.md runs in the README's workflow, and merges in its second turn",
	async () => {
		const page = read(`${GUIDE}/agent-protocol.md`);
		const files = exampleFiles(page);
		const [agents = ""] = fences(page, "yaml");
		const workflow = readmeWorkflow().replace(/^agents:\n(?: .*\n)+/m, `${agents}\n`);
		expect(workflow).toContain("agents/dev.sh");
		expect(files.map(([path]) => path)).toContain("agents/reviewer.mjs");
		const repo = repository({
			files: { ...Object.fromEntries(files), "sparring.yaml": `${workflow}\n` },
		});
		try {
			const { code, stdout, stderr } = await spar(repo, ["run", "--json"]);
			expect(code, stderr).toBe(0);
			expect(JSON.parse(stdout)).toMatchObject({
				status: "completed",
				tasks: { greet: { turns: 2, merged: true, gate: { verdict: "PASS" } } },
			});
		} finally {
			repo.remove();
		}
	},
);

thorough("the code refers to nothing that a reader of the repository cannot open", () => {
	const texts = globSync("src/**/*.ts").map((file) => readFileSync(file, "utf8"));
	expect(texts.length).toBeGreaterThan(100);
	const outside = texts.filter((text) => /(?:design|contract) section|\bprinciples? \d/.test(text));
	expect(outside).toEqual([]);
});
