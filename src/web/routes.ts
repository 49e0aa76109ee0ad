import { type Context, Hono } from "hono";
import { HTTPException } from "hono/http-exception";
import { Fault } from "../kernel/fault.ts";
import { wireName } from "../library/verbs/call.ts";
import { VERB_NAMES, VERBS } from "../library/verbs/table.ts";
import type { AnyVerb, Kind } from "../library/verbs/verb.ts";
import { bytesOf, eventStream } from "./event-stream.ts";
import { tooLarge } from "./guard.ts";
import type { Looking } from "./looking.ts";
import type { Problem, VerbReply } from "./protocol.ts";
import { BUG, problemOf, statusOf } from "./refusal.ts";
import {
	ACTIONS,
	type Action,
	actionBody,
	answerBody,
	bodyOf,
	FILTERS,
	planBody,
	type RunFilter,
	sessionBody,
	wrong,
} from "./requests.ts";
import type { Screens, TaskPlace } from "./screens.ts";
import type { Sessions } from "./session.ts";

function textIn(c: Context, name: string): string | null {
	return c.req.query(name) || null;
}

function wholeNumber(text: string, name: string): number {
	const number = Number(text);
	if (/^\d+$/.test(text) && Number.isSafeInteger(number)) return number;
	throw wrong(`${name} is ${JSON.stringify(text)}, and not a whole number`);
}

function yesOrNo(text: string, name: string): boolean {
	if (text === "true" || text === "false") return text === "true";
	throw wrong(`${name} is ${JSON.stringify(text)}, and neither true nor false`);
}

function numberIn(
	c: Context,
	name: string,
	range: { readonly default: number; readonly most?: number },
): number {
	const text = textIn(c, name);
	if (text === null) return range.default;
	return Math.min(wholeNumber(text, name), range.most ?? Number.MAX_SAFE_INTEGER);
}

function filterOf(c: Context): RunFilter {
	const text = textIn(c, "filter") ?? "all";
	const filter = FILTERS.find((known) => known === text);
	if (filter !== undefined) return filter;
	throw wrong(`filter is ${JSON.stringify(text)}, and none of ${FILTERS.join(", ")}`);
}

function actionOf(text: string): Action {
	const action = ACTIONS.find((known) => known === text);
	if (action !== undefined) return action;
	throw wrong(`${JSON.stringify(text)} is no action: there are ${ACTIONS.join(", ")}`);
}

// The header is the browser's when it connects again, and knows better than the address, which is that of the first
// time.
function lastEventId(c: Context): number | null {
	const text = c.req.header("last-event-id") || textIn(c, "after");
	return text === null ? null : wholeNumber(text, "the id of the last event");
}

// The length may not be told in advance: it is counted while it comes, and what is too long is not read to its end.
export async function bodyText(
	body: ReadableStream<Uint8Array> | null,
	maxBytes: number,
): Promise<string | null> {
	const pieces: Uint8Array[] = [];
	let bytes = 0;
	for await (const piece of body ?? []) {
		bytes += piece.length;
		if (bytes > maxBytes) return null;
		pieces.push(piece);
	}
	return Buffer.concat(pieces).toString("utf8");
}

export interface RoutesContext {
	readonly screens: Screens;
	readonly sessions: Sessions;
	readonly looking: Looking;
	readonly maxBytes: number;
	// Aborts when the server ends: open streams end with it.
	readonly signal: AbortSignal;
	readonly onBug: (error: unknown) => void;
}

const PAGE = { default: 50, most: 200 };
const EVENTS = { default: 1_000, most: 10_000 };

// Without its guard: what reaches it may be answered.
export function routes(context: RoutesContext): Hono {
	const { screens, maxBytes, onBug } = context;
	const app = new Hono();
	app.onError((error, c) => {
		if (error instanceof HTTPException) return error.getResponse();
		if (error instanceof Fault) return c.json(problemOf(error), statusOf(error));
		onBug(error);
		return c.json(BUG, 500);
	});
	app.notFound((c) => c.json(NOT_FOUND, 404));
	const read: ReadBody = (c) => jsonOf(c, maxBytes);
	sessionRoutes(app, context, read);
	itemRoutes(app, screens, read);
	runRoutes(app, screens);
	taskRoutes(app, screens);
	actionRoutes(app, screens, read);
	planRoutes(app, screens, read);
	app.get("/api/verbs/:verb", async (c) => c.json(await verbReply(c, screens)));
	app.get("/api/stream", async (c) => await stream(c, context));
	return app;
}

// A verb that writes has a route of its own, or none: it begins something, which a GET must not.
async function verbReply(c: Context, screens: Screens): Promise<VerbReply> {
	const name = c.req.param("verb");
	const method = VERB_NAMES.find((each) => each === name);
	const { fields, access }: Pick<AnyVerb, "fields" | "access"> =
		method === undefined ? NO_VERB : VERBS[method];
	if (method === undefined || access !== "read" || "signal" in fields)
		throw new HTTPException(404, { res: c.json(NOT_FOUND, 404) });
	const named = new Map(
		Object.entries(fields).map(([field, { kind }]) => [wireName(field), { field, kind }]),
	);
	const given = Object.keys(c.req.query()).map((wire): [string, unknown] => {
		const { field, kind } = named.get(wire) ?? {};
		const read = kind === undefined ? undefined : READERS[kind];
		if (field === undefined || read === undefined)
			throw wrong(`${name} takes no ${JSON.stringify(wire)}`);
		const text = textIn(c, wire);
		return [field, text === null ? undefined : read(text, wire)];
	});
	return await screens.verb(method, Object.fromEntries(given));
}

const NO_VERB = { fields: {}, access: "write" } as const;

/** Kinds of values that an address can hold. */
const READERS: Readonly<Partial<Record<Kind, (text: string, name: string) => unknown>>> = {
	text: (text) => text,
	count: wholeNumber,
	number: wholeNumber,
	flag: yesOrNo,
};

const NOT_FOUND: Problem = {
	error: { code: "not-found", message: "there is nothing at this address", hint: null },
};

type ReadBody = (c: Context) => Promise<unknown>;

async function jsonOf(c: Context, maxBytes: number): Promise<unknown> {
	const text = await bodyText(c.req.raw.body, maxBytes).catch((cause: unknown) => {
		throw wrong("the body ended before its time", cause);
	});
	if (text === null) {
		throw new HTTPException(413, { res: c.json(problemOf(tooLarge(maxBytes)), 413) });
	}
	try {
		return JSON.parse(text);
	} catch (cause) {
		throw wrong("the body is not valid JSON", cause);
	}
}

function sessionRoutes(app: Hono, { screens, sessions }: RoutesContext, read: ReadBody): void {
	app.get("/api/session", (c) => c.json(screens.session()));
	app.post("/api/session", async (c) => {
		const { code } = bodyOf(sessionBody, await read(c));
		const cookie = sessions.exchange(code);
		if (cookie === null) return c.json(USED_CODE, 401);
		c.header("Set-Cookie", cookie);
		return c.json(screens.session());
	});
}

const USED_CODE: Problem = {
	error: {
		code: "unauthorized",
		message: "this code was used before, or its 60 seconds are over",
		hint: "End `spar ui` with Ctrl-C and start it again: it prints a new address.",
	},
};

function itemRoutes(app: Hono, screens: Screens, read: ReadBody): void {
	app.get("/api/inbox", async (c) => c.json(await screens.inbox()));
	app.get("/api/items/:id", async (c) => c.json(await screens.item(c.req.param("id"))));
	app.post("/api/items/:id/answer", async (c) => {
		const id = c.req.param("id");
		try {
			return c.json(await screens.answer(id, bodyOf(answerBody, await read(c))));
		} catch (error) {
			if (!isOutdated(error)) throw error;
			return c.json({ ...problemOf(error), item: await screens.item(id) }, 409);
		}
	});
}

const isOutdated = (error: unknown): error is Fault =>
	error instanceof Fault && error.code === "outdated";

function runRoutes(app: Hono, screens: Screens): void {
	app.get("/api/runs", async (c) =>
		c.json(
			await screens.runs({
				filter: filterOf(c),
				before: textIn(c, "before"),
				limit: numberIn(c, "limit", PAGE),
			}),
		),
	);
	app.get("/api/runs/:run", async (c) => c.json(await screens.run(c.req.param("run"))));
	app.get("/api/runs/:run/events", async (c) =>
		c.json(
			await screens.events(c.req.param("run"), {
				after: numberIn(c, "after", { default: 0 }),
				limit: numberIn(c, "limit", EVENTS),
				task: textIn(c, "task"),
			}),
		),
	);
}

const TASK = "/api/runs/:run/tasks/:task";

function taskRoutes(app: Hono, screens: Screens): void {
	const placeOf = (c: Context): TaskPlace => ({
		run: c.req.param("run") ?? "",
		task: c.req.param("task") ?? "",
	});
	const turnOf = (c: Context): number => wholeNumber(c.req.param("turn") ?? "", "turn");
	const plain = (c: Context, text: string): Response =>
		c.body(text, 200, { "Content-Type": "text/plain; charset=utf-8" });
	app.get(TASK, async (c) => c.json(await screens.task(placeOf(c))));
	app.get(`${TASK}/diff`, async (c) =>
		plain(c, await screens.diff(placeOf(c), { turn: null, since: null })),
	);
	app.get(`${TASK}/turns/:turn/diff`, async (c) => {
		const since = textIn(c, "since");
		return plain(
			c,
			await screens.diff(placeOf(c), {
				turn: turnOf(c),
				since: since === null ? null : wholeNumber(since, "since"),
			}),
		);
	});
	app.get(`${TASK}/turns/:turn/cases`, async (c) =>
		c.json(
			await screens.cases(placeOf(c), {
				turn: turnOf(c),
				check: textIn(c, "check") ?? "",
				purpose: textIn(c, "purpose") ?? "turn",
			}),
		),
	);
	app.get(`${TASK}/logs`, async (c) => c.json(await screens.logs(placeOf(c))));
	app.get(`${TASK}/log`, async (c) =>
		c.json(
			await screens.log(placeOf(c), textIn(c, "path") ?? "", numberIn(c, "from", { default: 0 })),
		),
	);
}

function actionRoutes(app: Hono, screens: Screens, read: ReadBody): void {
	app.get("/api/runs/:run/actions", async (c) => c.json(await screens.actions(c.req.param("run"))));
	app.post("/api/runs/:run/:action", async (c) => {
		const { run, action } = c.req.param();
		const body = bodyOf(actionBody, await read(c));
		return c.json(await screens.act(run, actionOf(action), body), 202);
	});
}

function planRoutes(app: Hono, screens: Screens, read: ReadBody): void {
	app.get("/api/plan", async (c) => c.json(await screens.plan(textIn(c, "file"))));
	app.post("/api/plan", async (c) => {
		const edit = bodyOf(planBody, await read(c));
		try {
			return c.json(await screens.editPlan(edit));
		} catch (error) {
			if (!isOutdated(error)) throw error;
			const plan = await screens.plan(edit.file ?? null).catch(() => null);
			return c.json({ ...problemOf(error), plan }, 409);
		}
	});
}

async function stream(
	c: Context,
	{ screens, looking, signal, onBug }: RoutesContext,
): Promise<Response> {
	const headers = { "Content-Type": "text/event-stream; charset=utf-8" };
	// Who asks for the head alone reads nothing, and would never leave.
	if (c.req.method === "HEAD") return c.body(null, 200, headers);
	const run = textIn(c, "run");
	const task = textIn(c, "task");
	const path = textIn(c, "log");
	if (path !== null && (run === null || task === null)) throw wrong("a log is of a run and a task");
	// Of what is not there nothing would ever come. A log may still be written.
	if (run !== null) await screens.events(run, { after: 0, limit: 1, task });
	const left = new AbortController();
	const texts = eventStream(
		{ feed: screens.feed, looking },
		{
			after: lastEventId(c),
			// With a log, they say where that is: the page still hears of everything.
			filter: path === null ? { run, task } : { run: null, task: null },
			log: path === null || run === null || task === null ? null : { place: { run, task }, path },
		},
		AbortSignal.any([signal, c.req.raw.signal, left.signal]),
	);
	return c.body(bytesOf(texts, { cancel: () => left.abort(), onBug }), 200, headers);
}
