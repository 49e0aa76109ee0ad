import { expect, test } from "vitest";
import { claude } from "../claude/claude.ts";
import { codex } from "../codex/codex.ts";
import { gemini } from "../gemini/gemini.ts";
import { opencode } from "../opencode/opencode.ts";
import type { Gateway, Harness, HarnessLook } from "./harness.ts";
import { gatewayFix, signInVariables, throughGateway } from "./sign-in.ts";

const GATEWAYS: readonly Gateway[] = [
	{ name: "a cloud", variable: "USE_CLOUD", keys: [], others: ["CLOUD_REGION"] },
	{ name: "a gateway", variable: "BASE_URL", keys: ["TOKEN"], others: [] },
];

type Variables = Readonly<Record<string, string>>;

test.each([
	["nothing is set", {}, ["USE_CLOUD"], null],
	["the switch does not reach the agent", { USE_CLOUD: "1" }, [], null],
	["the switch says no", { USE_CLOUD: "false" }, ["USE_CLOUD"], null],
	[
		"a cloud needs no key",
		{ USE_CLOUD: "1" },
		["USE_CLOUD"],
		{ ok: true, detail: "through a cloud, USE_CLOUD is set", fix: null },
	],
	[
		"what is set for it has to reach the agent too",
		{ USE_CLOUD: "1", CLOUD_REGION: "eu" },
		["USE_CLOUD"],
		{
			ok: "warn",
			detail: "through a cloud, USE_CLOUD is set; CLOUD_REGION not passed on to this agent",
			fix: "Write env: [USE_CLOUD, CLOUD_REGION] for this agent.",
		},
	],
	[
		"a gateway with its token",
		{ BASE_URL: "http://x", TOKEN: "t" },
		["BASE_URL", "TOKEN"],
		{ ok: true, detail: "through a gateway, BASE_URL is set", fix: null },
	],
	[
		"a gateway that may ask for none",
		{ BASE_URL: "http://x" },
		["BASE_URL", "TOKEN"],
		{
			ok: "warn",
			detail: "through a gateway, BASE_URL is set; without a key, if it asks for none",
			fix: null,
		},
	],
] as [string, Variables, string[], unknown][])("%s", (_what, env, named, expected) => {
	expect(throughGateway({ env, named }, GATEWAYS)).toEqual(expected);
});

test("a gateway that is set up where Sparring runs, and not for the agent, is named with the way out", () => {
	const env = { BASE_URL: "http://x", TOKEN: "t" };
	expect(gatewayFix({ env, named: ["MINE"] }, GATEWAYS)).toBe(
		"To go through a gateway, write env: [MINE, BASE_URL, TOKEN] for this agent.",
	);
	expect(gatewayFix({ env: {}, named: [] }, GATEWAYS)).toBeNull();
});

/** A harness that says that nobody is signed in. */
const look = (env: Variables, more: Partial<HarnessLook> = {}): HarnessLook => ({
	env: { HOME: "/nowhere", ...env },
	named: Object.keys(env),
	login: "user",
	run: () =>
		Promise.resolve({
			exitCode: 1,
			signal: null,
			timedOut: false,
			started: true,
			startError: null,
			stdout: '{"loggedIn":false}\n0 credentials\n',
			stderr: "Not logged in",
			output: "",
			startedAt: 0,
			ms: 1,
		}),
	...more,
});

test.each([
	[claude, { CLAUDE_CODE_USE_BEDROCK: "1", AWS_REGION: "eu-west-1" }],
	[claude, { CLAUDE_CODE_USE_VERTEX: "1" }],
	[claude, { ANTHROPIC_BASE_URL: "http://x", ANTHROPIC_AUTH_TOKEN: "t" }],
	[codex, { OPENAI_BASE_URL: "http://x", OPENAI_API_KEY: "k" }],
	[gemini, { GOOGLE_GENAI_USE_VERTEXAI: "true", GOOGLE_CLOUD_PROJECT: "p" }],
	[gemini, { GOOGLE_GENAI_USE_GCA: "true" }],
	[opencode, { OPENCODE_CONFIG: "/x.json" }],
	[opencode, { SOMEBODYS_API_KEY: "k" }],
] as [Harness, Variables][])(
	"$name takes a custom configuration for a sign-in: %j",
	async (harness, env) => {
		for (const login of ["user", "key"] as const) {
			expect(await harness.signIn(look(env, { login }))).toMatchObject({ ok: true });
		}
		expect(await harness.signIn(look({}))).not.toMatchObject({ ok: true });
	},
);

test("an address without a key is a doubt, and not a sign-in that is missing", async () => {
	const addresses: readonly [Harness, string][] = [
		[claude, "ANTHROPIC_BASE_URL"],
		[codex, "OPENAI_BASE_URL"],
		[gemini, "GOOGLE_GEMINI_BASE_URL"],
	];
	for (const [harness, variable] of addresses) {
		for (const login of ["user", "key"] as const) {
			const said = await harness.signIn(look({ [variable]: "http://127.0.0.1:1" }, { login }));
			expect(said).toMatchObject({ ok: "warn" });
		}
	}
});

test("what is set and not passed on is said as the fix", async () => {
	const env = { ANTHROPIC_BASE_URL: "http://x", ANTHROPIC_AUTH_TOKEN: "t" };
	expect(await claude.signIn(look(env, { named: [] }))).toEqual({
		ok: false,
		detail: "not signed in",
		fix: "To go through a gateway, write env: [ANTHROPIC_BASE_URL, ANTHROPIC_AUTH_TOKEN] for this agent.",
	});
});

test("a provider in Codex's arguments signs in with the key that it names", async () => {
	const args = ["-c", 'model_provider="mine"', "-c", 'model_providers.mine={env_key="MY_KEY"}'];
	expect(await codex.signIn(look({ MY_KEY: "k" }, { args }))).toMatchObject({
		ok: true,
		detail: "through the provider mine of args, MY_KEY is set",
	});
	expect(await codex.signIn(look({ MY_KEY: "k" }, { args, named: [] }))).toMatchObject({
		ok: false,
		fix: "Write env: [MY_KEY] for this agent.",
	});
	expect(await codex.signIn(look({}, { args }))).toMatchObject({
		ok: false,
		fix: "Set MY_KEY and write env: [MY_KEY] for this agent.",
	});
	const keyless = ["-c", "model_provider=local"];
	expect(await codex.signIn(look({}, { args: keyless }))).toMatchObject({ ok: true });
	expect(await codex.signIn(look({}, { args: ["--oss"] }))).toMatchObject({ ok: true });
});

test.each([
	["nothing that is set", {}, []],
	["the preferred key", { SECOND: "2", FIRST: "1" }, ["FIRST"]],
	["a gateway that is off", { GATE: "0", FIRST: "1" }, ["FIRST"]],
	[
		"a gateway with its key",
		{ GATE: "http://127.0.0.1", GATE_KEY: "k", FIRST: "1" },
		["GATE", "GATE_KEY"],
	],
])("the variables of a sign-in: %s", (_what, env, expected) => {
	const gateways = [
		{ name: "a gate", variable: "GATE", keys: ["GATE_KEY"], others: ["GATE_OTHER"] },
	];
	expect(signInVariables(env, { gateways, keyVariables: ["FIRST", "SECOND"] })).toEqual(expected);
});
