/**
 * A conflict could not be resolved for a reason outside of it: the run was cancelled, its lease was lost, its budget is
 * spent. Nothing is decided and nothing is stored, so it is taken up again later.
 *
 * `cause` is that reason.
 */
export class ResolutionInterrupted extends Error {
	constructor(cause: unknown) {
		super("the resolution of a conflict was interrupted", { cause });
		this.name = "ResolutionInterrupted";
	}
}
