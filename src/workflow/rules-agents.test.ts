import { expect, test } from "vitest";
import { formatDiagnostic } from "./diagnostic.ts";
import { loadWorkflow } from "./load.ts";
import type { AgentDefinition } from "./workflow.ts";

const load = (agent: string) =>
	loadWorkflow({
		content: `version: 1
tasks: { a: { agent: dev, description: x } }
checks: { t: { kind: acceptance, run: npm test } }
agents:
  dev: { adapter: command, run: [sh] }
  x: { ${agent} }
`,
		file: "w.yaml",
		directory: "/repo",
	});
const errorsOf = (agent: string): string[] => load(agent).errors.map(formatDiagnostic);
const built = (agent: string): AgentDefinition | undefined => {
	expect(errorsOf(agent)).toEqual([]);
	return load(agent).workflow?.agents["x"];
};

const common = { name: "x", env: [], timeoutMs: 1_800_000 };

test("each adapter becomes its definition, with what it may leave out", () => {
	for (const adapter of ["claude", "codex", "gemini", "opencode"])
		expect(built(`adapter: ${adapter}`)).toEqual({
			...common,
			adapter,
			args: [],
			login: "user",
		});
	expect(built("adapter: acp, run: [gemini, --acp]")).toEqual({
		...common,
		adapter: "acp",
		run: ["gemini", "--acp"],
		login: "user",
	});
	expect(built("adapter: model, model: google/gemini-flash-latest")).toEqual({
		...common,
		adapter: "model",
		model: "google/gemini-flash-latest",
	});
});

test("every key of an agent arrives in its definition", () => {
	expect(
		built(
			"adapter: claude, model: sonnet, args: [--setting-sources, ''], timeout: 5m, env: [K], login: key, fallback: dev, max_parallel: 4, requests_per_minute: 50",
		),
	).toEqual({
		adapter: "claude",
		name: "x",
		model: "sonnet",
		args: ["--setting-sources", ""],
		timeoutMs: 300_000,
		env: ["K"],
		login: "key",
		fallback: "dev",
		maxParallel: 4,
		requestsPerMinute: 50,
	});
	expect(
		built("adapter: acp, run: [a], model: m, env: [K], login: key, fallback: dev"),
	).toMatchObject({ model: "m", login: "key", fallback: "dev" });
	expect(
		built("adapter: model, model: openai-compatible/m/n, base_url: 'http://127.0.0.1:1/v1'"),
	).toMatchObject({ model: "openai-compatible/m/n", baseUrl: "http://127.0.0.1:1/v1" });
	expect(built("adapter: command, run: [a], fallback: dev")).toMatchObject({ fallback: "dev" });
	expect(built("adapter: cassette, file: a, fallback: dev")).toMatchObject({ fallback: "dev" });
});

test("login: user is accepted with every adapter and changes nothing", () => {
	for (const agent of ["command, run: [a]", "cassette, file: a", "model, model: openai/m"])
		expect(built(`adapter: ${agent}, login: user`)).not.toHaveProperty("login");
});

test.each([
	[
		"login: key where there is no sign-in",
		"adapter: command, run: [a], login: key",
		"6:43 login: key is for coding agents, not for adapter command",
		"remove it; `env` lists the variables that the agent may see",
	],
	[
		"login: key without a key",
		"adapter: claude, login: key",
		"6:32 login: key requires the name of the variable that holds the key",
		"add `env: [ANTHROPIC_API_KEY]`",
	],
	[
		"login: key of an ACP agent without a key",
		"adapter: acp, run: [a], env: [], login: key",
		"6:48 login: key requires the name of the variable that holds the key",
		"add `env: [MY_KEY]`",
	],
	[
		"args as text",
		"adapter: codex, args: -v",
		'6:30 agents.x.args must be a list, not "-v"',
		'write a list: ["-v"]',
	],
	[
		"an argument that is no text",
		"adapter: codex, args: [1]",
		"6:31 agents.x.args[0] must be a string, not 1",
		'put it in quotes: "1"',
	],
	[
		"a model without provider",
		"adapter: model, model: gemini-flash-latest",
		'6:31 model "gemini-flash-latest" must be PROVIDER/NAME',
		"such as google/gemini-flash-latest; providers: google, anthropic, openai, openai-compatible",
	],
	[
		"a model without name",
		"adapter: model, model: google/",
		'6:31 model "google/" must be PROVIDER/NAME',
		"such as google/gemini-flash-latest; providers: google, anthropic, openai, openai-compatible",
	],
	[
		"an unknown provider",
		"adapter: model, model: antropic/claude",
		'6:31 unknown provider "antropic"',
		'did you mean "anthropic"?',
	],
	[
		"a compatible model without address",
		"adapter: model, model: openai-compatible/llama",
		"6:31 a model of openai-compatible requires base_url",
		"add the address of the API, such as `base_url: http://127.0.0.1:11434/v1`",
	],
	[
		"an address without scheme",
		"adapter: model, model: openai/m, base_url: 'localhost:11434'",
		'6:51 base_url "localhost:11434" is not an http or https URL',
		"such as http://127.0.0.1:11434/v1",
	],
	[
		"an address with a password",
		"adapter: model, model: openai/m, base_url: 'https://me:secret@example.org/v1'",
		"6:51 base_url must not contain a user name or password",
		"name the variable that holds the key in `env`",
	],
	[
		"base_url of another adapter",
		"adapter: codex, base_url: 'http://127.0.0.1:1'",
		'6:24 unknown key "base_url"',
		"a key of adapter model",
	],
	[
		"run of a harness",
		"adapter: claude, run: [claude]",
		'6:25 unknown key "run"',
		"a key of the adapters command, acp",
	],
	[
		"an unknown fallback",
		"adapter: codex, fallback: dve",
		'6:34 unknown agent "dve"',
		'did you mean "dev"?',
	],
])("%s is one error at its place, with a hint", (_name, agent, message, hint) => {
	expect(errorsOf(agent)).toEqual([`w.yaml:${message}\n    ${hint}`]);
	expect(load(agent).workflow).toBeNull();
});

test("several mistakes of one agent come at once", () => {
	expect(
		load("adapter: model, model: goggle/x, base_url: ftp://a, login: key, fallback: nobody").errors,
	).toHaveLength(4);
});

test.each(["max_parallel", "requests_per_minute"])(
	"%s of an agent is a whole number from 1 on, for every adapter",
	(key) => {
		for (const value of ["0", "-1", "1.5", '"2"', "true"])
			expect(errorsOf(`adapter: command, run: [sh], ${key}: ${value}`)).toEqual([
				expect.stringContaining(`agents.x.${key} must be`),
			]);
		for (const adapter of ["cassette, file: c.jsonl", "acp, run: [a]", "model, model: google/m"])
			expect(errorsOf(`adapter: ${adapter}, ${key}: 1`)).toEqual([]);
	},
);
