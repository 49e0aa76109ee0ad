/** What a judge says of a criterion, as it says it: a list has at most 200, and each text is cut at 4,000 characters. */
export interface CriterionStatement {
	criterion: string;
	met: boolean;
	evidence: string | null;
	tests: string[];
}
