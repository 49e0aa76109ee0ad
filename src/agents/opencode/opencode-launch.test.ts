import { expect, test } from "vitest";
import { seat } from "../harness/fake-harness.fixture.ts";
import type { HarnessSeat } from "../harness/harness.ts";
import { opencodeLaunch, opencodePermission } from "./opencode.ts";

function configuration(of: HarnessSeat): unknown {
	return JSON.parse(opencodeLaunch(of).env["OPENCODE_CONFIG_CONTENT"] ?? "");
}

/** The last pattern that fits decides, as opencode reads them. */
function decisionOn(command: string): string | undefined {
	const { bash } = opencodePermission(seat({ role: "verifier", rights: "restricted" }));
	if (typeof bash !== "object") throw new Error("no rules for the shell");
	const fits = Object.entries(bash).filter(([pattern]) => {
		const parts = pattern.split("*").map((part) => part.replaceAll(/[^\w\s]/g, "\\$&"));
		return new RegExp(`^${parts.join(".*")}$`, "s").test(command);
	});
	return fits.at(-1)?.[1];
}

test("every seat runs an agent of its own, with the prompt on standard input", () => {
	for (const rights of ["read", "restricted", "write"] as const) {
		const { args, stdin } = opencodeLaunch(seat({ rights }));
		expect(args.slice(0, 5)).toEqual(["run", "--format", "json", "--agent", "sparring"]);
		expect(args).toContain("--pure");
		expect(args).toContain("--title");
		expect(stdin).toBe("Judge.");
		const permission = opencodePermission(seat({ rights }));
		expect(configuration(seat({ rights }))).toMatchObject({
			default_agent: "sparring",
			share: "disabled",
			autoupdate: false,
			permission,
			agent: { sparring: { mode: "primary", permission } },
		});
	}
});

test("who judges reads, and has no tool but those that do", () => {
	const { external_directory: outside, ...rest } = opencodePermission(seat());
	expect(rest).toEqual({ "*": "deny", read: "allow", glob: "allow", grep: "allow", list: "allow" });
	expect(outside).toEqual({ "*": "deny", "/call/*": "allow", "/call/**": "allow" });
});

test("a player runs any command, but starts no agents below it and asks nobody", () => {
	expect(opencodePermission(seat({ rights: "write" }))).toMatchObject({
		"*": "allow",
		task: "deny",
		question: "deny",
		webfetch: "deny",
		external_directory: { "*": "deny" },
	});
	const confined = opencodePermission(seat({ rights: "write", confined: true }));
	expect(confined["external_directory"]).toBe("allow");
});

test("a verifier edits, and its commands only read git", () => {
	const permission = opencodePermission(seat({ role: "verifier", rights: "restricted" }));
	expect(permission).toMatchObject({ "*": "deny", edit: "allow" });
	for (const command of ["git diff", "git log -1 --stat", "git show HEAD:a.ts", "git status -s"]) {
		expect([command, decisionOn(command)]).toEqual([command, "allow"]);
	}
});

test.each([
	"ls",
	"git push",
	"git difftool -x sh",
	"git -c x=y diff",
	"git diff --output=x",
	"git diff > x",
	'git diff --out"put"=x',
	"git diff --out'put'=x",
	"git diff --out\\put=x",
	"git log $(touch x)",
	"git diff --{output,y}=x",
	"git log `touch x`",
	"git log; touch x",
	"git log\ntouch x",
	"git log | tee x",
	"git diff && touch x",
	"X=y git diff",
])("a verifier's command `%s` is denied", (command) => {
	expect(decisionOn(command)).toBe("deny");
});

test("settings, plugins and MCP servers of the user and the checkout are out of its sight", () => {
	const { env, files } = opencodeLaunch(seat());
	expect(env).toMatchObject({
		XDG_CONFIG_HOME: "/call/home/.config",
		XDG_DATA_HOME: "/call/home/.local/share",
		OPENCODE_TEST_HOME: "/call/home",
		OPENCODE_DISABLE_PROJECT_CONFIG: "1",
		OPENCODE_DISABLE_CLAUDE_CODE: "1",
		OPENCODE_DISABLE_MODELS_FETCH: "1",
	});
	expect(Object.keys(files).every((path) => path.startsWith("/call/home/"))).toBe(true);
});

test("the file of the user's sign-in is linked and may be written, nothing else", () => {
	const signIn = "/home/user/.local/share/opencode/auth.json";
	const { links, writable } = opencodeLaunch(seat({ found: { signIn } }));
	expect(links).toEqual({ "/call/home/.local/share/opencode/auth.json": signIn });
	expect(writable).toEqual([signIn]);
	expect(opencodeLaunch(seat())).toMatchObject({ links: {}, writable: [] });
});

test("the user's arguments come last, and what they give is not given twice", () => {
	const model = "anthropic/claude-sonnet-5";
	expect(opencodeLaunch(seat({ model, args: ["--variant", "high"] })).args.slice(-4)).toEqual([
		"--model",
		model,
		"--variant",
		"high",
	]);
	expect(opencodeLaunch(seat({ model })).model).toBe(model);
	for (const args of [["-m", "a/b"], ["--model=a/b"]]) {
		expect(opencodeLaunch(seat({ model, args })).args).not.toContain(model);
		expect(opencodeLaunch(seat({ model, args })).model).toBeNull();
	}
	expect(opencodeLaunch(seat({ args: ["--no-pure"] })).args).not.toContain("--pure");
	expect(opencodeLaunch(seat()).args).not.toContain("--model");
});
