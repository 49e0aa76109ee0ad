import { createInterface } from "node:readline";
import { PassThrough } from "node:stream";
import { expect, test } from "vitest";
import type { CheckReport } from "../../verdict/check-report.ts";
import { loadCommand } from "../command-table.ts";
import { fakeShell } from "../fakes.contract.ts";
import { serveMcp } from "./serve-mcp.ts";

type Sparring = NonNullable<Parameters<typeof fakeShell>[0]>["sparring"];

/** A server on streams, and what it has written. */
function serving(sparring: Sparring) {
	const [stdin, stdout] = [new PassThrough(), new PassThrough()];
	const shell = fakeShell({ ...(sparring === undefined ? {} : { sparring }) });
	const mask = (text: string): string => text.replaceAll("hush", "***");
	const wired = { ...shell, openWire: () => Promise.resolve({ stdin, stdout, mask }) };
	const ended = serveMcp(wired, new AbortController().signal, loadCommand);
	let id = 0;
	const send = (method: string, params: object): void => {
		id += 1;
		stdin.write(`${JSON.stringify({ jsonrpc: "2.0", id, method, params })}\n`);
	};
	send("initialize", {
		protocolVersion: "2025-11-25",
		capabilities: {},
		clientInfo: { name: "test", version: "1" },
	});
	const call = (name: string): void =>
		send("tools/call", { name, arguments: {}, _meta: { progressToken: "p" } });
	const end = async (): Promise<void> => {
		stdin.end();
		await ended;
	};
	const lines = createInterface({ input: stdout })[Symbol.asyncIterator]();
	const next = async (): Promise<unknown> => {
		const { value } = await lines.next();
		return JSON.parse(String(value));
	};
	return { shell, call, next, end };
}

test("a call that says nothing for 10 seconds is heard of", async () => {
	const { promise: begun, resolve } = Promise.withResolvers<void>();
	const { shell, call, next, end } = serving({
		check: ({ onNotice, signal } = {}) => {
			onNotice?.("work: npm test");
			resolve();
			return new Promise((_resolve, reject) => {
				signal?.addEventListener("abort", () => reject(new Error("aborted")));
			});
		},
	});
	call("check");
	await begun;
	expect(await next()).toMatchObject({ id: 1 });
	expect(await next()).toMatchObject({ params: { progress: 1, message: "work: npm test" } });
	for (let second = 0; second < 10; second += 1) shell.tick();
	expect(await next()).toMatchObject({
		method: "notifications/progress",
		params: { progressToken: "p", progress: 2, message: "work: npm test (10 s)" },
	});
	await end();
	expect(shell.listeners()).toBe(0);
});

test("the server has ended only when its calls have", async () => {
	const { promise: begun, resolve } = Promise.withResolvers<void>();
	const order: string[] = [];
	const { call, end } = serving({
		check: ({ signal } = {}) => {
			resolve();
			return new Promise((_resolve, reject) => {
				signal?.addEventListener("abort", () => {
					order.push("aborted");
					setImmediate(() => {
						order.push("cleaned up");
						reject(new Error("aborted"));
					});
				});
			});
		},
	});
	call("check");
	await begun;
	await end();
	expect(order).toEqual(["aborted", "cleaned up"]);
});

test("a bug is told as one, masked", async () => {
	const { call, next, end } = serving({
		status: () => Promise.reject(new TypeError("hush, a bug")),
	});
	call("status");
	expect(await next()).toMatchObject({ id: 1 });
	const answer = JSON.stringify(await next());
	expect(answer).toMatch(/TypeError: \*\*\*, a bug.*this is a bug of Sparring/);
	expect(answer).toContain('"isError":true');
	expect(answer).not.toContain("hush");
	await end();
});

const CHECKED: CheckReport = {
	verdict: "pass",
	subject: "HEAD",
	base: "b".repeat(40),
	base_is: null,
	commit: "c".repeat(40),
	tree: "d".repeat(40),
	files: [],
	checks_from: "sparring.yaml",
	ran: false,
	checks: [],
	integrity: { status: "pass", violations: [], places: [], notes: [] },
	suspicions: [],
	allowed: [],
	by_exit_code: false,
	not_counted: [],
	findings: [],
	rules: [],
	next: [],
	time: { total_ms: 900, commands_ms: 0, commands: 0, agents_ms: 0 },
};

test.each([
	["few", 10, true],
	["many", 10_000, false],
])("of a report with %s files an agent gets what it can take in", async (_name, count, isWhole) => {
	const files = Array.from({ length: count }, (_, at) => `src/${at}.js`);
	const { call, next, end } = serving({ check: () => Promise.resolve({ ...CHECKED, files }) });
	call("check");
	await next();
	const answer = JSON.stringify(await next());
	expect(answer).toContain(`pass  HEAD, ${count} files against bbbbbbbbbb`);
	expect(answer.includes("src/9.js")).toBe(isWhole);
	expect(answer.includes("too long for an answer")).toBe(!isWhole);
	await end();
});

test("of a long text an agent gets the beginning and the end", async () => {
	const next = Array.from({ length: 1_000 }, (_, at) => `step ${at} ${"x".repeat(60)}`);
	const server = serving({ check: () => Promise.resolve({ ...CHECKED, next }) });
	server.call("check");
	await server.next();
	const answer = JSON.stringify(await server.next());
	expect(answer).toContain("step 0 ");
	expect(answer).toContain("... (cut)");
	expect(answer).toContain("step 999 ");
	expect(answer).not.toContain("step 500 ");
	await server.end();
});
