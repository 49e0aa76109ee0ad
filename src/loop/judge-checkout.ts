import { prepareCheckout, type SetupGround } from "./prepare-checkout.ts";
import type { SeatRequest } from "./seat-request.ts";
import type { Site } from "./site.ts";
import type { TaskState } from "./state.ts";

/**
 * The coach's checkout for somebody else who judges the same commit, made anew: the coach may have left anything there.
 *
 * @param keep the call before was of the same judge: what it left unchanged may stay
 */
export function judgeCheckout(
	context: SetupGround,
	{ commit }: TaskState,
	site: Site,
	keep = false,
): Pick<SeatRequest, "checkout" | "prepare"> {
	const { coach: checkout } = context.places;
	return {
		checkout: checkout.dir,
		prepare: async () => {
			if (!keep || !(await checkout.isUnchanged(commit))) await checkout.remove();
			await prepareCheckout(context, site, { checkout, name: "coach", commit });
		},
	};
}
