import type { EvidenceStore } from "../../judge/ports.ts";
import { BASELINE_TURN } from "../../judge/stand.ts";
import { stepWrite } from "../../store/records.ts";
import type { Ground } from "../context.ts";
import { attemptOf } from "./task-reader.ts";

/** The judge's store of evidence in the records of a task's turn. */
export function taskEvidence({
	commit,
	records,
	read,
	log,
	state,
}: Pick<Ground, "commit" | "records" | "read" | "log" | "state">): EvidenceStore {
	const { runId, taskId } = log;
	return {
		turn: log.turn,
		attempt: (nth) => attemptOf(state.items, nth),
		ofWork: () => read.evidence(log.turn),
		ofBase: () => read.allEvidence(BASELINE_TURN),
		startCommit: async () => (await read.task()).startCommit,
		elsewhere: (tree, of) => records.evidenceFor(runId, tree, of),
		keep: async (evidence, attempt, told) => {
			const turn = evidence.purpose === "baseline" ? BASELINE_TURN : log.turn;
			await commit([
				{ kind: "evidence", runId, taskId, turn, attempt, evidence },
				log.event("check-ran", told),
			]);
		},
		part: (name) => read.step(log.key(name)),
		keepPart: (name, result) => commit([stepWrite(log.key(name), result)]),
		tell: (type, data) => commit([log.event(type, data)]),
	};
}
