import type { Evidence } from "../evidence/evidence.ts";
import { BASELINE_TURN } from "../loop/records/task-reader.ts";
import type { Stand } from "../loop/stand.ts";
import type { StepKey, Write } from "../store/records.ts";

/** The records of one check, in memory. */
export class CheckRecords {
	readonly #evidence: { readonly turn: number; readonly piece: Evidence }[] = [];
	readonly #steps = new Map<string, unknown>();

	readonly commit = async (writes: readonly Write[]): Promise<void> => {
		for (const write of writes) {
			if (write.kind === "step") this.#steps.set(write.key.step, write.result);
			if (write.kind !== "evidence") continue;
			const { turn, evidence: piece } = write;
			this.#evidence.push({ turn, piece });
		}
	};

	// Of other tasks there is none.
	readonly evidenceFor = (): Promise<undefined> => Promise.resolve(undefined);

	/** @param startCommit the base of the check */
	read(startCommit: string): Stand["read"] {
		const all = async (turn: number): Promise<readonly Evidence[]> => {
			const pieces = this.#evidence.flatMap((each) => (each.turn === turn ? [each.piece] : []));
			// The last of each check counts.
			return [...new Map(pieces.map((piece) => [piece.check, piece])).values()];
		};
		return {
			task: async () => ({ startCommit }),
			allEvidence: all,
			evidence: async (turn) => (await all(turn)).filter(({ purpose }) => purpose === "turn"),
			baseline: async () =>
				new Map((await all(BASELINE_TURN)).map((piece) => [piece.check, piece])),
			// Whoever wrote the step knows what it holds.
			step: async <Result>({ step }: StepKey<Result>) =>
				this.#steps.get(step) as Result | undefined,
		};
	}
}
