import { createInterface } from "node:readline";
import { PassThrough } from "node:stream";
import { expect, onTestFinished, test, vi } from "vitest";
import { loadCommand } from "../../src/cli/command-table.ts";
import { fakeShell } from "../../src/cli/fakes.contract.ts";
import { serveMcp } from "../../src/cli/mcp/serve-mcp.ts";
import { runCli } from "../../src/cli/run-cli.ts";
import { openSparring } from "../../src/index.ts";
import type { VerbName } from "../../src/library/verbs/table.ts";
import { placesOf } from "../../src/places/places.ts";
import { Looking } from "../../src/web/looking.ts";
import { routes } from "../../src/web/routes.ts";
import { ScreenGround } from "../../src/web/screens/ground.ts";
import { groundScreens } from "../../src/web/screens/ground-screens.ts";
import { Sessions } from "../../src/web/session.ts";
import { repository } from "../support/repository.ts";
import { tidyLater } from "../support/tidy.ts";

interface Greeting {
	readonly whom?: string;
	readonly times?: number;
	readonly isLoud?: boolean;
}

const { greet, forget } = await vi.hoisted(async () => {
	const { verb } = await import("../../src/library/verbs/fields.ts");
	const greet = verb({
		summary: "say hello",
		fields: {
			whom: { kind: "text", spelt: "[whom]", about: "somebody" },
			times: { kind: "count", spelt: "--so-often <n>", about: "so many times" },
			isLoud: { kind: "flag", spelt: "--loud", about: "in capital letters" },
		},
		places: ["whom"],
		access: "read",
		examples: ["spar greet", "spar greet Ada --loud", "spar greet Ada --so-often 2"],
		forAgents: "Greets.",
		run: (_own, { whom = "you", times = 1, isLoud = false }: Greeting) => {
			const text = Array.from({ length: times }, () => `hello, ${whom}`).join("; ");
			return Promise.resolve({ said: isLoud ? text.toUpperCase() : text });
		},
	});

	const forget = verb({
		summary: "forget all",
		fields: {},
		places: [],
		access: "write",
		examples: ["spar forget", "spar forget --json", "spar forget && spar runs"],
		forAgents: "Forgets.",
		run: () => Promise.resolve({ forgotten: true }),
	});
	return { greet, forget };
});

// One file and one entry, as a new verb would have them.
vi.mock("../../src/library/verbs/table.ts", async (load) => {
	const table = await load<typeof import("../../src/library/verbs/table.ts")>();
	const VERBS = { ...table.VERBS, greet, forget };
	return {
		...table,
		VERBS,
		VERB_NAMES: Object.keys(VERBS),
		nameOfVerb: (name: string) => (name in table.VERBS ? table.nameOfVerb(name as VerbName) : name),
	};
});

async function doors() {
	const repo = repository();
	const { root: directory, env } = repo;
	tidyLater(() => repo.remove());
	const sparring = await openSparring({ directory, env });
	onTestFinished(() => sparring.close());
	const open = () => Promise.resolve(sparring);
	return { sparring, env, shell: { ...fakeShell(), open, directory } };
}

test("a new verb is a command, with its argument, options, help and JSON", async () => {
	const { shell } = await doors();
	const typed = async (...words: string[]) => {
		Object.assign(shell.printed, { out: "", err: "" });
		const code = await runCli(words, shell);
		return { code, ...shell.printed };
	};
	const told = await typed("greet", "Ada", "--so-often", "2", "--loud", "--json");
	expect([told.code, JSON.parse(told.out)]).toEqual([0, { said: "HELLO, ADA; HELLO, ADA" }]);
	expect((await typed("greet")).out).toContain("hello, you");
	expect(await typed("greet", "--so-often", "none")).toMatchObject({ code: 2, out: "" });
	expect((await typed("help", "--all")).out).toMatch(/^ {2}greet \[whom\] +say hello$/m);
	expect((await typed("greet", "--help")).out).toMatch(/--so-often <n> +so many times/);
});

test("a new verb is a method of the library that says what is wrong with an argument", async () => {
	const { sparring } = await doors();
	const called = Reflect.get(sparring, "greet") as (...args: unknown[]) => Promise<unknown>;
	expect(await called("Ada", { times: 2 })).toEqual({ said: "hello, Ada; hello, Ada" });
	await expect(called("Ada", { times: "2" })).rejects.toThrow(
		'times of greet must be a whole number, 1 or more, not the string "2"',
	);
	await expect(called(5)).rejects.toThrow("whom of greet must be a string, not the number 5");
});

test("a new verb that reads is a tool of agents, and one that writes is none", async () => {
	const { shell } = await doors();
	const [stdin, stdout] = [new PassThrough(), new PassThrough()];
	const wired = {
		...shell,
		openWire: () => Promise.resolve({ stdin, stdout, mask: (text: string) => text }),
	};
	const ended = serveMcp(wired, new AbortController().signal, loadCommand);
	const lines = createInterface({ input: stdout })[Symbol.asyncIterator]();
	let id = 0;
	const asked = async (method: string, params: object): Promise<string> => {
		id += 1;
		stdin.write(`${JSON.stringify({ jsonrpc: "2.0", id, method, params })}\n`);
		const { value } = await lines.next();
		return String(value);
	};
	const clientInfo = { name: "test", version: "1" };
	await asked("initialize", { protocolVersion: "2025-11-25", capabilities: {}, clientInfo });
	const tools = await asked("tools/list", {});
	expect(tools).toContain('"description":"Greets."');
	expect(tools).toContain('"times"');
	expect(tools).not.toContain("Forgets.");
	const given = { name: "greet", arguments: { whom: "Ada", times: 2 } };
	expect(await asked("tools/call", given)).toContain(
		'"structuredContent":{"said":"hello, Ada; hello, Ada"}',
	);
	const wrong = { name: "greet", arguments: { times: 0 } };
	expect(await asked("tools/call", wrong)).toContain('"isError":true');
	stdin.end();
	await ended;
});

test("a new verb that reads has an address of the page's server, and one that writes has none", async () => {
	const { sparring, env } = await doors();
	const ground = new ScreenGround(sparring, placesOf(sparring.root, env), env);
	const screens = groundScreens(ground, { version: "1", program: ["spar"] });
	const app = routes({
		screens,
		sessions: new Sessions(7700),
		looking: new Looking(
			() => screens.feed.pulse(),
			() => () => undefined,
		),
		maxBytes: 1_000,
		signal: new AbortController().signal,
		onBug: () => undefined,
	});
	const answer = await app.request("/api/verbs/greet?whom=Ada&times=2&is_loud=true");
	expect(await answer.json()).toEqual({ told: { said: "HELLO, ADA; HELLO, ADA" } });
	for (const [path, status] of [
		["/api/verbs/greet?times=x", 400],
		["/api/verbs/greet?of=x", 400],
		["/api/verbs/forget", 404],
		["/api/verbs/prune", 404],
		["/api/verbs/nothing", 404],
	] as const)
		expect([path, (await app.request(path)).status]).toEqual([path, status]);
});
