import { advanceSession } from "../review/advance-session.ts";
import { recordOf } from "../review/check-session.ts";
import { seatsAt } from "../review/pair-session.ts";
import type { TurnRecord, Write } from "../store/records.ts";
import { eventWrite, type Ground } from "./context.ts";
import { planOf } from "./present-task.ts";
import { pairRecord, type SessionGround } from "./session-file.ts";
import type { Site } from "./site.ts";

/**
 * The pair session after a turn that the coach judged, with the seats changed where they are to. The files are written
 * when these records are stored.
 */
export async function sessionWrites(
	context: SessionGround & Pick<Ground, "clock">,
	site: Site,
	{
		turn,
		completedSubtask,
	}: { readonly turn: TurnRecord; readonly completedSubtask: string | null },
): Promise<Write[]> {
	const plan = planOf(context);
	if (plan === null || turn.effective === null) return [];
	const before = await pairRecord(context, plan);
	const result = {
		turn: turn.turn,
		summary: turn.notes,
		critique: turn.rationale,
		approved: turn.effective === "approve",
		completedSubtask,
	};
	const session = advanceSession(before.session, result);
	const { player, coach } = seatsAt(session);
	const switched = player !== seatsAt(before.session).player;
	return [
		{ kind: "pair-session", record: recordOf(session, before) },
		...(switched
			? [
					eventWrite(context, site, "seats-switched", {
						player,
						coach,
						after: completedSubtask ?? turn.turn,
					}),
				]
			: []),
	];
}
