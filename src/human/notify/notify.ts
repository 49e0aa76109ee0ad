import type { Clock } from "../../kernel/clock.ts";
import { formatDuration } from "../../kernel/duration.ts";
import { fillTemplate } from "../../kernel/fill-template.ts";
import { type Masker, maskerFor } from "../../masking/masking.ts";
import type { Notifier } from "../../workflow/workflow.ts";
import type { HumanItem } from "../human-item.ts";
import {
	type EndValues,
	endBody,
	endValues,
	type ItemValues,
	itemBody,
	itemValues,
	type NotifySettings,
	notificationsFor,
	type RunEnd,
	type WebhookRequest,
	webhookRequest,
} from "./notification.ts";

const COMMAND_MS = 10_000;
const WEBHOOK_MS = 10_000;

const MAX_REASON = 300;

export interface ProgramEnd {
	readonly started: boolean;
	readonly startError: string | null;
	readonly timedOut: boolean;
	readonly exitCode: number | null;
	readonly stderr: string;
}

/** The effects that notifying needs. */
export interface NotifyPorts {
	/**
	 * Runs a program without a shell and ends it, with all that it started, after `timeoutMs`. It has settled only when
	 * nothing of it runs any more. It may reject; that is a failed notification and nothing else.
	 */
	readonly run: (command: readonly [string, ...string[]], timeoutMs: number) => Promise<ProgramEnd>;
	/** As the global `fetch`. It has to keep `redirect` and `signal`; it may reject with anything. */
	readonly fetch: (
		url: URL,
		init: {
			readonly method: "POST";
			readonly headers: Readonly<Record<string, string>>;
			readonly body: string;
			readonly redirect: "manual";
			readonly signal: AbortSignal;
		},
	) => Promise<{
		readonly status: number;
		readonly body?: { cancel(): Promise<void> } | null;
	}>;
	readonly env: Readonly<Record<string, string | undefined>>;
	readonly masker: Masker;
	readonly clock: Clock;
	/** Told of each notification when it is over. It must not throw. */
	readonly log: (delivery: Delivery) => void;
}

/** Outcome of a notification. */
export interface Delivery {
	/** null where it was about the end of a run. */
	readonly itemId: string | null;
	/** For people: the program, or the service without the path of its address. */
	readonly target: string;
	readonly outcome: "sent" | "failed";
	/** Cause of a failure, masked; null when it was sent. */
	readonly reason: string | null;
}

function lastLine(text: string): string {
	const trimmed = text.trim();
	return trimmed.slice(trimmed.lastIndexOf("\n") + 1);
}

function codeOf(error: unknown): string {
	if (!(error instanceof Error)) return "it failed";
	// The global fetch says only "fetch failed"; what happened is the code of its cause.
	const cause: unknown = error.cause;
	const code: unknown = cause instanceof Error && "code" in cause ? cause.code : undefined;
	return typeof code === "string" ? `${error.message} (${code})` : error.message;
}

async function runCommand(
	run: readonly string[],
	values: ItemValues | EndValues,
	ports: NotifyPorts,
): Promise<string | null> {
	const line = notifyCommand(run, values);
	if (line.kind === "refused") return line.reason;
	const end = await ports.run(line.command, COMMAND_MS);
	if (!end.started) return `the program did not start: ${end.startError ?? "unknown reason"}`;
	if (end.timedOut) return `the program took more than ${formatDuration(COMMAND_MS)}`;
	if (end.exitCode === 0) return null;
	const how = end.exitCode === null ? "was ended by a signal" : `ended with ${end.exitCode}`;
	const said = lastLine(end.stderr);
	return `the program ${how}${said === "" ? "" : `: ${said}`}`;
}

async function withDeadline<T>(
	clock: Clock,
	ms: number,
	work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
	const [over, done] = [new AbortController(), new AbortController()];
	const limit = clock.sleep(ms, done.signal).then((): never => {
		const late = new Error(`no answer within ${formatDuration(ms)}`);
		over.abort(late);
		throw late;
	});
	// Once the work is done nobody awaits the limit any more, and it ends by the abort below.
	limit.catch(() => undefined);
	try {
		return await Promise.race([work(over.signal), limit]);
	} finally {
		done.abort();
	}
}

async function post(
	request: Extract<WebhookRequest, { kind: "ready" }>,
	{ fetch, clock }: NotifyPorts,
): Promise<string | null> {
	const { url, headers, body } = request;
	const init = { method: "POST", headers, body, redirect: "manual" } as const;
	return await withDeadline(clock, WEBHOOK_MS, async (signal) => {
		const answer = await fetch(url, { ...init, signal });
		// What the service says is not read; an unread answer would keep the connection.
		await answer.body?.cancel();
		if (answer.status >= 200 && answer.status < 300) return null;
		const redirected = answer.status >= 300 && answer.status < 400;
		return `the service answered ${answer.status}${redirected ? "; redirects are not followed" : ""}`;
	});
}

/** Masks also what the environment put into address and headers. */
function requestMasker({ url, headers }: Extract<WebhookRequest, { kind: "ready" }>): Masker {
	const values = [url.href, ...Object.values(headers)];
	return maskerFor(values.map((value) => ({ value, rule: "notify" })));
}

interface Message {
	readonly itemId: string | null;
	readonly values: ItemValues | EndValues;
	/** For a webhook. */
	readonly body: string;
}

async function deliver(
	notification: Notifier,
	message: Message,
	ports: NotifyPorts,
): Promise<{ readonly target: string; readonly trouble: string | null }> {
	if (notification.type === "command") {
		const target = `command ${notification.run[0] ?? ""}`.trim();
		const trouble = runCommand(notification.run, message.values, ports);
		return { target, trouble: await trouble.catch((error: unknown) => codeOf(error)) };
	}
	const request = webhookRequest(notification, message.body, ports.env);
	if (request.kind === "refused") return { target: "webhook", trouble: request.reason };
	const secret = requestMasker(request);
	return {
		target: `webhook ${request.url.origin}`,
		trouble: await post(request, ports).catch((error: unknown) => secret.mask(codeOf(error))),
	};
}

async function attempt(
	notification: Notifier,
	message: Message,
	ports: NotifyPorts,
): Promise<Delivery> {
	const { target, trouble } = await deliver(notification, message, ports);
	const delivery: Delivery = {
		itemId: message.itemId,
		target,
		outcome: trouble === null ? "sent" : "failed",
		reason:
			trouble === null ? null : ports.masker.mask(trouble).slice(0, MAX_REASON).toWellFormed(),
	};
	ports.log(delivery);
	return delivery;
}

/**
 * Tells everybody whom the workflow names that a question waits, all at the same time. To be called after the item was
 * stored, once for an item.
 *
 * It never rejects: a notification that fails is a value, is logged, is not repeated, and stands in the way of
 * nothing. It takes at most 10 seconds.
 *
 * @returns one delivery for each notification, in the order of the workflow
 */
export async function notify(
	item: HumanItem,
	settings: NotifySettings,
	ports: NotifyPorts,
): Promise<readonly Delivery[]> {
	const values = itemValues(item);
	return await Promise.all(
		notificationsFor(settings, item).map(({ occasion, notification }) => {
			const body = itemBody(occasion, item, values);
			return attempt(notification, { itemId: item.id, values, body }, ports);
		}),
	);
}

/** Tells that a run ended, or waits and can do nothing else, by the same rules as {@link notify}. */
export async function notifyEnd(
	end: RunEnd,
	{ onEnd = [] }: Pick<NotifySettings, "onEnd">,
	ports: NotifyPorts,
): Promise<readonly Delivery[]> {
	const values = endValues(end);
	const message = { itemId: null, values, body: endBody(end, values) };
	return await Promise.all(onEnd.map((notification) => attempt(notification, message, ports)));
}

function asArgument(template: string, text: string): string {
	return template.startsWith("${") && text.startsWith("-") ? ` ${text}` : text;
}

/**
 * The command line of a notification. No shell reads it, so no value can add a command; the program itself is never
 * filled in. A value that begins with `-` gets a space before it where it begins an argument.
 *
 * @example `["notify-send", "Sparring", "${TASK_ID}"]` for task `limiter` is `["notify-send", "Sparring", "limiter"]`
 */
export function notifyCommand(
	run: readonly string[],
	values: ItemValues | EndValues,
):
	| { readonly kind: "ready"; readonly command: readonly [string, ...string[]] }
	| { readonly kind: "refused"; readonly reason: string } {
	const [program, ...rest] = run;
	if (program === undefined || program.trim() === "")
		return { kind: "refused", reason: "the command names no program" };
	const known: ReadonlyMap<string, string> = new Map(Object.entries(values));
	const words: string[] = [];
	const unknown = new Set<string>();
	for (const template of rest) {
		const filled = fillTemplate(template, (name) => known.get(name));
		if (filled.kind === "filled") words.push(asArgument(template, filled.text));
		else for (const name of filled.names) unknown.add(`\${${name}}`);
	}
	if (unknown.size > 0) {
		const names = [...unknown].join(", ");
		return { kind: "refused", reason: `the command names ${names}, which it cannot use` };
	}
	return { kind: "ready", command: [program, ...words] };
}
