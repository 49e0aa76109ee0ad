import { type EvaluatorReport, parseEvaluatorReport } from "../agents/report.ts";
import { prepareCheckout } from "../judge/prepare-checkout.ts";
import { Fault, type FaultCode } from "../kernel/fault.ts";
import type { CallPlace, RefusedAnswer, SeatRequest, Told } from "./agent-call.ts";
import type { Ground } from "./context.ts";
import { callSeat, type Heard, heardTwice, type SeatAnswer } from "./seat-call.ts";
import {
	type CoachQuestion,
	type Dispute,
	toldCoach,
	toldEvaluator,
	toldTieBreaker,
} from "./told-judges.ts";
import { clearJudges, toldPlayer } from "./told-player.ts";

interface Question
	extends Pick<SeatRequest, "agent" | "nth" | "refused" | "timeoutMs" | "judgesCriteria"> {
	/** Its changes in its checkout are part of its answer. */
	readonly works?: boolean;
	/** Commit that its checkout stands on; by default the task's. */
	readonly commit?: string;
}

interface Questions {
	readonly player: Question;
	readonly coach: Question & CoachQuestion;
	readonly verifier: Question & Pick<SeatRequest, "compose">;
	readonly evaluator: Question;
	readonly tie_breaker: Question & Dispute;
}

/** A question to the role, such as `QuestionTo<"coach">`. */
export type QuestionTo<Role extends keyof Questions> = Questions[Role];

interface RoleRow<Asked> {
	readonly place: "player" | "coach" | "verifier";
	/** `left` as the last call left it, `kept` and brought to the commit, or `new`: what a call planted there is gone. */
	readonly ready: (ground: Ground, asked: Asked) => Promise<"left" | "kept" | "new">;
	readonly told: (ground: Ground, asked: Asked, place: CallPlace) => Promise<Told>;
}

/** The roles of a task: where each works, in which state it finds that, and what it is told. */
const ROLES: { readonly [Role in keyof Questions]: RoleRow<Questions[Role]> } = {
	player: {
		place: "player",
		ready: async (ground) => {
			await clearJudges(ground);
			return "kept";
		},
		told: toldPlayer,
	},
	coach: {
		place: "coach",
		ready: async (ground) => {
			const { reviewed, commit } = ground.state;
			const calls = await ground.read.calls(ground.log.turn, "coach");
			return await standing(ground, calls.length > 0 ? commit : reviewed);
		},
		told: toldCoach,
	},
	verifier: {
		place: "verifier",
		// Where only the report is missing the files that it speaks of stay.
		ready: async ({ places }, { refused = null }) =>
			refused !== null && (await places.verifier.id()) === refused.call.checkout ? "left" : "new",
		told: (_ground, { compose }, place) => compose(place),
	},
	// After the coach, which may have left anything there.
	evaluator: { place: "coach", ready: () => Promise.resolve("new"), told: toldEvaluator },
	tie_breaker: {
		place: "coach",
		// The second call is of the same judge as the first.
		ready: async (ground, { order }) =>
			order === "developer_first" ? "new" : await standing(ground, ground.state.commit),
		told: toldTieBreaker,
	},
};

async function standing({ places }: Ground, commit: string): Promise<"kept" | "new"> {
	return commit !== "" && (await places.coach.isUnchanged(commit)) ? "kept" : "new";
}

/** Asks a role of the task. The same question again after a kill gives the stored answer. */
export function ask<Role extends keyof Questions>(
	ground: Ground,
	role: Role,
	question: Questions[Role],
): Promise<SeatAnswer> {
	const row: RoleRow<Questions[Role]> = ROLES[role];
	const { works = false, commit = ground.state.commit } = question;
	const checkout = ground.places[row.place];
	return callSeat(ground, {
		...question,
		role,
		checkout: checkout.dir,
		worksIn: works ? checkout : undefined,
		prepare: async () => {
			const ready = await row.ready(ground, question);
			if (ready === "left") return;
			if (ready === "new") await checkout.remove();
			// A setup that the player itself broke shows in the checks; it must not keep the player from fixing it.
			await prepareCheckout(ground, { checkout, name: row.place, commit });
		},
		compose: (place) => row.told(ground, question, place),
	});
}

export type Evaluation = Heard<EvaluatorReport>;

export async function evaluate(
	ground: Ground,
	{ nth: from, ...question }: QuestionTo<"evaluator">,
): Promise<Evaluation> {
	const { agent } = question;
	const refused: RefusedAnswer[] = [];
	const askNext = (nth: number, last: RefusedAnswer | null): Promise<SeatAnswer> =>
		ask(ground, "evaluator", { ...question, refused: last, nth: from + nth });
	try {
		const heard = await heardTwice(agent, askNext, parseEvaluatorReport, refused);
		if (heard.kind !== "failed" || heard.failure !== undefined) return heard;
		return { ...heard, reason: `${refused.at(-1)?.reason ?? ""} (asked twice)` };
	} catch (error) {
		// Nobody looked for what an evaluator needs before the run started, so what it lacks may show only now.
		if (!(error instanceof Fault && UNUSABLE.has(error.code))) throw error;
		return { kind: "failed", agent, reason: error.message, refused };
	}
}

const UNUSABLE: ReadonlySet<string> = new Set<FaultCode>([
	"program-missing",
	"cassette-invalid",
	"workflow-invalid",
]);
