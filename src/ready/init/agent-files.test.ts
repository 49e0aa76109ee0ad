import {
	chmodSync,
	existsSync,
	mkdirSync,
	mkdtempSync,
	readdirSync,
	readFileSync,
	realpathSync,
	rmSync,
	statSync,
	symlinkSync,
	writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { thorough } from "../../../test/support/amount.ts";
import { agentFiles } from "./agent-files.ts";

const plugin = join(import.meta.dirname, "../../../plugin");
const SKILL = readFileSync(join(plugin, "skills/sparring/SKILL.md"), "utf8");

let home = "";
let root = "";
beforeEach(() => {
	home = realpathSync(mkdtempSync(join(tmpdir(), "spar-agents-")));
	root = join(home, "repository");
	mkdirSync(root);
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

/** Programs on the PATH. */
function path(...names: readonly string[]): { readonly PATH: string } {
	const PATH = join(home, "bin");
	mkdirSync(PATH, { recursive: true });
	for (const name of names) writeFileSync(join(PATH, name), "", { mode: 0o755 });
	return { PATH };
}

const install = (...names: readonly string[]) =>
	agentFiles({ root, env: path(...names), plugin, isRemoval: false });
const remove = () => agentFiles({ root, env: path(), plugin, isRemoval: true });

const there = (): string[] =>
	readdirSync(root, { recursive: true, withFileTypes: true })
		.filter((entry) => entry.isFile())
		.map(({ parentPath, name }) => join(parentPath, name).slice(root.length + 1))
		.sort();

const read = (file: string): string => readFileSync(join(root, file), "utf8");

function write(file: string, text: string): void {
	mkdirSync(dirname(join(root, file)), { recursive: true });
	writeFileSync(join(root, file), text);
}

const saying = (text: string): unknown => expect.stringContaining(text);

const CLAUDE = [".claude/settings.json", ".claude/skills/sparring/SKILL.md"];
const AGENTS = [".agents/skills/sparring/SKILL.md"];
const CODEX = [...AGENTS, ".codex/hooks.json"];

thorough(
	"Claude Code and Codex get skill and hooks; a second time changes nothing; then all goes",
	async () => {
		const first = await install("claude", "codex");
		expect(first.map(({ outcome }) => outcome)).toEqual(Array(4).fill("written"));
		expect(there()).toEqual([...AGENTS, ...CLAUDE, ".codex/hooks.json"]);
		expect(read(".claude/skills/sparring/SKILL.md")).toBe(SKILL);
		const settings = read(".claude/settings.json");
		expect(JSON.parse(settings)).toEqual(
			JSON.parse(readFileSync(join(plugin, "hooks/hooks.json"), "utf8")),
		);
		expect(read(".codex/hooks.json")).toBe(settings);
		expect(first.at(-1)?.note).toContain("/hooks");
		const again = await install("claude", "codex");
		expect(again.map(({ outcome }) => outcome)).toEqual(Array(4).fill("unchanged"));
		expect(read(".claude/settings.json")).toBe(settings);
		const gone = await remove();
		expect(gone.map(({ outcome }) => outcome)).toEqual(Array(4).fill("removed"));
		expect(readdirSync(root)).toEqual([]);
		expect((await agentFiles({ root, env: { PATH: "" }, plugin, isRemoval: true })).length).toBe(0);
	},
);

test.each<[string, readonly string[]]>([
	["codex", CODEX],
	["gemini", AGENTS],
	["opencode", AGENTS],
	["claude", CLAUDE],
])("with %s alone only its own files are written", async (name, files) => {
	await install(name);
	expect(there()).toEqual(files);
});

test.each<[string, readonly string[]]>([
	[".codex", CODEX],
	[".gemini", [...AGENTS, ".gemini/settings.json"]],
	[".claude", CLAUDE],
])("the folder %s in the repository is enough", async (folder, files) => {
	mkdirSync(join(root, folder));
	await install();
	expect(there()).toEqual(files);
});

test("where no agent is used, nothing is written, and the way out is told", async () => {
	await expect(install()).rejects.toMatchObject({
		code: "usage",
		hint: saying("mkdir"),
	});
	expect(there()).toEqual([]);
});

test("a skill of the user's with this name, and settings with comments, are kept, with what to do", async () => {
	write(".claude/skills/sparring/SKILL.md", "mine\n");
	write(".agents/skills/sparring/notes.md", "mine\n");
	write(".claude/settings.json", '{\n  // mine\n  "model": "opus"\n}\n');
	const before = there().map((file) => [file, read(file)]);
	for (const files of [await install("claude"), await remove()]) {
		const [agents, skill, settings] = files.toSorted((a, b) => (a.path < b.path ? -1 : 1));
		expect(there().map((file) => [file, read(file)])).toEqual(before);
		expect(files.map(({ path: at }) => at).sort()).toEqual([AGENTS[0], ...CLAUDE]);
		expect([agents, skill, settings].length).toBe(3);
	}
	const told = Object.fromEntries(
		(await install("claude")).map(({ path: at, ...rest }) => [at, rest]),
	);
	expect(told[".claude/skills/sparring/SKILL.md"]).toEqual({
		outcome: "kept",
		note: saying("another skill has this folder"),
	});
	expect(told[".agents/skills/sparring/SKILL.md"]).toMatchObject({ outcome: "kept" });
	expect(told[".claude/settings.json"]).toMatchObject({
		outcome: "kept",
		note: saying('add by hand: {"hooks":{"SessionStart":[{"hooks":[{"type":"command"'),
	});
});

test("removal leaves what is the user's beside it", async () => {
	write(".claude/skills/other/SKILL.md", "other\n");
	write(".claude/settings.json", '{ "model": "opus" }\n');
	await install("claude");
	write(".claude/skills/sparring/notes.md", "mine\n");
	await remove();
	expect(there()).toEqual([
		".claude/settings.json",
		".claude/skills/other/SKILL.md",
		".claude/skills/sparring/notes.md",
	]);
	expect(JSON.parse(read(".claude/settings.json"))).toEqual({ model: "opus" });
});

test("Gemini CLI calls the end of a turn otherwise, and counts in milliseconds", async () => {
	write(".gemini/settings.json", '{ "theme": "x" }\n');
	await install();
	expect(JSON.parse(read(".gemini/settings.json"))).toEqual({
		theme: "x",
		hooks: {
			SessionStart: [
				{ hooks: [{ type: "command", command: "spar check --hook start", timeout: 120_000 }] },
			],
			AfterAgent: [
				{ hooks: [{ type: "command", command: "spar check --hook stop", timeout: 1_800_000 }] },
			],
		},
	});
	await remove();
	expect(JSON.parse(read(".gemini/settings.json"))).toEqual({ theme: "x" });
});

test("an older install gets the hook of the start beside its own, and all goes with it", async () => {
	const old = [
		{ hooks: [{ type: "command", command: "spar check --hook stop --quick", timeout: 60 }] },
	];
	const mine = [{ hooks: [{ type: "command", command: "say hello" }] }];
	write(".claude/settings.json", JSON.stringify({ hooks: { Stop: old, SessionStart: mine } }));
	await install("claude");
	const { hooks } = JSON.parse(read(".claude/settings.json")) as { hooks: Record<string, unknown> };
	expect(hooks["Stop"], "with the options that its user gave it").toEqual(old);
	expect(hooks["SessionStart"]).toEqual([
		...mine,
		{ hooks: [{ type: "command", command: "spar check --hook start", timeout: 120 }] },
	]);
	const settings = (await remove()).find(({ path: at }) => at === ".claude/settings.json");
	expect(settings?.note, "all or nothing").toContain("its hook was changed; take out by hand");
	expect(JSON.parse(read(".claude/settings.json"))).toEqual({ hooks });
	write(".claude/settings.json", read(".claude/settings.json").replace("stop --quick", "stop"));
	await remove();
	expect(JSON.parse(read(".claude/settings.json"))).toEqual({ hooks: { SessionStart: mine } });
});

test("what lies behind a link is changed there, inside of the repository alone, and the link stays", async () => {
	write(".agents/skills/other/SKILL.md", "other\n");
	write("shared.json", "{}\n");
	mkdirSync(join(root, ".claude"));
	symlinkSync("../.agents/skills", join(root, ".claude/skills"));
	symlinkSync("../shared.json", join(root, ".claude/settings.json"));
	await install("claude");
	expect(read(".agents/skills/sparring/SKILL.md")).toBe(SKILL);
	expect(JSON.parse(read("shared.json"))).toHaveProperty("hooks");
	await remove();
	expect(readdirSync(join(root, ".claude/skills"))).toEqual(["other"]);
	expect(JSON.parse(read(".claude/settings.json"))).toEqual({});
	rmSync(join(root, ".agents/skills/other"), { recursive: true });
	await install("claude");
	await remove();
	expect(readdirSync(join(root, ".claude/skills"))).toEqual([]);
});

test.each(["settings.json", "nowhere.json"])(
	"a link out of the repository, to %s, is left alone with what it leads to",
	async (name) => {
		writeFileSync(join(home, "settings.json"), "{}\n");
		mkdirSync(join(home, "skills"));
		mkdirSync(join(root, ".claude"));
		symlinkSync(join(home, name), join(root, ".claude/settings.json"));
		symlinkSync(join(home, "skills"), join(root, ".claude/skills"));
		const files = await install("claude");
		const note = saying("leads out of the repository");
		expect(files).toEqual([
			{ path: CLAUDE[1], outcome: "kept", note },
			{ path: CLAUDE[0], outcome: "kept", note },
		]);
		expect(readFileSync(join(home, "settings.json"), "utf8")).toBe("{}\n");
		expect(readdirSync(home).sort()).toEqual(["bin", "repository", "settings.json", "skills"]);
		expect(readdirSync(join(home, "skills"))).toEqual([]);
	},
);

test("settings that are read-only are left alone; others keep their rights", async () => {
	write(".claude/settings.json", "{}\n");
	const file = join(root, ".claude/settings.json");
	chmodSync(file, 0o444);
	expect((await install("claude"))[1]).toEqual({
		path: CLAUDE[0],
		outcome: "kept",
		note: saying("it is read-only; add by hand"),
	});
	expect(read(".claude/settings.json")).toBe("{}\n");
	chmodSync(file, 0o660);
	expect((await install("claude"))[1]).toMatchObject({ outcome: "written" });
	expect(statSync(file).mode & 0o777).toBe(0o660);
	expect(readdirSync(join(root, ".claude")).sort()).toEqual(["settings.json", "skills"]);
});

test("a skill that git gave other line ends is still Sparring's", async () => {
	write(".claude/skills/sparring/SKILL.md", SKILL.replaceAll("\n", "\r\n"));
	expect((await install("claude"))[0]).toMatchObject({ outcome: "unchanged" });
	await remove();
	expect(existsSync(join(root, ".claude"))).toBe(false);
});

test("a place that cannot be written is a fault", async () => {
	write(".claude", "a file\n");
	await expect(install("claude")).rejects.toMatchObject({ name: "Fault" });
});
