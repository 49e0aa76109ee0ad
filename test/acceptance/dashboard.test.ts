import { afterAll, beforeAll, expect, test } from "vitest";
import { z } from "zod";
import { openSparring } from "../../src/library/open-sparring.ts";
import type { StoredEvent } from "../../src/trace/event.ts";
import { thorough } from "../support/amount.ts";
import {
	openTestDashboard,
	type Page,
	type Reply,
	type TestDashboard,
} from "../support/dashboard.ts";
import { pair } from "../support/workflow.ts";
import { APPROVAL, CRITERION, type Outcome, type Stage, stage, textLike } from "./stage.ts";

/** Nobody knows while the run goes on that this is a secret; the server does. */
const LATER = "later-known-9876-later";

const REPORT = {
	...APPROVAL,
	rationale: `Uses ${LATER}.`,
	attempts: [{ what: `with ${LATER}`, command: "true", outcome: LATER }],
	feedback_items: [
		{ issue: `${LATER} is in the code`, severity: "minor", file: "work.txt", line: 1 },
	],
};

let set: Stage;
let paused: Outcome;
let dashboard: TestDashboard;
let one: Page;
let other: Page;

beforeAll(async () => {
	set = stage({
		human: true,
		steps: [
			{ role: "player", run: `echo ${LATER} >> work.txt; echo said ${LATER}` },
			{ role: "coach", report: REPORT },
		],
		task: { requires_human: true, description: `Do the work.\n\nNot with ${LATER}.` },
	});
	paused = await set.run();
	dashboard = await openTestDashboard(set.repo, { env: { LATER_TOKEN: LATER } });
	one = await dashboard.logIn();
	other = await dashboard.logIn();
});
afterAll(async () => {
	await dashboard.close();
});

const inboxSchema = z.looseObject({
	items: z.array(z.looseObject({ id: z.string(), version: z.string(), run_id: z.string() })),
});
const logsSchema = z.object({
	logs: z.array(z.looseObject({ path: z.string(), source: z.string() })),
});
const actionsSchema = z.looseObject({
	actions: z.array(z.looseObject({ action: z.string(), refused: z.string().nullable() })),
});

async function firstItem(page: Page) {
	const { items } = inboxSchema.parse((await page.get("/api/inbox")).json());
	const [item] = items;
	if (item === undefined) throw new Error("the inbox is empty");
	return item;
}

const verbPath = (verb: string): string => `/api/verbs/${verb}`;
const run = (): string => paused.report.run_id;

thorough("the inbox and a question are what the terminal shows, with a version", async () => {
	expect(paused.code).toBe(3);
	const item = await firstItem(one);
	expect(item).toMatchObject({ task_id: "one", trigger: "requires_human", title: "Do the work." });
	const shown = z.looseObject({}).parse((await one.get(`/api/items/${item.id}`)).json());
	const terminal = z.looseObject({}).parse(await set.json("hil", "show", item.id));
	const told = JSON.stringify(terminal).includes(LATER);
	expect(told).toBe(true);
	for (const [key, value] of Object.entries(terminal))
		expect([key, typeof shown[key]]).toEqual([key, typeof value]);
	expect(shown).toMatchObject({ version: terminal["version"], resolution: null });
	expect(shown["offers"]).toMatchObject([{ choice: "continue" }, { choice: "reject" }]);
});

test("no answer holds a secret that is known by now, whatever the run stored", async () => {
	const item = await firstItem(one);
	const task = `/api/runs/${run()}/tasks/one`;
	const { logs } = logsSchema.parse((await one.get(`${task}/logs`)).json());
	expect(logs.map(({ source }) => source)).toEqual(
		expect.arrayContaining(["player", "coach", "check"]),
	);
	const paths = [
		"/api/session",
		"/api/inbox",
		`/api/items/${item.id}`,
		"/api/runs",
		`/api/runs/${run()}`,
		`/api/runs/${run()}/events`,
		`/api/runs/${run()}/actions`,
		task,
		`${task}/diff`,
		`${task}/turns/1/diff`,
		`${task}/turns/1/diff?since=0`,
		`${task}/turns/1/cases?check=tests`,
		"/api/plan",
		...["calibration", "status", "result", "runs", "events", "items", "logs"].map(verbPath),
		...["trace", "diff", "gate", "findings"].map((verb) => `${verbPath(verb)}?task=one`),
		`${verbPath("item")}?id=${item.id}`,
		...logs.map(({ path }) => `${task}/log?path=${encodeURIComponent(path)}`),
	];
	const replies: Reply[] = [];
	for (const path of paths) replies.push(await one.get(path));
	expect(replies.map(({ status }) => status)).toEqual(paths.map(() => 200));
	const all = replies.map(({ text }) => text).join("\n");
	expect(all).not.toContain(LATER);
	// Each of them would have shown it.
	expect(all.match(/\[MASKED:env:\w{4}\]/g)?.length).toBeGreaterThan(8);
	const diff = await one.get(`${task}/diff`);
	expect(diff.text).toMatch(/^\+\[MASKED:env:\w{4}\]$/m);
});

test("a log is read from any byte, and nothing that is no log of the task", async () => {
	const task = `/api/runs/${run()}/tasks/one`;
	const { logs } = logsSchema.parse((await one.get(`${task}/logs`)).json());
	const path = logs.find(({ source }) => source === "player")?.path ?? "";
	const part = z.object({ from: z.int(), next: z.int(), bytes: z.int(), text: z.string() });
	const whole = part.parse((await one.get(`${task}/log?path=${path}`)).json());
	expect(whole).toMatchObject({ from: 0, next: whole.bytes });
	const rest = part.parse((await one.get(`${task}/log?path=${path}&from=${whole.bytes}`)).json());
	expect(rest).toMatchObject({ text: "", next: whole.bytes });
	for (const wrong of ["sparring.db", "../sparring.yaml", "/etc/passwd", "", `${path}/../../x`])
		expect((await one.get(`${task}/log?path=${encodeURIComponent(wrong)}`)).status).toBe(404);
});

test("what is not there is told as such", async () => {
	for (const path of [
		"/api/items/none",
		"/api/runs/none",
		"/api/runs/none/actions",
		"/api/runs/none/events",
		`/api/runs/${run()}/tasks/none`,
		`/api/runs/${run()}/tasks/none/diff`,
		`/api/runs/${run()}/events?task=none`,
		`/api/runs/${run()}/tasks/one/turns/9/cases?check=tests`,
		`/api/runs/${run()}/tasks/one/turns/1/cases?check=none`,
		"/api/stream?run=none",
		`/api/stream?run=${run()}&task=none`,
	])
		expect([path, (await one.get(path)).status]).toEqual([path, 404]);
	expect((await one.get(`/api/runs/${run()}/tasks/one/turns/9/diff`)).status).toBe(400);
});

test("a workflow file that changed since it was shown is not edited; the page gets it as it is", async () => {
	const plan = z.looseObject({ digest: z.string(), tasks: z.array(z.looseObject({})) });
	const shown = plan.parse((await one.get("/api/plan")).json());
	expect(shown.tasks).toMatchObject([
		{ id: "one", title: "Do the work.", requires_verification: "auto" },
	]);
	const edit = { digest: shown.digest, tasks: { one: true } };
	const edited = await one.post("/api/plan", edit);
	expect(edited.status).toBe(200);
	expect(plan.parse(edited.json()).tasks).toMatchObject([
		{ requires_verification: true, by: "person" },
	]);
	const late = await other.post("/api/plan", edit);
	expect(late.status).toBe(409);
	const { plan: now } = z.looseObject({ plan }).parse(late.json());
	expect(now.tasks).toMatchObject([{ requires_verification: true }]);
	expect((await one.get("/api/plan?file=../other.yaml")).status).toBe(400);
	set.repo.write({ "sparring.yaml": null });
	const gone = await other.post("/api/plan", edit);
	expect([gone.status, gone.json()]).toMatchObject([
		409,
		{ error: { message: textLike("sparring.yaml was removed") }, plan: null },
	]);
	set.repo.git("checkout", "sparring.yaml");
});

test("an answer to another state, or without a choice, is refused; of two answers the second is, and the first can be repeated", async () => {
	const { id, version } = await firstItem(one);
	const path = `/api/items/${id}/answer`;
	expect((await one.post(path, { version })).status).toBe(400);
	expect((await one.post(path, { version, take: "continue", reject: "no" })).status).toBe(400);
	expect((await one.post(path, { version, take: "developer" })).status).toBe(400);
	expect((await one.post(path, { take: "continue" })).status).toBe(400);
	expect((await one.post(path, { version, reject: true, notes: " " })).status).toBe(400);
	const typed = await set.spar(["hil", "resolve", id, "--version", "0".repeat(32)]);
	expect([typed.code, typed.stderr]).toMatchObject([2, textLike("changed since it was shown")]);
	const stale = await one.post(path, { version: "0".repeat(32), take: "continue" });
	expect([stale.status, stale.json()]).toMatchObject([
		409,
		{ error: { code: "outdated" }, item: { id, version, resolution: null } },
	]);
	const yes = { version, take: "continue", directive: null, notes: "looked at it" };
	const answered = await one.post(path, yes);
	expect([answered.status, answered.json()]).toMatchObject([
		200,
		{ can_resume: true, item: { offers: [], resolution: { choice: "continue" } } },
	]);
	const second = await other.post(path, { version, reject: "not wanted" });
	expect([second.status, second.json()]).toMatchObject([
		409,
		{ error: { code: "outdated" }, item: { resolution: { choice: "continue" } } },
	]);
	expect((await other.post(path, yes)).status).toBe(200);
	expect(inboxSchema.parse((await other.get("/api/inbox")).json()).items).toEqual([]);
});

test("the trace tells of an answer when it is given, and that it was given on the page", async () => {
	const { events } = traced.parse(await set.json("trace", "one"));
	expect(events.filter(({ type }) => type === "item-answered")).toMatchObject([
		{ task: "one", node: "await_human", data: { by: "page", status: "RESOLVED" } },
	]);
});

const traced = z.looseObject({ events: z.array(z.looseObject({ type: z.string() })) });
const runSchema = z.looseObject({ landed: z.boolean(), status: z.string(), holder: z.unknown() });
const eventsSchema = z.looseObject({
	events: z.array(z.looseObject({ id: z.int(), type: z.string() })),
});

const viewSchema = z.looseObject({ run: runSchema });
const runNow = async (): Promise<z.infer<typeof runSchema>> =>
	viewSchema.parse((await one.get(`/api/runs/${run()}`)).json()).run;
const storedEvents = async () =>
	eventsSchema.parse((await one.get(`/api/runs/${run()}/events`)).json()).events;

const SOON = { timeout: 120_000, interval: 50 };

thorough(
	"the page resumes and lands a run as processes of their own, and a stream tells of each event once",
	async () => {
		const stream = one.stream(0);
		const { actions } = actionsSchema.parse((await one.get(`/api/runs/${run()}/actions`)).json());
		expect(actions).toMatchObject([
			{ action: "resume", refused: null },
			{ action: "land", refused: "no task of it has merged anything" },
			{ action: "cancel", refused: null },
			{ action: "prune" },
		]);
		expect((await one.post(`/api/runs/${run()}/land`, {})).status).toBe(409);
		const begun = await one.post(`/api/runs/${run()}/resume`, {});
		expect([begun.status, begun.json()]).toMatchObject([202, { started: { action: "resume" } }]);
		await expect.poll(runNow, SOON).toMatchObject({ status: "completed", holder: null });
		expect((await one.post(`/api/runs/${run()}/land`, {})).status).toBe(202);
		await expect.poll(runNow, SOON).toMatchObject({ landed: true });
		await expect.poll(() => stream.names, SOON).toContain("action-ended");
		const stored = (await storedEvents()).map(({ id }) => id);
		await expect.poll(() => stream.ids, SOON).toEqual(stored);
		expect(stream.names).toContain("run-changed");
		stream.leave();
		await stream.over;
		expect(set.repo.git("log", "--format=%s", "main")).toContain("Do the work.");
		expect(dashboard.bugs).toEqual([]);
	},
	60_000,
);

thorough("what has ended is pruned from the page, once, and its records stay", async () => {
	expect((await one.post(`/api/runs/${run()}/cancel`, {})).status).toBe(409);
	expect((await one.post(`/api/runs/${run()}/prune`, {})).status).toBe(202);
	await expect.poll(runNow, SOON).toMatchObject({ pruned: true });
	expect((await one.post(`/api/runs/${run()}/prune`, {})).status).toBe(409);
	expect((await one.get(`/api/runs/${run()}/tasks/one`)).status).toBe(200);
});

thorough(
	"a page whose server is ended and started again, again and again while a run writes, misses no event and gets none twice",
	async () => {
		const busy = stage({
			steps: [
				{ role: "player", run: "echo turn $SPAR_TURN >> $SPAR_TASK.txt" },
				{
					role: "coach",
					turn: 1,
					report: { ...APPROVAL, decision: "feedback", feedback_items: [{ issue: "more" }] },
				},
				{
					role: "coach",
					report: { ...APPROVAL, findings_status: [{ id: "F1", status: "fixed" }] },
				},
			],
			workflow: { tasks: { a: taskOf(), b: taskOf(), c: taskOf() } },
		});
		const running = busy.run();
		const over = new AbortController();
		void running.finally(() => over.abort());
		const seen: number[] = [];
		let rounds = 0;
		let port = 0;
		const round = async (isLast: boolean): Promise<number[]> => {
			const server = await openTestDashboard(busy.repo, { port });
			port = Number(new URL(server.address).port);
			const page = await server.logIn();
			const stream = page.stream(seen.at(-1) ?? 0);
			await (isLast
				? expect.poll(() => stream.names, SOON).toContain("caught-up")
				: expect.poll(() => stream.ids.length > 3 || over.signal.aborted, SOON).toBe(true));
			await server.close();
			await stream.over;
			expect(server.bugs).toEqual([]);
			return [...stream.ids];
		};
		for (; !over.signal.aborted; rounds += 1) seen.push(...(await round(false)));
		seen.push(...(await round(true)));
		expect((await running).code).toBe(0);
		expect(rounds).toBeGreaterThan(2);
		expect(seen).toEqual((await allEvents(busy)).map(({ id }) => id));
	},
);

const taskOf = () => ({
	agent: "dev",
	description: "Do the work.",
	acceptance_criteria: [CRITERION],
	overlays: pair(),
});

async function allEvents({ repo }: Stage): Promise<readonly StoredEvent[]> {
	const sparring = await openSparring({ directory: repo.root, env: repo.env, readOnly: true });
	const events = await sparring.events();
	sparring.close();
	return events;
}

thorough(
	"a repository in which nothing ran yet is shown, and its first run appears by itself",
	async () => {
		const fresh = stage({
			steps: [
				{ role: "player", run: "echo a > a.txt" },
				{ role: "coach", report: APPROVAL },
			],
		});
		const server = await openTestDashboard(fresh.repo);
		const page = await server.logIn();
		const stream = page.stream(0);
		await expect.poll(() => stream.names, SOON).toEqual(["caught-up"]);
		for (const path of ["/api/inbox", "/api/runs", "/api/verbs/calibration", "/api/plan"])
			expect([path, (await page.get(path)).status]).toEqual([path, 200]);
		expect((await page.get("/api/runs/none")).status).toBe(404);
		const { report } = await fresh.run();
		const ids = (await allEvents(fresh)).map(({ id }) => id);
		await expect.poll(() => stream.ids, SOON).toEqual(ids);
		expect((await page.get(`/api/runs/${report.run_id}`)).json()).toMatchObject({
			run: { status: "completed" },
		});
		stream.leave();
		await stream.over;
		await server.close();
		expect(server.bugs).toEqual([]);
	},
	60_000,
);
