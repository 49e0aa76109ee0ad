import type { RunStatus, TaskStatus } from "../kernel/task-state.ts";
import { RUN_STATUS_WORDS, TASK_STATUS_WORDS, type Tone, toneOf } from "./states.ts";

/** State of a run or task as every screen shows it. */
export interface Standing {
	readonly word: string;
	/** A remark behind the word, such as what takes it on; null for none. */
	readonly remark: string | null;
	readonly tone: Tone;
}

export interface StandingFacts {
	readonly status: TaskStatus;
	/** True where the question that it waits for has an answer which no process has acted on. */
	readonly human_item_answered: boolean;
}

/** State of a task; one whose question is answered no longer waits for anybody. */
export function taskStanding({ status, human_item_answered: answered }: StandingFacts): Standing {
	if (status === "paused_for_human" && answered)
		return { word: "answered", remark: "goes on when resumed", tone: "live" };
	return { word: TASK_STATUS_WORDS[status], remark: null, tone: toneOf(status) };
}

/** Tier and verdict of a task's gate; "" without one, and where one passed and the task waits: it has not come through. */
export function gateWords({
	status,
	gate,
}: {
	readonly status: TaskStatus;
	readonly gate: { readonly risk_tier: string; readonly verdict: "PASS" | "FAIL" } | null;
}): string {
	if (gate === null || (status === "paused_for_human" && gate.verdict === "PASS")) return "";
	return `${gate.risk_tier} ${gate.verdict}`;
}

/** Facts that say where a run stands; what a view does not know it leaves out. */
export interface RunFacts {
	readonly status: RunStatus;
	/** The process that works on it; null when none does. */
	readonly holder: unknown;
	/** Tasks that an error stopped, and tasks that wait for a machine. */
	readonly stopped?: readonly unknown[];
	readonly unclaimed?: readonly unknown[];
	/** Cause of a stop before its first call; null where nothing stopped it. */
	readonly preflight_stopped?: unknown;
	/** True where machines share its store: an answer is then acted on by whichever works. */
	readonly shared?: boolean;
	/** Tasks that wait for a person. */
	readonly waiting: number;
	/** Those of them whose question has an answer that no process has acted on. */
	readonly answered: number;
}

/** The facts of a report, with its tasks counted. */
export function factsOfReport<
	Report extends Omit<RunFacts, "waiting" | "answered"> & {
		readonly tasks: Readonly<Record<string, StandingFacts>>;
	},
>(report: Report): Report & RunFacts {
	const paused = Object.values(report.tasks).filter((task) => task.status === "paused_for_human");
	const answered = paused.filter((task) => task.human_item_answered).length;
	return { ...report, waiting: paused.length, answered };
}

/** Tells whether a run that waits for a person has all its answers, so that only `spar resume` is missing. */
export function isAnswered({ status, holder, waiting, answered }: RunFacts): boolean {
	const isPaused = status === "paused_for_user_escalation" && holder === null;
	return isPaused && waiting > 0 && answered === waiting;
}

/** State of a run: not by its status alone, which a process that ends or an answer leaves as it was. */
export function runStanding(facts: RunFacts): Standing {
	const { status, holder, preflight_stopped: stopped = null } = facts;
	if (stopped !== null)
		return { word: "stopped before its first call", remark: null, tone: "attention" };
	if (status === "running" && holder === null)
		return { word: RUN_STATUS_WORDS[status], remark: heldUpBy(facts), tone: "attention" };
	if (isAnswered(facts)) {
		const who = facts.shared === true ? "a worker" : "spar resume";
		return { word: "answered", remark: `${who} goes on`, tone: "live" };
	}
	return { word: RUN_STATUS_WORDS[status], remark: null, tone: toneOf(status) };
}

function heldUpBy({ unclaimed = [], stopped = [], shared = false }: RunFacts): string {
	if (unclaimed.length > 0) return "waits for a worker";
	if (stopped.length > 0) return "stopped: spar resume goes on";
	return shared ? "no worker works on it" : "no process works on it";
}

/**
 * State of a run in one phrase.
 *
 * @example `"running (no process works on it)"`, `"answered (spar resume goes on)"`
 */
export function runWords(facts: RunFacts): string {
	const { word, remark } = runStanding(facts);
	return remark === null ? word : `${word} (${remark})`;
}

/** The same for others than the one who is asked. */
export function forReaders(word: string): string {
	return word === "waiting for you" ? "waiting for a person" : word;
}

/** @example `"3 of 5 done, 1 failed, 1 waiting"` */
export function tasksText(
	tasks: Readonly<
		Record<"total" | "completed" | "failed" | "blocked" | "waiting" | "answered", number>
	>,
): string {
	const others = [
		[tasks.failed, "failed"],
		[tasks.blocked, "blocked"],
		[tasks.waiting - tasks.answered, "waiting"],
		[tasks.answered, "answered"],
	].flatMap(([count, word]) => (count === 0 ? [] : [`, ${count} ${word}`]));
	return `${tasks.completed} of ${tasks.total} done${others.join("")}`;
}

/** Lack of a worker that can do a task, and how to start one. */
export function noWorkerText(
	tags: readonly string[],
	unfit: readonly { readonly machine: string; readonly why: string }[] = [],
): string {
	const named = tags.join(",");
	if (unfit.length > 0)
		return `no worker that runs can do it: ${unfit.map(({ machine, why }) => `${machine}: ${why}`).join("; ")}`;
	return named === ""
		? "no worker runs. Start one: spar worker"
		: `no worker with the tags ${named} runs. Start one: spar worker --tags ${named}`;
}

/** Tasks that only `max_parallel` keeps waiting; "" for none. */
export function heldBackText(heldBack: readonly string[]): string {
	const one = heldBack.length === 1;
	return heldBack.length === 0
		? ""
		: `${heldBack.length} ${one ? "task is" : "tasks are"} ready and ${one ? "waits" : "wait"} for a place: max_parallel of the run is the limit, over all workers`;
}
