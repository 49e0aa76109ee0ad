import { fillTemplate } from "../../kernel/fill-template.ts";
import { canonicalJson } from "../../kernel/json.ts";
import type { RunStatus } from "../../kernel/task-state.ts";
import { isWebhookHeader, webhookAddress } from "../../kernel/webhook.ts";
import type { END_VALUE_NAMES, ITEM_VALUE_NAMES } from "../../workflow/limits.ts";
import type { Notifier, Workflow } from "../../workflow/workflow.ts";
import type { HumanItem } from "../human-item.ts";
import { questionReason, type ReasonAsking, shortReason, type ToldReason } from "../reason.ts";

export type NotifySettings = NonNullable<Workflow["human"]["notify"]>;

type NotifyOccasion = "item_created" | "t2_gate" | "run_ended";

interface DueNotification {
	readonly occasion: NotifyOccasion;
	readonly notification: Notifier;
}

/** All of `onCreated`, and for a signature those of `onT2Gate`; one in both lists is sent once, as `t2_gate`. */
export function notificationsFor(
	settings: NotifySettings,
	item: Pick<HumanItem, "trigger">,
): DueNotification[] {
	const due = new Map<string, DueNotification>();
	const add = (occasion: NotifyOccasion, list: readonly Notifier[]): void => {
		for (const notification of list)
			due.set(canonicalJson(notification), { occasion, notification });
	};
	add("item_created", settings.onCreated);
	if (item.trigger === "sign_off") add("t2_gate", settings.onT2Gate);
	return [...due.values()];
}

export type ItemValues = Readonly<Record<(typeof ITEM_VALUE_NAMES)[number], string>>;

/** Longest reason in a notification, in UTF-16 code units; the whole one is in `spar questions`. */
const MAX_REASON = 500;

export type EndValues = Readonly<Record<(typeof END_VALUE_NAMES)[number], string>>;

function plainLine(text: string, limit: number = MAX_REASON): string {
	const line = text.replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\s]+/gu, " ").trim();
	return (line.length <= limit ? line : `${line.slice(0, limit - 1)}…`).toWellFormed();
}

function plainReason(told: ToldReason): string {
	const { first, rest } = shortReason(told);
	return `${plainLine(first, MAX_REASON - rest.length)}${rest}`;
}

/** Values of a stored item, which holds no secret, each on one line of at most 500 characters. */
export function itemValues(
	item: Pick<HumanItem, "id" | "runId" | "taskId"> & ReasonAsking,
): ItemValues {
	return {
		TASK_ID: plainLine(item.taskId),
		ITEM_ID: plainLine(item.id),
		TRIGGER: item.trigger,
		REASON: plainReason(questionReason(item)),
		RUN_ID: plainLine(item.runId),
	};
}

export interface RunEnd {
	readonly runId: string;
	readonly status: RunStatus;
	readonly workflow: string;
}

export function endValues({ runId, status, workflow }: RunEnd): EndValues {
	return { RUN_ID: plainLine(runId), STATUS: status, WORKFLOW: plainLine(workflow) };
}

export type WebhookRequest =
	| {
			readonly kind: "ready";
			readonly url: URL;
			readonly headers: Readonly<Record<string, string>>;
			readonly body: string;
	  }
	| { readonly kind: "refused"; readonly reason: string };

type Webhook = Pick<Extract<Notifier, { type: "webhook" }>, "url" | "headers">;

const HEADER_VALUE = /^[\t\x20-\x7e\x80-\xff]*$/;

type Environment = Readonly<Record<string, string | undefined>>;
type Filled = { readonly text: string } | { readonly reason: string };

function fromEnvironment(what: string, template: string, env: Environment): Filled {
	const filled = fillTemplate(template, (name) =>
		Object.hasOwn(env, name) ? env[name] : undefined,
	);
	return filled.kind === "filled"
		? { text: filled.text }
		: { reason: `${what} needs ${filled.names.join(", ")} in the environment` };
}

function header(name: string, template: string, env: Environment): Filled {
	if (!isWebhookHeader(name)) return { reason: `the header ${JSON.stringify(name)} cannot be set` };
	const filled = fromEnvironment(`the header ${name}`, template, env);
	if ("reason" in filled || HEADER_VALUE.test(filled.text)) return filled;
	return { reason: `the value of header ${name} holds characters that cannot be sent` };
}

/** Body of a webhook about a question. */
export function itemBody(
	occasion: NotifyOccasion,
	item: Pick<HumanItem, "choices" | "createdAt">,
	values: ItemValues,
): string {
	const { TASK_ID, ITEM_ID, TRIGGER, REASON, RUN_ID } = values;
	return JSON.stringify({
		event: occasion,
		item_id: ITEM_ID,
		run_id: RUN_ID,
		task_id: TASK_ID,
		trigger: TRIGGER,
		reason: REASON,
		choices: item.choices,
		created_at: item.createdAt,
		text: `Sparring: task ${TASK_ID} waits for a person (${TRIGGER}): ${REASON.replace(/\.$/, "")}. Read it with: spar questions ${ITEM_ID}`,
	});
}

const ENDS: Readonly<Record<RunStatus, string>> = {
	running: "is running",
	paused_for_user_escalation: "waits for a person",
	completed: "is completed",
	failed: "failed",
	cancelled: "was cancelled",
};

/** Body of a webhook about the end of a run. */
export function endBody(
	{ status }: Pick<RunEnd, "status">,
	{ RUN_ID, STATUS, WORKFLOW }: EndValues,
): string {
	const text = `Sparring: run ${RUN_ID} of ${WORKFLOW} ${ENDS[status]}. See: spar status ${RUN_ID}`;
	const body = { event: "run_ended", run_id: RUN_ID, status: STATUS, workflow: WORKFLOW, text };
	return JSON.stringify(body);
}

/**
 * Request of a webhook. Address and header values take `${NAME}` from the environment; a reason for refusing never
 * holds a value of theirs.
 */
export function webhookRequest(
	{ url, headers = {} }: Webhook,
	body: string,
	env: Environment,
): WebhookRequest {
	const filled = fromEnvironment("the address", url, env);
	if ("reason" in filled) return { kind: "refused", ...filled };
	const address = webhookAddress(filled.text);
	if (address.kind === "refused") return address;
	const ready: [string, string][] = [["content-type", "application/json"]];
	for (const [name, template] of Object.entries(headers)) {
		const value = header(name, template, env);
		if ("reason" in value) return { kind: "refused", ...value };
		ready.push([name, value.text]);
	}
	return { kind: "ready", url: address.url, headers: Object.fromEntries(ready), body };
}
