import type { LogFile, TaskView } from "../../src/web/protocol.ts";
import { plain } from "../../src/words/states.ts";

/** An output as evidence and calls name it. */
export interface NamedOutput {
	readonly log: LogFile;
	readonly name: string;
	/** Result of the check that printed it; null of anything else. */
	readonly status: string | null;
}

type Known = readonly (readonly [path: string | null, Omit<NamedOutput, "log">])[];

function knownOf({ baseline, turns }: TaskView): Known {
	const start = { turn: 0, checks: baseline, calls: [] };
	return [start, ...turns].flatMap(
		({ turn, checks, calls }): Known => [
			...checks.map(({ log, check, label, purpose, status }) => {
				const why = purpose === "assembled" ? ", assembled" : "";
				return [log, { name: `${when(turn)}${label ?? check}${why}`, status }] as const;
			}),
			...calls.map(({ log, role, agent, call }) => {
				const nth = call > 1 ? `, call ${call}` : "";
				return [log, { name: `${when(turn)}${plain(role)} ${agent}${nth}`, status: null }] as const;
			}),
		],
	);
}

function when(turn: number | null): string {
	if (turn === null) return "";
	return turn === 0 ? "baseline, " : `turn ${turn}, `;
}

const isBad = ({ status }: NamedOutput): boolean => status === "fail" || status === "error";

/**
 * Outputs that say something. While the task is worked on, the newest comes first; after that what failed in the newest
 * turn does.
 */
export function namedOutputs(task: TaskView, logs: readonly LogFile[]): readonly NamedOutput[] {
	const known = new Map(knownOf(task));
	const newestFirst = logs
		.filter(({ bytes }) => bytes > 0)
		.map((log) => {
			const { turn, source, name } = log;
			const unknown = { name: `${when(turn)}${plain(source)} ${name}`, status: null };
			return { log, ...(known.get(log.path) ?? unknown) };
		})
		.toReversed();
	if (task.node !== null && task.node !== "await_human") return newestFirst;
	const lastTurn = task.turns.at(-1)?.turn;
	const rank = (one: NamedOutput): number => (isBad(one) && one.log.turn === lastTurn ? 0 : 1);
	return newestFirst.toSorted((one, other) => rank(one) - rank(other));
}
