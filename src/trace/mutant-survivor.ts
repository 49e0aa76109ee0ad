/** A mutant that no test noticed: its place, and the code as it is and as it was in the mutant. */
export interface MutantSurvivor {
	readonly file: string;
	readonly line: number;
	readonly operator: string;
	readonly old: string;
	readonly new: string;
}
