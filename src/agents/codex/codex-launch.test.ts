import { expect, test } from "vitest";
import { seat } from "../harness/fake-harness.fixture.ts";
import { codexLaunch } from "./codex.ts";

/** The value after an option; undefined when it is not given. */
function after(args: readonly string[], option: string): string | undefined {
	const at = args.indexOf(option);
	return at < 0 ? undefined : args[at + 1];
}

/** What `-c` sets. */
function settings(args: readonly string[]): string[] {
	return args.filter((_, index) => args[index - 1] === "-c");
}

test("every seat runs without a session that is kept and without anybody's settings", () => {
	for (const rights of ["read", "restricted", "write"] as const) {
		const { args, stdin } = codexLaunch(seat({ rights }));
		expect(args.slice(0, 6)).toEqual([
			"exec",
			"--json",
			"--ephemeral",
			"--skip-git-repo-check",
			"--ignore-user-config",
			"--ignore-rules",
		]);
		expect(settings(args)).toEqual(
			expect.arrayContaining([
				"features.hooks=false",
				"skills.include_instructions=false",
				"check_for_update_on_startup=false",
				"analytics.enabled=false",
				'shell_environment_policy.exclude=["CODEX_API_KEY","OPENAI_API_KEY"]',
			]),
		);
		expect(stdin).toBe("Judge.");
	}
});

test.each([
	["read", false, "read-only"],
	["restricted", false, "workspace-write"],
	["write", false, "workspace-write"],
	["read", true, "danger-full-access"],
	["write", true, "danger-full-access"],
] as const)(
	"with rights to %s, confined: %s, its own sandbox is %s",
	(rights, confined, sandbox) => {
		expect(after(codexLaunch(seat({ rights, confined })).args, "--sandbox")).toBe(sandbox);
	},
);

test("instructions in the checkout, which a player may have written, reach nobody", () => {
	for (const rights of ["read", "restricted", "write"] as const)
		expect(settings(codexLaunch(seat({ rights })).args)).toContain("project_doc_max_bytes=0");
});

test("the home is private to the call and not below the temporary directory", () => {
	const { env, files } = codexLaunch(seat());
	expect(env).toEqual({ CODEX_HOME: "/call/home/.codex" });
	expect(Object.keys(files)).toContain("/call/home/.codex/config.toml");
});

test("with login: user the sign-in is linked from the user's store, and nothing else is writable", () => {
	const link = "/call/home/.codex/auth.json";
	expect(codexLaunch(seat()).links).toEqual({ [link]: "/home/user/.codex/auth.json" });
	const store = { CODEX_HOME: "/elsewhere" };
	expect(codexLaunch(seat({ store })).links).toEqual({ [link]: "/elsewhere/auth.json" });
	expect(codexLaunch(seat({ userHome: undefined })).links).toEqual({});
	expect(codexLaunch(seat()).writable).toEqual([]);
});

test("with login: key nothing is linked, and either key is handed over as the one that it looks at", () => {
	const keyed = (keys: Record<string, string>) => codexLaunch(seat({ login: "key", keys }));
	expect(keyed({ OPENAI_API_KEY: "o" })).toMatchObject({ links: {}, env: { CODEX_API_KEY: "o" } });
	expect(keyed({ OPENAI_API_KEY: "o", CODEX_API_KEY: "c" }).env).toMatchObject({
		CODEX_API_KEY: "c",
	});
});

test("a gateway's address becomes a provider, with a key alone and never with the account's sign-in", () => {
	const through = (keys: Record<string, string>, args: readonly string[] = []) =>
		settings(codexLaunch(seat({ keys, args })).args).filter((text) => /provider/.test(text));
	const OPENAI_BASE_URL = "https://gateway.example/v1";
	const provider = `name="gateway",base_url="${OPENAI_BASE_URL}",wire_api="responses"`;
	expect(through({ OPENAI_BASE_URL })).toEqual([
		'model_provider="gateway"',
		`model_providers.gateway={${provider}}`,
	]);
	expect(through({ OPENAI_BASE_URL, OPENAI_API_KEY: "o" })[1]).toBe(
		`model_providers.gateway={${provider},env_key="CODEX_API_KEY"}`,
	);
	expect(through({})).toEqual([]);
	expect(through({ OPENAI_BASE_URL }, ["-c", 'model_provider="own"'])).toEqual([
		'model_provider="own"',
	]);
});

test("the report's schema goes along as a file where the role has one", () => {
	const { args, files } = codexLaunch(seat({ schema: { type: "object" } }));
	const path = after(args, "--output-schema") ?? "";
	expect(files[path]).toBe('{"type":"object"}');
	expect(codexLaunch(seat()).args).not.toContain("--output-schema");
});

test("the user's arguments come last, and their model stands alone", () => {
	const model = "gpt-5.5";
	expect(codexLaunch(seat({ model, args: ["-c", 'model_provider="x"'] })).args.slice(-4)).toEqual([
		"--model",
		"gpt-5.5",
		"-c",
		'model_provider="x"',
	]);
	expect(codexLaunch(seat({ model })).model).toBe("gpt-5.5");
	const theirs = [["-m", "x"], ["-mx"], ["--model=x"], ["-c", 'model="x"'], ['--config=model="x"']];
	for (const args of theirs) {
		expect(codexLaunch(seat({ model, args })).args).not.toContain("gpt-5.5");
		expect(codexLaunch(seat({ model, args })).model).toBeNull();
	}
});
