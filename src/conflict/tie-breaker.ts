import type { ConflictEvent, SideVerdict } from "./conflict.ts";

/** Which side a tie-breaker reads first: some models favour what comes first. */
export type SideOrder = "developer_first" | "reviewer_first";

/** What a tie-breaker said when it was asked once. */
export type TieBreak =
	| { readonly kind: "verdict"; readonly verdict: SideVerdict; readonly rationale: string }
	/** No verdict came. `reason` is a clause for people, such as `no key is set for google`. */
	| { readonly kind: "failed"; readonly reason: string };

/** What asks a third party about a conflict. */
export interface TieBreaker {
	/**
	 * Asks once, with the sides in this order and no memory of an earlier question.
	 *
	 * @param question.event the texts of both sides are masked
	 * @throws ResolutionInterrupted when it could not be asked to the end for a reason outside of the conflict
	 */
	ask(question: { readonly event: ConflictEvent; readonly order: SideOrder }): Promise<TieBreak>;
}
