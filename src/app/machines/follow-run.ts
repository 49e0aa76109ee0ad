import { setTimeout as delay } from "node:timers/promises";
import { Fault, type FaultCode } from "../../kernel/fault.ts";
import { type RunStanding, standingOf } from "../../schedule/standing.ts";
import type { Records } from "../../store/records.ts";
import { findRun, isLandingDue } from "../find-run.ts";
import type { Supervision } from "../sparring.ts";
import { outwaitStore } from "./outwait-store.ts";

/** How often a run that others work on is looked at, in ms. */
const LOOK_MS = 400;

/** What is told of a run while it goes on elsewhere. */
export interface Following extends Pick<Supervision, "onEvent" | "onNotice" | "onStopped"> {
	/** Events up to this one are known. */
	readonly after: number;
	readonly signal: AbortSignal;
}

/**
 * Tells what happens in a run until nothing more happens in it by itself, its landing included: each event once, in their
 * order. A store that is away is waited for.
 *
 * @throws the signal's reason; the fault that stopped a task, where nothing else can go on
 */
export async function followRun(
	records: Records,
	runId: string,
	{ after, signal, onEvent, onNotice, onStopped }: Following,
): Promise<void> {
	let seen = after;
	let isRefused = false;
	/** Tells what is new. @returns whether that was all */
	const look = async (): Promise<boolean> => {
		// Read before the events, so that none of them is behind the end.
		const run = await findRun(records, runId);
		const { status, workflow } = run;
		const standing = status === "running" ? await standingOf(records, runId, workflow) : null;
		for (const event of await records.events(runId, { after: seen })) {
			seen = event.id;
			if (event.type === "landing-refused") isRefused = true;
			onEvent?.(event);
		}
		const isOver = status !== "running";
		if (isOver && (isRefused || !isLandingDue(run, await records.tasks(runId)))) return true;
		throwStopped(standing, { runId, onStopped });
		return false;
	};
	for (;;) {
		signal.throwIfAborted();
		if (await outwaitStore(look, { signal, onNotice })) return;
		await delay(LOOK_MS, undefined, { signal }).catch(() => undefined);
	}
}

/** @throws the fault that stopped a task, where nothing else can go on */
function throwStopped(
	standing: RunStanding | null,
	{ runId, onStopped }: { readonly runId: string } & Pick<Following, "onStopped">,
): void {
	const [first] = standing?.ready.length === 0 ? standing.stopped : [];
	if (first === undefined) return;
	const [taskId, { code, message, hint }] = first;
	// True because the code was stored from a Fault.
	const known = (code ?? "git-failed") as FaultCode;
	const fault = new Fault(message, {
		code: known,
		hint: hint ?? `Once the cause is gone: spar resume ${runId}`,
	});
	onStopped?.(taskId, fault);
	throw fault;
}
