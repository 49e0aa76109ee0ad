import { expect, test } from "vitest";
import { seat } from "../harness/fake-harness.fixture.ts";
import { claudeLaunch } from "./claude.ts";

/** The value after an option; undefined when it is not given. */
function after(args: readonly string[], option: string): string | undefined {
	const at = args.indexOf(option);
	return at < 0 ? undefined : args[at + 1];
}

test("every seat runs headless on a session of its own, refusing what no rule allows", () => {
	for (const rights of ["read", "restricted", "write"] as const) {
		const { args, stdin, files } = claudeLaunch(seat({ rights }));
		expect(args.slice(0, 5)).toEqual([
			"-p",
			"--output-format",
			"stream-json",
			"--verbose",
			"--no-session-persistence",
		]);
		expect(after(args, "--permission-mode")).toBe("dontAsk");
		expect(after(args, "--add-dir")).toBe("/call");
		expect([stdin, files]).toEqual(["Judge.", {}]);
	}
});

test("settings, hooks, plugins, skills and MCP servers of the user and the checkout are shut off", () => {
	const { args } = claudeLaunch(seat());
	expect(after(args, "--setting-sources")).toBe("");
	expect(args).toContain("--strict-mcp-config");
	expect(args).toContain("--disable-slash-commands");
});

test("who judges has no tool that writes, nor any rule that lets a command pass", () => {
	const { args } = claudeLaunch(seat({ rights: "read" }));
	expect(after(args, "--tools")).toBe("Read,Grep,Glob,Bash");
	expect(args).not.toContain("--allowedTools");
});

test("a verifier edits below the checkout, and no rule lets its commands pass", () => {
	const { args } = claudeLaunch(seat({ role: "verifier", rights: "restricted" }));
	expect(after(args, "--tools")).toBe("Read,Grep,Glob,Bash,Edit,Write,NotebookEdit");
	expect(after(args, "--allowedTools")).toBe("Edit(./**)");
});

test("a player edits below the checkout and runs any command", () => {
	const { args } = claudeLaunch(seat({ role: "player", rights: "write" }));
	expect(after(args, "--allowedTools")).toBe("Edit(./**),Bash");
	expect(after(args, "--tools")?.split(",")).not.toContain("WebFetch");
});

test("the report's schema goes along where the role has one", () => {
	const { args } = claudeLaunch(seat({ schema: { type: "object" } }));
	expect(after(args, "--json-schema")).toBe('{"type":"object"}');
	expect(claudeLaunch(seat()).args).not.toContain("--json-schema");
});

test("the user's arguments come last, and their model stands alone", () => {
	const model = "sonnet";
	expect(claudeLaunch(seat({ model, args: ["--effort", "high"] })).args.slice(-4)).toEqual([
		"--model",
		"sonnet",
		"--effort",
		"high",
	]);
	expect(claudeLaunch(seat({ model })).model).toBe("sonnet");
	expect(claudeLaunch(seat()).model).toBeNull();
	for (const args of [["--model", "opus"], ["--model=opus"]]) {
		expect(claudeLaunch(seat({ model, args })).args).not.toContain("sonnet");
		expect(claudeLaunch(seat({ model, args })).model).toBeNull();
	}
});

test("few retries of its own, no telemetry, no updates, no memory of earlier sessions", () => {
	expect(claudeLaunch(seat()).env).toEqual({
		CLAUDE_CODE_DISABLE_AUTO_MEMORY: "1",
		CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
		CLAUDE_CODE_MAX_RETRIES: "2",
		CLAUDE_CODE_SUBPROCESS_ENV_SCRUB: "0",
		DISABLE_AUTOUPDATER: "1",
		DISABLE_ERROR_REPORTING: "1",
		DISABLE_TELEMETRY: "1",
	});
});

test("with login: user a sandbox leaves the credentials writable and nothing else of the store", () => {
	const moved = { CLAUDE_CONFIG_DIR: "/elsewhere" };
	expect(claudeLaunch(seat()).writable).toEqual(["/home/user/.claude/.credentials.json"]);
	expect(claudeLaunch(seat({ store: moved })).writable).toEqual(["/elsewhere/.credentials.json"]);
	expect(claudeLaunch(seat({ userHome: undefined })).writable).toEqual([]);
});

test("with login: key its store is private to the call", () => {
	const { env, writable } = claudeLaunch(seat({ login: "key" }));
	expect(env).toMatchObject({ CLAUDE_CONFIG_DIR: "/call/home/.claude" });
	expect(writable).toEqual([]);
});
