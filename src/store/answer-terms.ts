export interface Grant {
	readonly scope: "run" | "task";
	readonly usd: number;
	readonly wallMs: number;
}

/** Place where an answer was given: at a terminal, on the dashboard's page, or by a program. */
export type AnswerWay = "terminal" | "page" | "program";

export interface AnswerTerms {
	/**
	 * Added to the budget in the same transaction, once however often the answer is given; only with RESOLVED.
	 */
	readonly grant?: Grant | undefined;
	/** Default: `program`. */
	readonly by?: AnswerWay | undefined;
	/**
	 * `itemVersion` of what the answer is to. An item that is open and has another one by now is left alone, with an
	 * `outdated` fault.
	 */
	readonly version?: string | undefined;
}
