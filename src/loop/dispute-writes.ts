import type { PlayerReport } from "../agents/report.ts";
import { applyDisputes } from "../review/apply-disputes.ts";
import type { Finding } from "../review/finding.ts";
import type { Write } from "../store/records.ts";
import { eventWrite, type Site, type TaskContext } from "./context.ts";
import { findingWrites } from "./finding-writes.ts";

/** The disputes of the player's report as writes: the findings that they are about, and an event for each that has no effect. */
export function disputeWrites(
	context: Pick<TaskContext, "run" | "task" | "clock">,
	site: Site,
	{ open, disputes }: { readonly open: readonly Finding[] } & Pick<PlayerReport, "disputes">,
): Write[] {
	const { disputed, ignored } = applyDisputes(open, disputes, site.turn);
	return [
		...disputed.flatMap((finding) => {
			const { reason = "", evidence = null } = finding.dispute ?? {};
			return findingWrites(context, site, finding, { by: "player", text: reason, evidence });
		}),
		...ignored.map((dispute) => eventWrite(context, site, "dispute-ignored", dispute)),
	];
}
