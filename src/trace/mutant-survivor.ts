export interface MutantSurvivor {
	readonly file: string;
	readonly line: number;
	readonly operator: string;
	readonly old: string;
	readonly new: string;
}
