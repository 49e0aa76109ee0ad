import type { Repository } from "../../git/repository.ts";
import { asked } from "../../human/human-item.ts";
import type { Write } from "../../store/records.ts";
import type { MaskedDrive } from "./drive.ts";
import { type RunNotifier, runNotifier, silentNotifier } from "./notifier.ts";
import { runEvent } from "./run-event.ts";

/** What telling people of a run needs of it. */
type Telling = Pick<
	MaskedDrive,
	"run" | "workflow" | "store" | "env" | "masker" | "lease" | "signal" | "onNotice"
> & { readonly repository: Pick<Repository, "root"> };

/** Who tells people outside about the run's questions, as its workflow says. */
export function notifierOf(
	drive: Telling,
	{
		signal,
		commit,
	}: { readonly signal: AbortSignal; readonly commit: (writes: readonly Write[]) => Promise<void> },
): RunNotifier {
	const { run, workflow, store, repository, env, masker, onNotice } = drive;
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
		endSignal: AbortSignal.any([
			drive.lease.lost,
			...(drive.signal === undefined ? [] : [drive.signal]),
		]),
		workflow: workflow.name,
		onDelivery: async ({ itemId, target, outcome, reason }, task) => {
			if (outcome === "failed") {
				const what = itemId === null ? "the end of the run" : `question ${itemId}`;
				onNotice?.(`nobody was told of ${what} by ${target}: ${reason ?? "no reason"}`);
			}
			const timestamp = new Date().toISOString();
			const data = { item: itemId, target, outcome, reason };
			const event = { type: "person-notified", turn: null, node: null, timestamp, data } as const;
			await commit([runEvent(run.runId, { ...event, task })]);
		},
	});
}
