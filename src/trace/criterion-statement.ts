/** Statement of a judge about a criterion: a list has at most 200, and each text is cut at 4,000 characters. */
export interface CriterionStatement {
	criterion: string;
	met: boolean;
	evidence: string | null;
	tests: string[];
}
