/** What a list of problems came to, and what another run of the check is compared with. */
export interface ResultFigures {
	/** How many count against the change: new ones (with `baseline: strict` all), none suppressed or of level `none`. */
	readonly fresh: number;
	/** Sum of the weights of those: error 1, warning 0.5, note 0.1. */
	readonly weight: number;
	/** One of each result, the suppressed ones too. At most 50,000, each of 64 hexadecimal digits. */
	readonly fingerprints: readonly string[];
}

/** Shown beside the share and never part of it. */
interface CoverageNotes {
	/** Share of all executable lines of the report that were executed, 0.0 to 1.0; null when it has none. */
	readonly total: number | null;
	/** Changed code files that the report does not list although it lists files of their kind. */
	readonly unreported: readonly string[];
}

/**
 * How many of the changed executable lines tests executed; `absent` with a reason when there is none of which a
 * report speaks.
 */
export type CoverageFigures =
	| ({
			readonly kind: "measured";
			readonly covered: number;
			/** Above 0. */
			readonly executable: number;
	  } & CoverageNotes)
	| ({ readonly kind: "absent"; readonly reason: string } & CoverageNotes);

/** What became of the mutants of the changed lines; `absent` with a reason when no report of the tree counts them. */
export type MutationFigures =
	| {
			readonly kind: "counted";
			/** Noticed by the tests: killed or timed out. */
			readonly detected: number;
			/** Not noticed: survived, or run by no test. */
			readonly undetected: number;
			/** Not tried yet. */
			readonly pending: number;
			/** Files of the report that lie outside of the checkout. */
			readonly outside: number;
	  }
	| { readonly kind: "absent"; readonly reason: string };

/** What a check's report says of the change, by kind of report; without one nothing. */
export interface ReportFigures {
	readonly results?: ResultFigures;
	readonly coverage?: CoverageFigures;
	readonly mutation?: MutationFigures;
}
