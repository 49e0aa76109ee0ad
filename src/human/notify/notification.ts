import type { END_VALUE_NAMES, ITEM_VALUE_NAMES } from "../../kernel/item-value-names.ts";
import { canonicalJson } from "../../kernel/json.ts";
import type { RunStatus } from "../../kernel/task-state.ts";
import type { HumanItem } from "../human-item.ts";
import { questionReason, type ReasonAsking, shortReason, type ToldReason } from "../reason.ts";

export type Notification =
	| { readonly type: "command"; readonly run: readonly string[] }
	| {
			readonly type: "webhook";
			readonly url: string;
			readonly headers?: Readonly<Record<string, string>> | undefined;
	  };

export interface NotifySettings {
	/** For every question, once it is stored. */
	readonly onCreated: readonly Notification[];
	readonly onT2Gate: readonly Notification[];
	/** When a run ends, or waits and nothing else of it can go on. Left out: nobody. */
	readonly onEnd?: readonly Notification[] | undefined;
}

export type NotifyOccasion = "item_created" | "t2_gate" | "run_ended";

interface DueNotification {
	readonly occasion: NotifyOccasion;
	readonly notification: Notification;
}

/**
 * The notifications that a new item asks for: all of `onCreated`, and for a signature those of `onT2Gate`. One that
 * stands in both lists is sent once, with the occasion `t2_gate`.
 */
export function notificationsFor(
	settings: NotifySettings,
	item: Pick<HumanItem, "trigger">,
): DueNotification[] {
	const due = new Map<string, DueNotification>();
	const add = (occasion: NotifyOccasion, list: readonly Notification[]): void => {
		for (const notification of list)
			due.set(canonicalJson(notification), { occasion, notification });
	};
	add("item_created", settings.onCreated);
	if (item.trigger === "sign_off") add("t2_gate", settings.onT2Gate);
	return [...due.values()];
}

export type ItemValues = Readonly<Record<(typeof ITEM_VALUE_NAMES)[number], string>>;

/** Longest reason in a notification, in UTF-16 code units; the whole one is in `spar hil show`. */
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

/** The values of a stored item, which holds no secret, each on one line of at most 500 characters; of several conflicts the first is told. */
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

/** A run that ended, or that waits and can do nothing else. */
export interface RunEnd {
	readonly runId: string;
	readonly status: RunStatus;
	readonly workflow: string;
}

export function endValues({ runId, status, workflow }: RunEnd): EndValues {
	return { RUN_ID: plainLine(runId), STATUS: status, WORKFLOW: plainLine(workflow) };
}
