import { playerContext } from "../review/context.ts";
import { playerPrompt } from "../review/player-prompt.ts";
import type { TurnRecord } from "../store/records.ts";
import type { Site, TaskContext } from "./context.ts";
import { mergeTroubleOf } from "./merge-trouble.ts";
import { prepareCheckout } from "./prepare-checkout.ts";
import { seatInput } from "./seat-input.ts";
import type { CallPlace, SeatRequest } from "./seat-request.ts";
import type { TaskState } from "./state.ts";

/** The player's call of a turn, in its checkout as the last turn left it. */
export function playerRequest(context: TaskContext, state: TaskState, site: Site): SeatRequest {
	const { player } = context.places;
	return {
		site,
		role: "player",
		agent: context.task.player,
		checkout: player.dir,
		worksIn: player,
		prepare: async () => {
			// A setup that the player itself broke shows in the checks; it must not keep the player from mending it.
			await prepareCheckout(context, site, {
				checkout: player,
				name: "player",
				commit: state.commit,
			});
		},
		compose: (place) => compose(context, state, site, place),
		nth: 0,
		recordLater: true,
	};
}

async function compose(
	context: TaskContext,
	state: TaskState,
	site: Site,
	{ workDir, handsIn }: CallPlace,
) {
	const { records, run, task, workflow } = context;
	const last = state.turn === 0 ? undefined : await records.turn(run.runId, task.id, state.turn);
	const stored = state.turn === 0 ? [] : await records.evidence(run.runId, task.id, state.turn);
	const evidence = stored.filter(({ status }) => status !== "pass");
	const input = await seatInput(context, state, site, { evidence, workDir });
	const trouble = await mergeTroubleOf(context, state);
	const prompt = playerPrompt({
		task,
		turn: site.turn,
		bound: state.bound,
		findings: input.findings,
		evidence: input.evidence,
		// A turn that was approved and then refused by the merge has no reason but that.
		reasons: last === undefined || trouble !== null ? [] : unsaid(last, evidence.length),
		checks: workflow.checks,
		protectedPaths: workflow.protected,
		directive: input.directive,
		merge: trouble,
		handsIn,
	});
	return { prompt, context: playerContext(input) };
}

/** Reasons that neither an open finding nor failed evidence tells already, the coach's own words among them. */
function unsaid(turn: TurnRecord, failedEvidence: number): string[] {
	if (turn.openIssues.length > 0 || failedEvidence > 0) return [];
	// What was overruled, and the coach's words for it, are nothing to mend; the gate's refusals follow it.
	if (turn.raw === "feedback" && turn.effective === "approve") return turn.reasons.slice(1);
	return [...turn.reasons, ...(turn.rationale === "" ? [] : [`the coach: ${turn.rationale}`])];
}
