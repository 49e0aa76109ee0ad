import { fillTemplate } from "../../kernel/fill-template.ts";
import { isWebhookHeader, webhookAddress } from "../../kernel/webhook.ts";
import type { HumanItem } from "../human-item.ts";
import type { ItemValues } from "./item-values.ts";
import type { Notification, NotifyOccasion } from "./notification.ts";

/** A request to send, or why there is none. */
export type WebhookRequest =
	| {
			readonly kind: "ready";
			readonly url: URL;
			readonly headers: Readonly<Record<string, string>>;
			/** JSON. */
			readonly body: string;
	  }
	| { readonly kind: "refused"; readonly reason: string };

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

function bodyOf(
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
		text: `Sparring: task ${TASK_ID} waits for a person (${TRIGGER}): ${REASON.replace(/\.$/, "")}. Read it with: spar hil show ${ITEM_ID}`,
	});
}

/**
 * The request that a webhook asks for: a POST of JSON with `event` (`item_created` or `t2_gate`), `item_id`, `run_id`,
 * `task_id`, `trigger`, `reason`, `choices`, `created_at`, and `text`, one sentence for services that show a message.
 *
 * Address and header values take `${NAME}` from the environment. A reason for refusing never holds a value of theirs.
 */
export function webhookRequest(
	{ url, headers = {} }: Pick<Extract<Notification, { type: "webhook" }>, "url" | "headers">,
	{
		occasion,
		item,
		values,
		env,
	}: {
		readonly occasion: NotifyOccasion;
		readonly item: Pick<HumanItem, "choices" | "createdAt">;
		readonly values: ItemValues;
		readonly env: Environment;
	},
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
	const body = bodyOf(occasion, item, values);
	return { kind: "ready", url: address.url, headers: Object.fromEntries(ready), body };
}
