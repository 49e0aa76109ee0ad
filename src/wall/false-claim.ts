/** A claim that is not so. A value; `falseClaimText` puts it into words. */
export type FalseClaim =
	/** Neither this turn nor an earlier one of the task changed the file. */
	| {
			readonly kind: "file";
			readonly said: "modified" | "created" | "written as a test";
			readonly file: string;
	  }
	/** Its file is there, but names no such case, and no case of that name ran. */
	| { readonly kind: "case"; readonly test: string }
	/** Sparring's own run of the check failed. */
	| { readonly kind: "check"; readonly check: string };

/** Subject of a false claim: a file, a test or a check. */
export function subjectOf(claim: FalseClaim): string {
	switch (claim.kind) {
		case "file":
			return claim.file;
		case "case":
			return claim.test;
		case "check":
			return claim.check;
	}
}

/**
 * A false claim as people and models read it.
 *
 * @example `b.js: reported as modified, but not in the diff`
 */
export function falseClaimText(claim: FalseClaim): string {
	switch (claim.kind) {
		case "file":
			return `${claim.file}: reported as ${claim.said}, but not in the diff`;
		case "case":
			return `${claim.test}: reported as a written test, but its file has no such test, and none of that name ran`;
		case "check":
			return `${claim.check}: reported as passed, but it failed when Sparring ran it`;
	}
}
