import { expect, test } from "vitest";
import { formatDiagnostic } from "./diagnostic.ts";
import { loadWorkflow } from "./load.ts";

const load = (sandbox: string) =>
	loadWorkflow({
		content: `version: 1
agents: { dev: { adapter: claude } }
tasks: { a: { agent: dev, description: x } }
checks: { t: { kind: acceptance, run: npm test } }
sandbox: ${sandbox}
`,
		file: "w.yaml",
		directory: "/repo",
	});
const errorsOf = (sandbox: string): string[] => load(sandbox).errors.map(formatDiagnostic);

test("a mode, or a mode with hosts, arrives in the workflow", () => {
	for (const mode of ["off", "auto", "required"]) {
		expect(load(mode).workflow?.sandbox).toEqual({ mode, allowHosts: [] });
		expect(load(`{ mode: ${mode} }`).workflow?.sandbox).toEqual({ mode, allowHosts: [] });
	}
	const hosts =
		"registry.example.org, '*.example.org:443', 'localhost:1', '127.0.0.1:65535', 'localhost:1'";
	expect(load(`{ mode: required, allow_hosts: [${hosts}] }`).workflow?.sandbox).toEqual({
		mode: "required",
		allowHosts: ["registry.example.org", "*.example.org:443", "localhost:1", "127.0.0.1:65535"],
	});
});

test("Unix sockets are let in when the file says so, and only then", () => {
	const sandbox = (value: boolean) =>
		load(`{ mode: auto, unix_sockets: ${value} }`).workflow?.sandbox;
	expect(sandbox(true)).toEqual({ mode: "auto", allowHosts: [], unixSockets: true });
	expect(sandbox(false)).toEqual({ mode: "auto", allowHosts: [] });
});

test.each([
	[
		"an unknown mode",
		"always",
		'5:10 sandbox must be one of off, auto, required, not "always"',
		undefined,
	],
	[
		"an unknown mode in a mapping",
		"{ mode: require }",
		'5:18 sandbox.mode must be one of off, auto, required, not "require"',
		'did you mean "required"?',
	],
	[
		"a mapping without mode",
		"{ allow_hosts: [] }",
		"5:1 sandbox.mode is missing",
		"one of off, auto, required",
	],
	[
		"an unknown key",
		"{ mode: auto, allow_host: [] }",
		'5:24 unknown key "allow_host"',
		'did you mean "allow_hosts"?',
	],
	[
		"an unknown key for sockets",
		"{ mode: auto, unix_socket: true }",
		'5:24 unknown key "unix_socket"',
		'did you mean "unix_sockets"?',
	],
	[
		"sockets as text",
		"{ mode: auto, unix_sockets: /run/a }",
		'5:38 sandbox.unix_sockets must be true or false, not "/run/a"',
		undefined,
	],
	[
		"hosts as text",
		"{ mode: auto, allow_hosts: example.org }",
		'5:37 sandbox.allow_hosts must be a list, not "example.org"',
		'write a list: ["example.org"]',
	],
])("%s is one error at its place", (_name, sandbox, message, hint) => {
	const more = hint === undefined ? "" : `\n    ${hint}`;
	expect(errorsOf(sandbox)).toEqual([`w.yaml:${message}${more}`]);
});

test.each([
	["https://example.org/x", "is an address, not a host", 'write the host only: "example.org"'],
	["example.org:", "has no valid port after its colon", "a number from 1 to 65535"],
	["example.org:65536", "has no valid port after its colon", "a number from 1 to 65535"],
	["::1", "has no valid port after its colon", "a number from 1 to 65535"],
	["localhost", "needs a port", "name the port of the local service, such as localhost:11434"],
	["127.0.0.1", "needs a port", "name the port of the local service, such as localhost:11434"],
	["*", "is too broad", "name the hosts, or the subdomains of one: *.example.org"],
	["*.org", "is too broad", "name the hosts, or the subdomains of one: *.example.org"],
	["a.*.org", "is not a valid host", "such as registry.example.org or *.example.org"],
	["example", "is not a valid host", "such as registry.example.org or *.example.org"],
	["-a.example.org", "is not a valid host", "such as registry.example.org or *.example.org"],
	["a..example.org", "is not a valid host", "such as registry.example.org or *.example.org"],
])("%s is refused as a host", (host, problem, hint) => {
	expect(errorsOf(`{ mode: auto, allow_hosts: ["${host}"] }`)).toEqual([
		`w.yaml:5:38 allow_hosts: "${host}" ${problem}\n    ${hint}`,
	]);
});

test("Unix sockets beside a sandbox that is off are a warning, unless they are not let in", () => {
	expect(load("{ mode: off, unix_sockets: true }").warnings).toMatchObject([
		{ line: 5, column: 23, message: "unix_sockets has no effect: the sandbox is off" },
	]);
	expect(load("{ mode: off, unix_sockets: false }").warnings).toEqual([]);
});

test("hosts beside a sandbox that is off are a warning", () => {
	expect(load("{ mode: off, allow_hosts: [example.org] }").warnings).toMatchObject([
		{ line: 5, column: 23, message: "allow_hosts has no effect: the sandbox is off" },
	]);
});
