import { expect, test } from "vitest";
import { claudeLaunch } from "../claude/claude.ts";
import { codexLaunch } from "../codex/codex.ts";
import { geminiLaunch } from "../gemini/gemini.ts";
import { opencodeLaunch } from "../opencode/opencode.ts";
import { seat } from "./fake-harness.fixture.ts";
import { holdsOption } from "./seat-options.ts";

test.each([
	[["--model", "x"], true],
	[["--verbose", "--model=x"], true],
	[["-m", "x"], true],
	[["-mx"], true],
	[["--model-provider", "x"], false],
	[["--model-provider=x"], false],
	[["model"], false],
	[[], false],
])("%j gives a model: %s", (args, given) => {
	expect(holdsOption(args, "--model", "-m")).toBe(given);
});

const servers = [
	{ name: "notes", command: ["npx", "-y", 'a "b"'], env: { NOTES_KEY: "s3cret" } },
	{ name: "plain", command: ["plain"], env: {} },
];
const PLAIN = { command: "plain", args: [], env: {} };

const asked = seat({ role: "player", rights: "write", servers });
const told = {
	claude: claudeLaunch(asked),
	codex: codexLaunch(asked),
	gemini: geminiLaunch(asked),
	opencode: opencodeLaunch(asked),
};

const notes = (variable: string) => ({
	command: "npx",
	args: ["-y", 'a "b"'],
	env: { NOTES_KEY: variable },
});

test("each harness is told of its servers in its own form", () => {
	const { claude, codex, gemini, opencode } = told;
	const config = claude.args[claude.args.indexOf("--mcp-config") + 1] ?? "";
	expect(JSON.parse(config)).toEqual({
		mcpServers: { notes: notes(["$", "{NOTES_KEY}"].join("")), plain: PLAIN },
	});
	expect(claude.args).toContain("Edit(./**),Bash,mcp__notes,mcp__plain");
	expect(codex.args).toContain(
		'mcp_servers.notes={command="npx",args=["-y","a \\"b\\""],env_vars=["NOTES_KEY"],default_tools_approval_mode="approve"}',
	);
	expect(JSON.parse(gemini.files[`${asked.home}/.gemini/settings.json`] ?? "")).toMatchObject({
		mcpServers: { notes: notes("$NOTES_KEY"), plain: PLAIN },
	});
	const { command, args, env: environment } = notes("{env:NOTES_KEY}");
	expect(JSON.parse(opencode.env["OPENCODE_CONFIG_CONTENT"] ?? "")).toMatchObject({
		mcp: { notes: { type: "local", command: [command, ...args], environment, enabled: true } },
	});
});

test.each(Object.entries(told))("%s is told no value of a variable", (_name, launch) => {
	expect(JSON.stringify(launch)).toContain("NOTES_KEY");
	expect(JSON.stringify(launch)).not.toContain("s3cret");
});

test.each(Object.entries({ claudeLaunch, codexLaunch, opencodeLaunch, geminiLaunch }))(
	"%s names no server where a seat has none",
	(_name, launch) => {
		const { args, env, files } = launch(seat({ role: "coach", rights: "read" }));
		expect(JSON.stringify([args, env, files])).not.toMatch(
			/mcp_servers\.|--mcp-config|"local"|npx/,
		);
	},
);
