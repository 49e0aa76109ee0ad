import type { DefinedCheck, Evidence } from "../evidence/evidence.ts";
import { BASELINE_TURN } from "../loop/records/task-reader.ts";
import type { Stand } from "../loop/stand.ts";
import type { StepKey, Write } from "../store/records.ts";
import type { KeptEvidence } from "./kept-evidence.ts";

const isOfCheck = ({ kind, counts }: Evidence): boolean =>
	kind === "acceptance" && (counts?.knownFailing ?? 0) === 0;

/** The records of one check, in memory; what was found of a base is kept beyond it. */
export class CheckRecords {
	readonly #evidence: { readonly turn: number; readonly piece: Evidence }[] = [];
	readonly #steps = new Map<string, unknown>();
	readonly #kept: KeptEvidence;

	constructor(kept: KeptEvidence) {
		this.#kept = kept;
	}

	readonly commit = async (writes: readonly Write[]): Promise<void> => {
		for (const write of writes) {
			if (write.kind === "step") this.#steps.set(write.key.step, write.result);
			if (write.kind !== "evidence") continue;
			const { turn, evidence: piece } = write;
			this.#evidence.push({ turn, piece });
			// Work that passes is the base of the next.
			const isBase = turn === BASELINE_TURN || (isOfCheck(piece) && piece.status === "pass");
			if (isBase) await this.#kept.keep(piece);
		}
	};

	readonly evidenceFor = (
		_run: string,
		tree: string,
		of: DefinedCheck,
	): Promise<Evidence | undefined> => this.#kept.find(tree, of);

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
