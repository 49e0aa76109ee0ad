import { canonicalJson } from "../../kernel/json.ts";
import type { HumanItem } from "../human-item.ts";

/** A way to tell somebody that a question waits, as the workflow has it. */
export type Notification =
	/** Program and arguments; in the arguments `${TASK_ID}` and the like stand for values of the item. */
	| { readonly type: "command"; readonly run: readonly string[] }
	/** Address and headers to post to; in both `${NAME}` stands for an environment variable. */
	| {
			readonly type: "webhook";
			readonly url: string;
			readonly headers?: Readonly<Record<string, string>> | undefined;
	  };

/** Who is told of what. */
export interface NotifySettings {
	/** For every question, once it is stored. */
	readonly onCreated: readonly Notification[];
	/** Besides, when a task of tier T2 waits for its signature. */
	readonly onT2Gate: readonly Notification[];
	/** When a run ends, or waits and nothing else of it can go on. Left out: nobody. */
	readonly onEnd?: readonly Notification[] | undefined;
}

/** What happened, for the one who is told. */
export type NotifyOccasion = "item_created" | "t2_gate" | "run_ended";

/** A notification that is due. */
export interface DueNotification {
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
