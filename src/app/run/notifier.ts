import type { HumanItem } from "../../human/human-item.ts";
import { type Delivery, type NotifyPorts, notify } from "../../human/notify/notify.ts";
import { systemClock } from "../../kernel/clock.ts";
import type { Masker } from "../../kernel/masking.ts";
import { childEnvironment } from "../../process/environment.ts";
import { bareHost } from "../../process/run-process.ts";
import type { StoredEvent } from "../../trace/event.ts";
import type { Workflow } from "../../workflow/workflow.ts";

type NotifySettings = NonNullable<Workflow["human"]["notify"]>;

/** What a program needs besides to show something on somebody's desktop. */
const DESKTOP = ["DBUS_SESSION_BUS_ADDRESS", "DISPLAY"];

/** Tells people outside about the questions of one run. */
export interface RunNotifier {
	/** To be called with each event after it was stored. Starts what is due; neither throws nor waits. */
	readonly onEvent: (event: StoredEvent) => void;
	/** Resolves when everything that was started is over; never rejects. */
	readonly settled: () => Promise<void>;
}

export interface NotifierRequest {
	readonly settings: NotifySettings;
	readonly env: Readonly<Record<string, string | undefined>>;
	/** Absolute path of the repository: where commands run. */
	readonly directory: string;
	readonly masker: Masker;
	/** Ends programs and requests that are under way. */
	readonly signal: AbortSignal;
	readonly readItem: (id: string) => Promise<HumanItem | undefined>;
	/** Told of each notification when it is over; what it rejects with is dropped. */
	readonly onDelivery: (delivery: Delivery, item: HumanItem) => Promise<void>;
}

/** Where nobody is to be told. */
export const silentNotifier: RunNotifier = {
	onEvent: () => undefined,
	settled: () => Promise.resolve(),
};

/**
 * A notifier that acts on stored questions only: it is told of events after their transaction, and reads the question
 * back from the store. A notification that fails is told to `onDelivery`, and stands in the way of nothing.
 *
 * Its programs run outside of the sandbox with an environment of their own: they are the user's, not an agent's.
 */
export function runNotifier(request: NotifierRequest): RunNotifier {
	const started: Promise<void>[] = [];
	return {
		onEvent: (event) => {
			if (event.type !== "item-opened") return;
			// Nothing may come of a failure here: the question is stored, and `spar hil list` shows it.
			started.push(tell(request, event.data.item).catch(() => undefined));
		},
		settled: async () => {
			await Promise.all(started);
		},
	};
}

async function tell(request: NotifierRequest, id: string): Promise<void> {
	const item = await request.readItem(id);
	if (item === undefined) return;
	const logged: Promise<void>[] = [];
	await notify(item, request.settings, {
		...portsOf(request, item),
		log: (delivery) => {
			logged.push(request.onDelivery(delivery, item).catch(() => undefined));
		},
	});
	await Promise.all(logged);
}

function portsOf(request: NotifierRequest, item: HumanItem): Omit<NotifyPorts, "log"> {
	const { env, directory, masker, signal } = request;
	let count = 0;
	return {
		env,
		masker,
		clock: systemClock,
		run: async (command, timeoutMs) => {
			count += 1;
			const mark = `${item.runId}:notify/${item.id}/${count}`;
			const variables = childEnvironment(env, DESKTOP);
			const process = { command, cwd: directory, env: variables, timeoutMs, mark };
			return await bareHost.run(process, signal);
		},
		fetch: async (url, init) =>
			await fetch(url, { ...init, signal: AbortSignal.any([init.signal, signal]) }),
	};
}
