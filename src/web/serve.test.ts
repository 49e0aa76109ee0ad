import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { connect, createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { thorough } from "../../test/support/amount.ts";
import { anEvent, FakeFeed } from "./fake-feed.fixture.ts";
import { fakeScreens } from "./fake-screens.fixture.ts";
import { type Served, serve } from "./serve.ts";

let directory: string;
let served: Served;
let host: string;
const feed = new FakeFeed();
const bugs: unknown[] = [];

beforeEach(async () => {
	directory = mkdtempSync(join(tmpdir(), "spar-page-"));
	mkdirSync(join(directory, "assets"));
	writeFileSync(join(directory, "index.html"), "<!doctype html><title>page</title>");
	writeFileSync(join(directory, "assets", "main.js"), "export {};");
	writeFileSync(join(directory, "assets", "main.js.map"), "{}");
	const inbox = { cursor: 0, items: [] };
	served = await serve(fakeScreens({ inbox: () => Promise.resolve(inbox), feed }), {
		port: 0,
		pageDirectory: directory,
		onBug: (error) => bugs.push(error),
	});
	host = new URL(served.address).host;
});
afterEach(async () => {
	await served.close();
	rmSync(directory, { recursive: true });
	expect(bugs).toEqual([]);
});

const portOf = (): number => Number(host.split(":")[1]);

/** Sends bytes as they are, and gives the whole answer: `fetch` would put its own Host there. */
async function raw(...lines: readonly string[]): Promise<string> {
	const { promise, resolve, reject } = Promise.withResolvers<string>();
	const socket = connect(portOf(), "127.0.0.1");
	let text = "";
	socket.setEncoding("utf8");
	socket.on("data", (chunk) => {
		text += String(chunk);
	});
	socket.on("end", () => resolve(text));
	socket.on("error", reject);
	socket.write(lines.join("\r\n"));
	return await promise;
}

type Sent = Partial<
	Record<"method" | "target" | "host" | "origin" | "type" | "cookie" | "body", string | undefined>
>;

async function send(sent: Sent): Promise<{ readonly status: number; readonly text: string }> {
	const { method = "GET", target = "/api/inbox", body = "" } = sent;
	const headers: readonly [string, string | undefined][] = [
		["Host", sent.host ?? host],
		["Origin", sent.origin],
		["Content-Type", sent.type],
		["Cookie", sent.cookie],
		["Content-Length", body === "" ? undefined : String(Buffer.byteLength(body))],
		["Connection", "close"],
	];
	const lines = headers.flatMap(([name, value]) =>
		value === undefined ? [] : [`${name}: ${value}`],
	);
	const text = await raw(`${method} ${target} HTTP/1.1`, ...lines, "", body);
	return { status: Number(text.split(" ")[1]), text };
}

const codeOf = (url: string): string => new URL(url).hash.replace("#code=", "");

async function logIn(): Promise<string> {
	const { text } = await send({
		...OWN(),
		target: "/api/session",
		body: JSON.stringify({ code: codeOf(served.newUrl()) }),
	});
	return /set-cookie: ([^;]+)/i.exec(text)?.[1] ?? "";
}

const OWN = () => ({ method: "POST", origin: `http://${host}`, type: "application/json" });

thorough(
	"only the exact host, origin, type and cookie together are let in; anything else is refused by what is wrong first",
	async () => {
		const right = {
			host,
			origin: `http://${host}`,
			type: "application/json",
			cookie: await logIn(),
		};
		const hosts = [
			right.host,
			"localhost",
			host.replace("127.0.0.1", "localhost"),
			"evil.example",
			"",
		];
		const origins = [right.origin, undefined, "null", "http://evil.example"];
		const types = [right.type, undefined, "text/plain"];
		const cookies = [right.cookie, undefined, "spar=1"];
		const all = hosts.flatMap((each) =>
			origins.flatMap((origin) =>
				types.flatMap((type) => cookies.map((cookie) => ({ host: each, origin, type, cookie }))),
			),
		);
		expect(all).toHaveLength(180);
		const order = [
			["host", 421],
			["origin", 403],
			["type", 415],
			["cookie", 401],
		] as const;
		for (const given of all) {
			const wrong = order.find(([part]) => given[part] !== right[part]);
			const sent = { ...given, method: "POST", target: "/api/nothing", body: "{}" };
			const { status } = await send(sent);
			expect([given, status]).toEqual([given, wrong?.[1] ?? 404]);
		}
	},
);

test("reading needs host and cookie alone, and no other method reads", async () => {
	const cookie = await logIn();
	expect((await send({ cookie })).status).toBe(200);
	expect((await send({ cookie, method: "HEAD" })).status).toBe(200);
	expect((await send({})).status).toBe(401);
	expect((await send({ cookie, host: "evil.example" })).status).toBe(421);
	expect((await send({ cookie, origin: "http://evil.example" })).status).toBe(403);
	for (const method of ["PUT", "DELETE", "PATCH", "OPTIONS", "TRACE"]) {
		expect((await send({ cookie, method })).status).toBe(403);
		expect((await send({ ...OWN(), cookie, method })).status).toBe(405);
	}
});

test("what is no plain request is refused too", async () => {
	const cookie = await logIn();
	const twice = await raw(
		"GET /api/inbox HTTP/1.1",
		`Host: ${host}`,
		"Host: evil.example",
		`Cookie: ${cookie}`,
		"Connection: close",
		"",
		"",
	);
	expect(twice).toMatch(/^HTTP\/1\.1 4(?:00|21) /);
	const none = await raw("GET /api/inbox HTTP/1.0", `Cookie: ${cookie}`, "", "");
	expect(none).toMatch(/^HTTP\/1\.1 421 /);
	const absolute = await send({ cookie, target: `http://${host}/api/inbox` });
	expect(absolute.status).toBe(400);
	for (const target of [
		"//api/inbox",
		"/%61pi/inbox",
		"/api/../api/inbox",
		"/api/inbox/",
		"/API/inbox",
	])
		expect([target, (await send({ target })).status]).toEqual([target, 401]);
	for (const target of [
		"/../../etc/passwd",
		"/assets/../../secret",
		"/%2e%2e/secret",
		"/assets/main.js.map",
	])
		expect([target, (await send({ target, cookie })).status]).toEqual([target, 404]);
	const upgrade = await raw(
		"GET /api/inbox HTTP/1.1",
		`Host: ${host}`,
		"Upgrade: websocket",
		"Connection: Upgrade, close",
		"",
		"",
	);
	expect(upgrade).toMatch(/^HTTP\/1\.1 401 /);
	// It is refused by what it says of itself, before it is sent.
	const large = await raw(
		"POST /api/items/h1/answer HTTP/1.1",
		`Host: ${host}`,
		`Origin: http://${host}`,
		"Content-Type: application/json",
		`Cookie: ${cookie}`,
		"Content-Length: 300000",
		"",
		"",
	);
	expect(large).toMatch(/^HTTP\/1\.1 413 /);
});

test("a body in chunks, whose length nobody says, is read like any other, and given up where it is too large", async () => {
	const chunked = (target: string, cookie: string, body: string) =>
		raw(
			`POST ${target} HTTP/1.1`,
			`Host: ${host}`,
			`Origin: http://${host}`,
			"Content-Type: application/json",
			`Cookie: ${cookie}`,
			"Transfer-Encoding: chunked",
			"Connection: close",
			"",
			`${body.length.toString(16)}`,
			body,
			"0",
			"",
			"",
		);
	const code = JSON.stringify({ code: codeOf(served.newUrl()) });
	const session = await chunked("/api/session", "", code);
	expect(session).toMatch(/^HTTP\/1\.1 200 /);
	const cookie = /set-cookie: ([^;]+)/i.exec(session)?.[1] ?? "";
	const large = await chunked("/api/items/h1/answer", cookie, "x".repeat(262_145));
	expect(large).toMatch(/^HTTP\/1\.1 413 /);
});

test("the page is there without a session, with its types; every answer says what a page may not do", async () => {
	const page = await send({ target: "/" });
	expect(page.text).toContain("<title>page</title>");
	expect((await send({ target: "/?x=1" })).status).toBe(200);
	const script = await send({ target: "/assets/main.js" });
	expect(script.text).toContain("Content-Type: text/javascript; charset=utf-8");
	expect((await send({ target: "/assets/main.js", method: "HEAD" })).text).not.toContain("export");
	const answers = [page, script, await send({}), await send({ host: "evil.example" })];
	for (const { text } of answers) {
		expect(text).toContain("default-src 'none'");
		expect(text).toContain("require-trusted-types-for 'script'");
		expect(text).not.toContain("unsafe");
		for (const header of [
			"X-Content-Type-Options: nosniff",
			"Referrer-Policy: no-referrer",
			"Cross-Origin-Opener-Policy: same-origin",
			"Cross-Origin-Resource-Policy: same-origin",
			"Cache-Control: no-store",
		])
			expect(text).toContain(header);
		expect(text).not.toMatch(/access-control-allow/i);
	}
});

test("a code lets in once, and the cookie of another port's server does not", async () => {
	const url = served.newUrl();
	expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/#code=[\w-]{16,}$/);
	const body = JSON.stringify({ code: codeOf(url) });
	const first = await send({ ...OWN(), target: "/api/session", body });
	expect([first.status, first.text.includes("HttpOnly; SameSite=Strict")]).toEqual([200, true]);
	expect((await send({ ...OWN(), target: "/api/session", body })).status).toBe(401);
	const cookie = await logIn();
	const other = cookie.replace(String(portOf()), String(portOf() + 1));
	expect((await send({ cookie: other })).status).toBe(401);
});

test("a stream that is open ends with the server, and nothing is looked at any more", async () => {
	const cookie = await logIn();
	feed.write(anEvent(1));
	const all = raw(
		"GET /api/stream?after=0 HTTP/1.1",
		`Host: ${host}`,
		`Cookie: ${cookie}`,
		"",
		"",
	).catch((error: unknown) => error);
	await expect.poll(() => feed.listeners.size).toBe(1);
	await served.close();
	await all;
	await expect.poll(() => feed.listeners.size).toBe(0);
});

test("a body that breaks off is no bug, and nobody waits for the rest", async () => {
	const socket = connect(portOf(), "127.0.0.1");
	const gone = new Promise<void>((resolve) => socket.once("close", () => resolve()));
	const head = [
		"POST /api/session HTTP/1.1",
		`Host: ${host}`,
		`Origin: http://${host}`,
		"Content-Type: application/json",
		"Content-Length: 50",
		"",
		'{"code":',
	];
	socket.write(head.join("\r\n"), () => socket.destroy());
	await gone;
	// The next answer comes after the server has seen the end of that one.
	expect((await send({ target: "/" })).status).toBe(200);
	expect(bugs).toEqual([]);
});

test("what is still being answered when the server ends is no bug", async () => {
	const asked = Promise.withResolvers<void>();
	const ended = Promise.withResolvers<never>();
	const told: unknown[] = [];
	const slow = fakeScreens({
		inbox: () => {
			asked.resolve();
			return ended.promise;
		},
	});
	const other = await serve(slow, {
		port: 0,
		pageDirectory: directory,
		onBug: (error) => told.push(error),
	});
	const { origin } = new URL(other.address);
	const session = await fetch(`${origin}/api/session`, {
		method: "POST",
		headers: { origin, "content-type": "application/json" },
		body: JSON.stringify({ code: codeOf(other.newUrl()) }),
	});
	const cookie = session.headers.get("set-cookie")?.split(";")[0] ?? "";
	const answer = fetch(`${origin}/api/inbox`, { headers: { cookie } }).catch(() => "cut");
	await asked.promise;
	await other.close();
	ended.reject(new Error("the database is closed"));
	expect(await answer).toBe("cut");
	expect(told).toEqual([]);
});

test("a port that is taken, and a page that was not built, are told with what to do", async () => {
	const options = { pageDirectory: directory, onBug: () => undefined };
	await expect(serve(fakeScreens(), { ...options, port: portOf() })).rejects.toMatchObject({
		code: "usage",
		message: `port ${portOf()} is in use`,
	});
	await expect(
		serve(fakeScreens(), { ...options, port: 0, pageDirectory: join(directory, "none") }),
	).rejects.toMatchObject({ code: "program-missing" });
});

test("the server listens on this machine alone", async () => {
	const other = createServer();
	const { promise, resolve, reject } = Promise.withResolvers<void>();
	other.once("error", reject);
	// The same port of another loopback address is free, so the server has not taken all of them.
	other.listen(portOf(), "127.0.0.2", () => resolve());
	await promise;
	other.close();
});
