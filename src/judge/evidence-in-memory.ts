import type { Evidence } from "../evidence/evidence.ts";
import type { EvidenceStore } from "./ports.ts";

/** The evidence of one judgement, which goes with it: of a check, or of a test of the judge. */
export function evidenceInMemory(startCommit: string): EvidenceStore {
	const pieces: Evidence[] = [];
	const parts = new Map<string, unknown>();
	// The last of each check counts.
	const those = (isWanted: (purpose: Evidence["purpose"]) => boolean): readonly Evidence[] => {
		const wanted = pieces.filter(({ purpose }) => isWanted(purpose));
		return [...new Map(wanted.map((piece) => [piece.check, piece])).values()];
	};
	return {
		turn: 1,
		attempt: (nth) => nth,
		ofWork: () => Promise.resolve(those((purpose) => purpose === "turn")),
		ofBase: () => Promise.resolve(those((purpose) => purpose === "baseline")),
		startCommit: () => Promise.resolve(startCommit),
		elsewhere: () => Promise.resolve(undefined),
		keep: (piece) => Promise.resolve(void pieces.push(piece)),
		// Whoever stored the part knows what it holds.
		part: <Result>(name: string) => Promise.resolve(parts.get(name) as Result | undefined),
		keepPart: (name, result) => Promise.resolve(void parts.set(name, result)),
		tell: () => Promise.resolve(),
	};
}
