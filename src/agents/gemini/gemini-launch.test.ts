import { expect, test } from "vitest";
import { seat } from "../harness/fake-harness.fixture.ts";
import type { HarnessSeat } from "../harness/harness.ts";
import { geminiLaunch } from "./gemini.ts";

/** The value after an option; undefined when it is not given. */
function after(args: readonly string[], option: string): string | undefined {
	const at = args.indexOf(option);
	return at < 0 ? undefined : args[at + 1];
}

const settingsOf = (of: HarnessSeat): unknown =>
	JSON.parse(geminiLaunch(of).files["/call/home/.gemini/settings.json"] ?? "");
const policyOf = (of: HarnessSeat): string =>
	geminiLaunch(of).files["/call/home/.gemini/policies/seat.toml"] ?? "";

const trusted = seat({ role: "player", rights: "write", found: { trusted: "yes" } });

test("every seat runs headless in a private home, with a model, the prompt on standard input", () => {
	for (const rights of ["read", "restricted", "write"] as const) {
		const { args, env, stdin } = geminiLaunch(seat({ rights }));
		expect(after(args, "--model")).toBe("gemini-2.5-pro");
		expect(after(args, "--output-format")).toBe("stream-json");
		expect(after(args, "--prompt")).toBe("");
		expect(env["GEMINI_CLI_HOME"]).toBe("/call/home");
		expect(stdin).toBe("Judge.");
	}
});

test("extensions, hooks, skills, agents and `.env` files of the checkout are shut off", () => {
	expect(after(geminiLaunch(seat()).args, "--extensions")).toBe("none");
	expect(settingsOf(seat())).toMatchObject({
		hooksConfig: { enabled: false },
		skills: { enabled: false },
		experimental: { enableAgents: false },
		advanced: { ignoreLocalEnv: true },
		general: { maxAttempts: 2, enableAutoUpdate: false },
		context: { includeDirectories: ["/call"] },
	});
});

test("a checkout is trusted only when the survey says so", () => {
	for (const rights of ["read", "restricted", "write"] as const) {
		const { env, args } = geminiLaunch(seat({ rights }));
		expect(env["GEMINI_CLI_TRUST_WORKSPACE"]).toBe("false");
		expect(after(args, "--approval-mode")).toBe("default");
	}
	expect(geminiLaunch(trusted).env["GEMINI_CLI_TRUST_WORKSPACE"]).toBe("true");
	expect(after(geminiLaunch(trusted).args, "--approval-mode")).toBe("yolo");
});

test("who judges has tools that read, and no others", () => {
	const policy = policyOf(seat({ rights: "read" }));
	expect(policy).toContain('toolName = ["*"]\ndecision = "deny"');
	expect(policy).not.toMatch(/write_file|replace|run_shell_command/);
});

test("a verifier edits, and has no shell", () => {
	const policy = policyOf(seat({ role: "verifier", rights: "restricted" }));
	expect(policy).toContain('toolName = ["*"]\ndecision = "deny"');
	expect(policy).toMatch(/"write_file","replace"\]\ndecision = "allow"/);
	expect(policy).not.toContain("run_shell_command");
});

test("a player edits and runs commands, redirected ones too", () => {
	const policy = policyOf(seat({ role: "player", rights: "write" }));
	expect(policy).toContain('["run_shell_command"]\ndecision = "allow"');
	expect(policy).toContain("allowRedirection = true");
});

test("the user's sign-in is linked into the private home; keys are read, credentials written", () => {
	const found = {
		selectedType: "oauth-personal",
		"oauth_creds.json": "/home/user/.gemini/oauth_creds.json",
		envFile: "/home/user/.gemini/.env",
	};
	const { links, writable } = geminiLaunch(seat({ found }));
	expect(links).toEqual({
		"/call/home/.gemini/oauth_creds.json": "/home/user/.gemini/oauth_creds.json",
		"/call/home/.env": "/home/user/.gemini/.env",
	});
	expect(writable).toEqual(["/home/user/.gemini/oauth_creds.json"]);
	expect(settingsOf(seat({ found }))).toMatchObject({
		security: { auth: { selectedType: "oauth-personal" } },
	});
	expect(geminiLaunch(seat({ found, login: "key" })).links).toEqual({});
});

test("a key that the workflow passes on names the way to sign in", () => {
	const found = { selectedType: "oauth-personal" };
	for (const [keys, selectedType] of [
		[{ GEMINI_API_KEY: "k" }, "gemini-api-key"],
		[{ GOOGLE_API_KEY: "k" }, "vertex-ai"],
	] as const) {
		expect(settingsOf(seat({ keys, found }))).toMatchObject({
			security: { auth: { selectedType } },
		});
	}
	expect(settingsOf(seat())).toMatchObject({ security: { folderTrust: { enabled: false } } });
	expect(settingsOf(seat())).not.toHaveProperty("security.auth");
});

test("the user's arguments come last, and what they give is not given twice", () => {
	const model = "gemini-2.5-flash";
	const { args } = geminiLaunch(seat({ model, args: ["--debug"] }));
	expect(args.at(-1)).toBe("--debug");
	expect(after(args, "--model")).toBe(model);
	expect(geminiLaunch(seat({ model })).model).toBe(model);
	expect(geminiLaunch(seat()).model).toBe("gemini-2.5-pro");
	for (const own of [["-m", "pro"], ["--model=pro"]]) {
		expect(geminiLaunch(seat({ model, args: own })).args).not.toContain(model);
		expect(geminiLaunch(seat({ model, args: own })).model).toBeNull();
	}
	expect(geminiLaunch(seat({ args: ["--yolo"] })).args).not.toContain("--approval-mode");
});

test("a prompt that begins with a slash is not a command", () => {
	expect(geminiLaunch(seat({ prompt: "/help" })).stdin).toBe("\n/help");
});
