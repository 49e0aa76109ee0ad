/** Money, or time in which a process works. */
export type BudgetKind = "usd" | "wall";

/** A budget's own account: what people added to it, and whether they were warned that it runs out. */
export interface BudgetAccount {
	/** US dollars that a person's answers added to the workflow's limit. */
	readonly addedUsd: number;
	readonly addedWallMs: number;
	/** True once the warning was given; false again after the budget was enlarged. */
	readonly warnedUsd: boolean;
	readonly warnedWall: boolean;
}

/** Sums of finished calls; failed ones count too. Null when no call's number is known, never 0. */
export interface UsageTotals {
	/** Finished calls of agents. */
	readonly calls: number;
	/** Those of them whose cost nobody knows. */
	readonly unknownCalls: number;
	/** US dollars, of the calls whose cost is known. */
	readonly costUsd: number | null;
	readonly inputTokens: number | null;
	readonly outputTokens: number | null;
	/** Time in which a process worked on it, checks and setups included. */
	readonly workMs: number;
}

export interface TaskSpending extends UsageTotals, BudgetAccount {
	readonly taskId: string;
}

/** Consumption of a run. */
export interface RunSpending extends BudgetAccount {
	/** Time in which a process held the run; after a kill it lacks at most the last few seconds. */
	readonly heldMs: number;
	/** The tasks that have used anything, in no particular order. */
	readonly tasks: readonly TaskSpending[];
}

/**
 * Runs of the project's tests and setup for a task, and results that were there and did instead. Runs with mutants, wrong
 * values or tests that must fail are not counted.
 */
export interface SuiteWork {
	readonly suiteRuns: number;
	readonly suiteRunsSaved: number;
	readonly setups: number;
	readonly setupsSaved: number;
}

export const NO_SUITE_WORK: SuiteWork = {
	suiteRuns: 0,
	suiteRunsSaved: 0,
	setups: 0,
	setupsSaved: 0,
};

const UNTOUCHED: BudgetAccount = {
	addedUsd: 0,
	addedWallMs: 0,
	warnedUsd: false,
	warnedWall: false,
};

const NOTHING: UsageTotals = {
	calls: 0,
	unknownCalls: 0,
	costUsd: null,
	inputTokens: null,
	outputTokens: null,
	workMs: 0,
};

export const NO_SPENDING: RunSpending = { ...UNTOUCHED, heldMs: 0, tasks: [] };

/** Consumption of one task; zeros and nulls for one that has used nothing. */
export function spendingOf({ tasks }: Pick<RunSpending, "tasks">, taskId: string): TaskSpending {
	return tasks.find((task) => task.taskId === taskId) ?? { ...NOTHING, ...UNTOUCHED, taskId };
}

const plus = (one: number | null, other: number | null): number | null =>
	one === null || other === null ? (one ?? other) : one + other;

// Hides what floating point adds to sums of cents.
const rounded = (usd: number | null): number | null =>
	usd === null ? null : Math.round(usd * 1e12) / 1e12;

/**
 * The sum over several tasks; null stays null only where no summand is known.
 *
 * @example costs of 0.25 and null give 0.25
 */
export function totalOf(parts: readonly UsageTotals[]): UsageTotals {
	return parts.reduce<UsageTotals>(
		(sum, part) => ({
			calls: sum.calls + part.calls,
			unknownCalls: sum.unknownCalls + part.unknownCalls,
			costUsd: rounded(plus(sum.costUsd, part.costUsd)),
			inputTokens: plus(sum.inputTokens, part.inputTokens),
			outputTokens: plus(sum.outputTokens, part.outputTokens),
			workMs: sum.workMs + part.workMs,
		}),
		NOTHING,
	);
}

/** The sum over several tasks. */
export const totalWork = (parts: readonly SuiteWork[]): SuiteWork =>
	parts.reduce(
		(sum, part) => ({
			suiteRuns: sum.suiteRuns + part.suiteRuns,
			suiteRunsSaved: sum.suiteRunsSaved + part.suiteRunsSaved,
			setups: sum.setups + part.setups,
			setupsSaved: sum.setupsSaved + part.setupsSaved,
		}),
		NO_SUITE_WORK,
	);
