import type { Evidence } from "../evidence/evidence.ts";
import { evidenceInMemory } from "./evidence-in-memory.ts";
import type { EvidenceStore } from "./ports.ts";

/** A store that also shows a test what it was given: parts by their names, and pieces in order. */
export function storeOf(
	start: string,
	{ stored, written }: { readonly stored: Map<string, unknown>; readonly written: Evidence[] },
): EvidenceStore {
	const store = evidenceInMemory(start);
	return {
		...store,
		keep: async (piece, attempt, told) => {
			written.push(piece);
			await store.keep(piece, attempt, told);
		},
		part: <Result>(name: string) => Promise.resolve(stored.get(name) as Result | undefined),
		keepPart: (name, result) => Promise.resolve(void stored.set(name, result)),
	};
}
