import type { RunStatus, TaskStatus } from "../kernel/task-state.ts";
import { RUN_STATUS_WORDS, TASK_STATUS_WORDS } from "../words/states.ts";

/** What is to be known of a run to say where it stands. */
export interface RunFacts {
	readonly status: RunStatus;
	/** The process that works on it; null when none does. */
	readonly holder: string | null;
	/** Whether an error stopped a task of it; left out where machines share no store. */
	readonly isStopped?: boolean;
	/** Whether a task of it waits for a machine; left out where machines share no store. */
	readonly isUnclaimed?: boolean;
	/** Whether machines share its store: an answer is then acted on by whichever works. */
	readonly shared?: boolean;
	/** Tasks that wait for a person. */
	readonly waiting: number;
	/** Those of them whose question has an answer that no process has acted on. */
	readonly answered: number;
}

/** Whether a run that waits for a person has all its answers, so that only `spar resume` is missing. */
export function isAnswered({ status, holder, waiting, answered }: RunFacts): boolean {
	const isPaused = status === "paused_for_user_escalation" && holder === null;
	return isPaused && waiting > 0 && answered === waiting;
}

/**
 * Where a run stands: not by its status alone, which a process that ends or an answer leaves as it was.
 *
 * @example `"running (no process works on it)"`, `"answered (spar resume goes on)"`
 */
export function runWords(facts: RunFacts): string {
	const words = RUN_STATUS_WORDS[facts.status];
	if (facts.status === "running" && facts.holder === null) return `${words} (${heldUpBy(facts)})`;
	if (!isAnswered(facts)) return words;
	return `answered (${facts.shared === true ? "a worker" : "spar resume"} goes on)`;
}

function heldUpBy({ isUnclaimed, isStopped }: RunFacts): string {
	if (isUnclaimed === true) return "waits for a worker";
	return isStopped === true ? "stopped: spar resume goes on" : "no process works on it";
}

/** What is to be known of a task to say where it stands. */
interface TaskFacts {
	readonly status: TaskStatus;
	readonly human_item_answered: boolean;
}

/** Where a task stands; one whose question is answered no longer waits for anybody. */
export function taskWords({ status, human_item_answered: answered }: TaskFacts): string {
	return answered ? "answered" : TASK_STATUS_WORDS[status];
}

/** What the tasks of a report say of their run. */
export function factsOfReport({
	status,
	holder,
	unclaimed = [],
	stopped = [],
	shared = false,
	tasks,
}: {
	readonly status: RunStatus;
	readonly holder: string | null;
	readonly unclaimed?: readonly unknown[];
	readonly stopped?: readonly unknown[];
	readonly shared?: boolean;
	readonly tasks: Readonly<Record<string, TaskFacts>>;
}): RunFacts {
	const paused = Object.values(tasks).filter((task) => task.status === "paused_for_human");
	const answered = paused.filter((task) => task.human_item_answered).length;
	return {
		status,
		holder,
		isStopped: stopped.length > 0,
		isUnclaimed: unclaimed.length > 0,
		shared,
		waiting: paused.length,
		answered,
	};
}
