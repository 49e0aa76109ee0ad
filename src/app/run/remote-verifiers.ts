import type { Records } from "../../store/records.ts";
import type { EventListener } from "../../trace/event.ts";
import { type AskVerifier, remoteVerifier } from "../../verification/remote-job.ts";
import type { Suite } from "../../verification/suite.ts";
import type { VerificationRequest, Verifier } from "../../verification/verification.ts";
import { bringShared } from "./bring-shared.ts";
import type { MaskedDrive } from "./drive.ts";
import type { RemoteVerifiers } from "./task-context.ts";

const TELL_MS = 1_000;

/**
 * Who verifies the tasks of a run in another process, as its workflow says: null for nobody.
 *
 * @param signal ends the wait for an answer
 * @throws Fault `program-missing` or `verifier-unavailable` where this process cannot ask over NATS
 */
export async function remoteVerifiers(
	drive: MaskedDrive,
	signal: AbortSignal,
): Promise<RemoteVerifiers | null> {
	const ask = await askerOf(drive);
	if (ask === null) return null;
	const { lease, run, store, onEvent } = drive;
	const { runId, scope, epoch } = lease;
	return ({ taskId, ...node }) => {
		const fence = { runId, scope, epoch };
		const verifier = bringing(drive, remoteVerifier(ask, { ...node, fence, signal }));
		if (onEvent === undefined) return verifier;
		return tellingEvents(verifier, { records: store.records, runId: run.runId, taskId, onEvent });
	};
}

async function askerOf(drive: MaskedDrive): Promise<AskVerifier | null> {
	const { via, nats: settings } = drive.workflow.verification;
	if (via === undefined) return null;
	if (settings === undefined) throw new Error("verification over NATS without its settings");
	const { natsChannel } = await import("../../verification/nats/nats-channel.ts");
	const { requireNats } = await import("../../verification/nats/session.ts");
	const place = { settings, env: drive.env, onNotice: drive.onNotice };
	await requireNats(place);
	return natsChannel(place);
}

/** Once a request is answered, the tests that were written elsewhere are here as well. */
function bringing({ run, repository, env }: MaskedDrive, verifier: Verifier): Verifier {
	return {
		verify: async (request) => {
			const outcome = await verifier.verify(request);
			if (outcome.kind === "decided" && hasNewTests(request, outcome.result.suites))
				await bringShared(repository, run, { env, tasks: [request.task.id] });
			return outcome;
		},
	};
}

function hasNewTests({ suites: known }: VerificationRequest, suites: readonly Suite[]): boolean {
	return suites.some(({ commit }) => !known.some((each) => each.commit === commit));
}

/** What a verifier elsewhere writes, the listener of this process hears of as well, while it waits. */
function tellingEvents(
	verifier: Verifier,
	to: {
		readonly records: Pick<Records, "events">;
		readonly runId: string;
		readonly taskId: string;
		readonly onEvent: EventListener;
	},
): Verifier {
	const { records, runId, taskId, onEvent } = to;
	return {
		verify: async (request) => {
			let after = (await records.events(runId, { task: taskId })).at(-1)?.id ?? 0;
			const tell = async (): Promise<void> => {
				for (const event of await records.events(runId, { task: taskId, after })) {
					after = Math.max(after, event.id);
					// Of the task's events only this one is written in the meantime by this process, which told it.
					if (event.type !== "person-notified") onEvent(event);
				}
			};
			let telling = Promise.resolve();
			const polling = setInterval(() => {
				// What cannot be read now is told at the end, or shows itself in the work.
				telling = telling.then(tell).catch(() => undefined);
			}, TELL_MS);
			try {
				return await verifier.verify(request);
			} finally {
				clearInterval(polling);
				await telling;
				await tell().catch(() => undefined);
			}
		},
	};
}
