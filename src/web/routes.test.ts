import { expect, test } from "vitest";
import { Fault } from "../kernel/fault.ts";
import { anEvent, FakeFeed } from "./fake-feed.fixture.ts";
import { fakeScreens } from "./fake-screens.fixture.ts";
import { Looking } from "./looking.ts";
import { bodyText, routes } from "./routes.ts";
import type { Screens } from "./screens.ts";
import { Sessions } from "./session.ts";

function stage(given: Partial<Screens> = {}) {
	const screens = fakeScreens(given);
	const sessions = new Sessions(7700);
	const bugs: unknown[] = [];
	const ended = new AbortController();
	const app = routes({
		screens,
		sessions,
		looking: new Looking(
			() => screens.feed.pulse(),
			() => () => undefined,
		),
		maxBytes: 1_000,
		signal: ended.signal,
		onBug: (error) => bugs.push(error),
	});
	const get = async (path: string, headers: Record<string, string> = {}) =>
		await app.request(path, { headers });
	const head = async (path: string) => await app.request(path, { method: "HEAD" });
	const post = async (path: string, body: unknown) =>
		await app.request(path, {
			method: "POST",
			headers: { "Content-Type": "application/json" },
			body: typeof body === "string" ? body : JSON.stringify(body),
		});
	return { get, head, post, sessions, bugs, ended };
}

/** Remembers what it was called with, and gives a value. */
function recorded<Result>(result: Result) {
	const calls: unknown[][] = [];
	const call = (...args: unknown[]): Promise<Result> => {
		calls.push(args);
		return Promise.resolve(result);
	};
	return { calls, call: call as never };
}

test("a code is exchanged for the cookie once; what is no code is refused", async () => {
	const { post, sessions } = stage();
	const code = sessions.newCode();
	const first = await post("/api/session", { code });
	expect(first.status).toBe(200);
	expect(first.headers.get("set-cookie")).toContain("HttpOnly; SameSite=Strict");
	expect(await first.json()).toEqual({ repository: "repo", root: "/repo", version: "1.0.0" });
	const second = await post("/api/session", { code });
	expect(second.status).toBe(401);
	expect(second.headers.get("set-cookie")).toBeNull();
	for (const body of [{}, { code: 1 }, [], "{", { code, more: 1 }])
		expect((await post("/api/session", body)).status).toBe(400);
});

test("each address asks for its screen with what stands in it", async () => {
	const { calls, call } = recorded({ ok: true });
	const plain = recorded("diff --git");
	const { get } = stage({
		inbox: call,
		item: call,
		runs: call,
		run: call,
		task: call,
		cases: call,
		logs: call,
		log: call,
		events: call,
		actions: call,
		plan: call,
		verb: call,
		diff: plain.call,
	});
	const place = { run: "r1", task: "a b" };
	const asked: [string, unknown[]][] = [
		["/api/inbox", []],
		["/api/items/h1", ["h1"]],
		["/api/runs", [{ filter: "all", before: null, limit: 50 }]],
		[
			"/api/runs?filter=failed&before=r0&limit=999",
			[{ filter: "failed", before: "r0", limit: 200 }],
		],
		["/api/runs/r1", ["r1"]],
		["/api/runs/r1/tasks/a%20b", [place]],
		[
			"/api/runs/r1/tasks/a%20b/turns/2/cases?check=tests",
			[place, { turn: 2, check: "tests", purpose: "turn" }],
		],
		["/api/runs/r1/tasks/a%20b/logs", [place]],
		["/api/runs/r1/tasks/a%20b/log?path=x/y.log&from=7", [place, "x/y.log", 7]],
		["/api/runs/r1/events?after=3", ["r1", { after: 3, limit: 1_000, task: null }]],
		["/api/runs/r1/actions", ["r1"]],
		["/api/plan", [null]],
		["/api/plan?file=other.yaml", ["other.yaml"]],
		["/api/verbs/calibration", ["calibration", {}]],
		["/api/verbs/status?run=r1", ["status", { runId: "r1" }]],
		["/api/verbs/result", ["result", {}]],
		["/api/verbs/diff?task=a&turn=2", ["diff", { task: "a", turn: 2 }]],
		["/api/verbs/diff?for_apply=false", ["diff", { forApply: false }]],
	];
	for (const [path, args] of asked) {
		const answer = await get(path);
		expect([path, answer.status, await answer.json()]).toEqual([path, 200, { ok: true }]);
		expect(calls.at(-1)).toEqual(args);
	}
	const diffs: [string, unknown][] = [
		["/api/runs/r1/tasks/a%20b/diff", { turn: null, since: null }],
		["/api/runs/r1/tasks/a%20b/turns/2/diff", { turn: 2, since: null }],
		["/api/runs/r1/tasks/a%20b/turns/2/diff?since=0", { turn: 2, since: 0 }],
	];
	for (const [path, range] of diffs) {
		const answer = await get(path);
		expect(answer.headers.get("content-type")).toBe("text/plain; charset=utf-8");
		expect(await answer.text()).toBe("diff --git");
		expect(plain.calls.at(-1)).toEqual([place, range]);
	}
});

test("what makes no sense is refused before anything is asked for", async () => {
	const { get, post } = stage();
	for (const path of [
		"/api/runs?filter=some",
		"/api/verbs/status?turn=1",
		"/api/verbs/diff?turn=x",
		"/api/verbs/diff?for_apply=yes",
		"/api/runs?limit=-1",
		"/api/runs?limit=1e3",
		"/api/runs/r1/events?after=x",
		"/api/runs/r1/tasks/a/turns/x/diff",
		"/api/runs/r1/tasks/a/turns/1/diff?since=one",
		"/api/stream?after=x",
		"/api/stream?log=x.log",
	])
		expect([path, (await get(path)).status]).toEqual([path, 400]);
	expect((await post("/api/runs/r1/explode", {})).status).toBe(400);
	expect((await post("/api/runs/r1/resume", { max_turns: 0 })).status).toBe(400);
	expect((await post("/api/runs/r1/resume", { max_turns: 1_000_001 })).status).toBe(400);
	expect((await post("/api/plan", { digest: "d", tasks: { a: "yes" } })).status).toBe(400);
	expect((await post("/api/items/h1/answer", "")).status).toBe(400);
	expect((await get("/api/nothing")).status).toBe(404);
});

test("a fault is told with its code, its words and its hint, under the status of its kind", async () => {
	const codes = [
		["item-not-found", 404],
		["run-not-found", 404],
		["outdated", 409],
		["run-held", 409],
		["answer-invalid", 400],
		["usage", 400],
		["state-unreadable", 500],
	] as const;
	for (const [code, status] of codes) {
		const { get } = stage({
			inbox: () => Promise.reject(new Fault("what happened", { code, hint: "what to do" })),
		});
		const answer = await get("/api/inbox");
		expect(answer.status).toBe(status);
		expect(await answer.json()).toEqual({
			error: { code, message: "what happened", hint: "what to do" },
		});
	}
});

test("a bug is told to the terminal, and nothing of it to the page", async () => {
	const bug = new Error("secret inside");
	const { get, bugs } = stage({ inbox: () => Promise.reject(bug) });
	const answer = await get("/api/inbox");
	expect(answer.status).toBe(500);
	expect(await answer.text()).not.toContain("secret");
	expect(bugs).toEqual([bug]);
});

test("an answer that came too late is refused with what is there now", async () => {
	const late = new Fault("item h1 changed", { code: "outdated" });
	const item = recorded({ id: "h1", version: "v2" });
	const { post } = stage({ answer: () => Promise.reject(late), item: item.call });
	const answer = await post("/api/items/h1/answer", { version: "v1", take: "coach" });
	expect(answer.status).toBe(409);
	expect(await answer.json()).toEqual({
		error: { code: "outdated", message: "item h1 changed", hint: null },
		item: { id: "h1", version: "v2" },
	});
});

test("an edit of a file that changed is refused with what the file says now, or null where it is not valid", async () => {
	const late = new Fault("sparring.yaml changed", { code: "outdated" });
	const edit = { digest: "d", tasks: { a: true, b: "auto" } };
	const read = recorded({ digest: "e" });
	const { post } = stage({ editPlan: () => Promise.reject(late), plan: read.call });
	const answer = await post("/api/plan", edit);
	expect([answer.status, await answer.json()]).toMatchObject([409, { plan: { digest: "e" } }]);
	const broken = stage({
		editPlan: () => Promise.reject(late),
		plan: () => Promise.reject(new Fault("no", { code: "workflow-invalid" })),
	});
	expect(await (await broken.post("/api/plan", edit)).json()).toMatchObject({ plan: null });
	const wrong = stage({ editPlan: () => Promise.reject(new Fault("no", { code: "usage" })) });
	expect((await wrong.post("/api/plan", edit)).status).toBe(400);
});

test("an action is begun with its body, and answered before it ends", async () => {
	const { calls, call } = recorded({ started: {} });
	const { post } = stage({ act: call });
	expect((await post("/api/runs/r1/resume", { max_turns: 4 })).status).toBe(202);
	expect(calls).toEqual([["r1", "resume", { max_turns: 4 }]]);
});

test("a body that is larger than it may be is refused", async () => {
	const { post } = stage();
	const answer = await post("/api/items/h1/answer", { version: "v", notes: "x".repeat(2_000) });
	expect(answer.status).toBe(413);
});

test("a stream goes on behind the id that the browser has, which counts more than the address", async () => {
	const feed = new FakeFeed();
	feed.write(anEvent(1), anEvent(2), anEvent(3));
	const { get, ended } = stage({ feed });
	const answer = await get("/api/stream?after=0", { "Last-Event-ID": "2" });
	expect(answer.headers.get("content-type")).toBe("text/event-stream; charset=utf-8");
	const body: ReadableStream<Uint8Array> | null = answer.body;
	const reader = body?.getReader();
	const decoder = new TextDecoder();
	const read = async () => decoder.decode((await reader?.read())?.value);
	await read();
	expect(await read()).toMatch(/^id: 3\n/);
	expect(await read()).toContain("caught-up");
	ended.abort();
	expect((await reader?.read())?.done).toBe(true);
});

test("a stream that follows a log tells of all runs; without one it tells of the run that is asked for", async () => {
	const feed = new FakeFeed();
	feed.write(anEvent(1, "r1", "one"), anEvent(2, "r2", "two"));
	const idsOf = async (target: string): Promise<string[]> => {
		const { get, ended } = stage({ feed, events: async () => ({ events: [], next: null }) });
		const body: ReadableStream<Uint8Array> | null = (await get(target)).body;
		const reader = body?.getReader();
		await reader?.read();
		const text = new TextDecoder().decode((await reader?.read())?.value);
		ended.abort();
		return [...text.matchAll(/^id: (\d+)$/gm)].map(([, id]) => id ?? "");
	};
	expect(await idsOf("/api/stream?after=0&run=r1")).toEqual(["1"]);
	expect(await idsOf("/api/stream?after=0&run=r1&task=one&log=a.log")).toEqual(["1", "2"]);
});

test("a stream of what is not there is refused: nothing would ever come", async () => {
	const feed = new FakeFeed();
	const { get } = stage({
		feed,
		events: async () => {
			throw new Fault("there is no run r9", { code: "run-not-found", hint: "See: spar status" });
		},
	});
	expect((await get("/api/stream?run=r9")).status).toBe(404);
	expect(feed.listeners.size).toBe(0);
});

test("who asks for the head of a stream is not looked for", async () => {
	const feed = new FakeFeed();
	const { head } = stage({ feed });
	const answer = await head("/api/stream?after=0");
	expect(answer.headers.get("content-type")).toBe("text/event-stream; charset=utf-8");
	expect(feed.listeners.size).toBe(0);
});

test("a stream that is asked for behind an id of another database begins with now", async () => {
	const feed = new FakeFeed();
	feed.write(anEvent(1));
	const { get, ended } = stage({ feed });
	const body: ReadableStream<Uint8Array> | null = (await get("/api/stream?after=900")).body;
	const reader = body?.getReader();
	await reader?.read();
	const text = new TextDecoder().decode((await reader?.read())?.value);
	expect(text).toBe('event: caught-up\ndata: {"cursor":1}\n\n');
	ended.abort();
});

const streamOf = (...texts: readonly string[]): ReadableStream<Uint8Array> =>
	ReadableStream.from(texts.map((text) => new TextEncoder().encode(text)));

test("a body that comes in pieces is one text, and none is empty", async () => {
	expect(await bodyText(streamOf('{"a":', '"é"}'), 100)).toBe('{"a":"é"}');
	expect(await bodyText(null, 100)).toBe("");
});

test("the limit is in bytes, and a body of just as many is read", async () => {
	expect(await bodyText(streamOf("é", "é"), 4)).toBe("éé");
	expect(await bodyText(streamOf("é", "é"), 3)).toBeNull();
});

test("a body without end is given up", async () => {
	let given = 0;
	const endless = new ReadableStream<Uint8Array>({
		pull: (controller) => {
			given += 1;
			controller.enqueue(new Uint8Array(10));
		},
	});
	expect(await bodyText(endless, 100)).toBeNull();
	expect(given).toBeLessThan(15);
});
