/**
 * A conflict could not be taken to its end for a reason that is none of the conflict's: the run was cancelled, its
 * lease was lost, its budget is spent. Nothing is decided and nothing is stored, so that it is taken up again later.
 *
 * `cause` is that reason.
 */
export class ResolutionInterrupted extends Error {
	constructor(cause: unknown) {
		super("the resolution of a conflict was interrupted", { cause });
		this.name = "ResolutionInterrupted";
	}
}
