import type { IterationFinding, PairSession, RoleSwitch } from "./pair-session.ts";

/** A session as other programs read it: in the file, in a question for a person, in the context of an agent. */
export interface SessionJson {
	readonly driver_agent: string;
	readonly challenger_agent: string;
	readonly current_role_driver: string;
	readonly role_switch: RoleSwitch;
	readonly checkpoints: readonly (number | string)[];
	readonly iteration: number;
	readonly max_iterations: number;
	readonly history: readonly {
		readonly iteration: number;
		readonly driver_output_summary: string;
		readonly challenger_critique: string;
		readonly findings: readonly IterationFinding[];
		readonly challenger_approved: boolean;
		readonly turn: number;
		readonly driver_agent: string;
		readonly completed_subtask: string | null;
	}[];
	readonly challenger_approved: boolean;
}

/** The session in the form that programs read. */
export function sessionJson(session: PairSession): SessionJson {
	return {
		driver_agent: session.driver,
		challenger_agent: session.challenger,
		current_role_driver: session.currentDriver,
		role_switch: session.roleSwitch,
		checkpoints: session.checkpoints,
		iteration: session.iteration,
		max_iterations: session.maxIterations,
		history: session.history.map((entry) => ({
			iteration: entry.iteration,
			driver_output_summary: entry.summary,
			challenger_critique: entry.critique,
			findings: entry.findings,
			challenger_approved: entry.approved,
			turn: entry.turn,
			driver_agent: entry.driver,
			completed_subtask: entry.completedSubtask,
		})),
		challenger_approved: session.challengerApproved,
	};
}
