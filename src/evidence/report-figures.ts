/** The figures of a list of problems, and the fingerprints to compare another run with. */
export interface ResultFigures {
	/** Problems that count: new ones (all with `baseline: strict`), without suppressed ones and level `none`. */
	readonly fresh: number;
	/** Sum of their weights: error 1, warning 0.5, note 0.1. */
	readonly weight: number;
	/** One for each result, including suppressed ones. At most 50,000 of 64 hexadecimal digits. */
	readonly fingerprints: readonly string[];
}

interface CoverageNotes {
	/** Share of all executable lines that were executed, 0.0 to 1.0; null when there are none. */
	readonly total: number | null;
	/** Changed code files that the report does not list, although it lists files with the same extension. */
	readonly unreported: readonly string[];
}

/** Changed executable lines, and those of them that the tests executed; `absent` when the report has no such line. */
export type CoverageFigures =
	| ({
			readonly kind: "measured";
			readonly covered: number;
			/** Above 0. */
			readonly executable: number;
	  } & CoverageNotes)
	| ({ readonly kind: "absent"; readonly reason: string } & CoverageNotes);

/** A mutant, for people and agents. */
export interface MutatedPlace {
	readonly file: string;
	/** From 1. */
	readonly line: number;
	/** Such as `equality`; of another tool its own word. */
	readonly operator: string;
	/** The code as it is, and as it was in the mutant. Empty where the tool does not tell. */
	readonly old: string;
	readonly fresh: string;
}

/** Results of the mutants on changed lines; `absent` when there is no report. */
export type MutationFigures =
	| {
			readonly kind: "counted";
			/** Killed or timed out. */
			readonly detected: number;
			/** Survived, or not run by any test. */
			readonly undetected: number;
			/** Not tried yet. */
			readonly pending: number;
			/** Files of the report that lie outside of the checkout. */
			readonly outside: number;
			/** Those that survived, at most 50; left out where the places are not known. */
			readonly survivors?: readonly MutatedPlace[] | undefined;
	  }
	| { readonly kind: "absent"; readonly reason: string };

/** Figures about the change, by kind of report. */
export interface ReportFigures {
	readonly results?: ResultFigures | undefined;
	readonly coverage?: CoverageFigures | undefined;
	readonly mutation?: MutationFigures | undefined;
}
