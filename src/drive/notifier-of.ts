import type { Repository } from "../git/repository.ts";
import { asked, type HumanItem } from "../human/human-item.ts";
import { type Delivery, type NotifyPorts, notify, notifyEnd } from "../human/notify/notify.ts";
import { anySignal } from "../kernel/any-signal.ts";
import { systemClock } from "../kernel/clock.ts";
import type { RunStatus } from "../kernel/task-state.ts";
import type { Masker } from "../masking/masking.ts";
import { childEnvironment } from "../process/environment.ts";
import { bareHost } from "../process/run-process.ts";
import { runEvent } from "../schedule/run-writes.ts";
import type { StoredEvent } from "../trace/event.ts";
import type { Workflow } from "../workflow/workflow.ts";
import type { Drive, RunContext } from "./drive.ts";

const DESKTOP = ["DBUS_SESSION_BUS_ADDRESS", "DISPLAY"];

interface RunNotifier {
	/** Called with each event after it was stored; neither throws nor waits. */
	readonly onEvent: (event: StoredEvent) => void;
	readonly settled: () => Promise<void>;
}

export interface NotifierRequest {
	readonly settings: NonNullable<Workflow["human"]["notify"]>;
	readonly env: Readonly<Record<string, string | undefined>>;
	readonly directory: string;
	readonly masker: Masker;
	readonly signal: AbortSignal;
	/** The end of a run is told also where it was cancelled. */
	readonly endSignal: AbortSignal;
	readonly workflow: string;
	readonly readItem: (id: string) => Promise<HumanItem | undefined>;
	readonly onDelivery: (delivery: Delivery, task: string | null) => Promise<void>;
}

const silentNotifier: RunNotifier = {
	onEvent: () => undefined,
	settled: () => Promise.resolve(),
};

/**
 * Notifies of stored questions only, and fails nothing: a failure is told to `onDelivery`.
 *
 * Its programs run outside of the sandbox with an environment of their own: they are the user's, not an agent's.
 */
export function runNotifier(request: NotifierRequest): RunNotifier {
	const started: Promise<void>[] = [];
	return {
		onEvent: (event) => {
			// Nothing may come of a failure here: what is told of is stored, and `spar status` shows it.
			if (event.type === "item-opened")
				started.push(tell(request, event.data.item).catch(() => undefined));
			else if (event.type === "run-ended")
				started.push(tellEnd(request, event.run, event.data.status).catch(() => undefined));
		},
		settled: async () => {
			await Promise.all(started);
		},
	};
}

async function tell(request: NotifierRequest, id: string): Promise<void> {
	const item = await request.readItem(id);
	if (item === undefined) return;
	const about = { mark: `${item.runId}:notify/${item.id}`, task: item.taskId };
	await logging(request, about, request.signal, (ports) => notify(item, request.settings, ports));
}

async function tellEnd(request: NotifierRequest, runId: string, status: RunStatus): Promise<void> {
	const end = { runId, status, workflow: request.workflow };
	const about = { mark: `${runId}:notify/end`, task: null };
	await logging(request, about, request.endSignal, (ports) =>
		notifyEnd(end, request.settings, ports),
	);
}

interface About {
	readonly mark: string;
	readonly task: string | null;
}

async function logging(
	request: NotifierRequest,
	about: About,
	signal: AbortSignal,
	send: (ports: NotifyPorts) => Promise<unknown>,
): Promise<void> {
	const logged: Promise<void>[] = [];
	await send({
		...portsOf(request, about, signal),
		log: (delivery) => {
			logged.push(request.onDelivery(delivery, about.task).catch(() => undefined));
		},
	});
	await Promise.all(logged);
}

function portsOf(
	request: NotifierRequest,
	about: About,
	signal: AbortSignal,
): Omit<NotifyPorts, "log"> {
	const { env, directory, masker } = request;
	let count = 0;
	return {
		env,
		masker,
		clock: systemClock,
		run: async (command, timeoutMs) => {
			count += 1;
			const mark = `${about.mark}/${count}`;
			const variables = childEnvironment(env, DESKTOP);
			const process = { command, cwd: directory, env: variables, timeoutMs, mark };
			return await bareHost.run(process, signal);
		},
		fetch: async (url, init) =>
			await fetch(url, { ...init, signal: AbortSignal.any([init.signal, signal]) }),
	};
}

export function notifierOf(
	drive: Pick<Drive, "run" | "workflow" | "store" | "env" | "lease" | "signal" | "onNotice"> & {
		readonly repository: Pick<Repository, "root">;
	},
	{ signal, commit, masker }: Pick<RunContext, "signal" | "commit" | "masker">,
): RunNotifier {
	const { run, workflow, store, repository, env, onNotice } = drive;
	const settings = workflow.human.notify;
	if (settings === undefined) return silentNotifier;
	return runNotifier({
		settings,
		env,
		directory: repository.root,
		masker,
		signal,
		// What another question stands for is not told again.
		readItem: async (id) =>
			asked((await store.records.items(run.runId)).filter(({ answer }) => answer === null)).find(
				(item) => item.id === id,
			),
		endSignal: anySignal(drive.lease.lost, drive.signal),
		workflow: workflow.name,
		onDelivery: async ({ itemId, target, outcome, reason }, task) => {
			if (outcome === "failed") {
				const what = itemId === null ? "the end of the run" : `question ${itemId}`;
				onNotice?.(`nobody was told of ${what} by ${target}: ${reason ?? "no reason"}`);
			}
			const data = { item: itemId, target, outcome, reason };
			await commit([runEvent(run.runId, "person-notified", data, { task })]);
		},
	});
}
