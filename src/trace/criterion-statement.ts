/** Statement of a judge about a criterion: a list has at most 200, and each text is cut at 4,000 characters. */
export interface CriterionStatement {
	readonly criterion: string;
	readonly met: boolean;
	readonly evidence: string | null;
	readonly tests: readonly string[];
}
