import type { BudgetFacts } from "../../human/question.ts";
import type { Clock } from "../../kernel/clock.ts";
import { counted } from "../../kernel/counted.ts";
import { formatDuration } from "../../kernel/duration.ts";
import { formatUsd, SLACK_USD } from "../../kernel/money.ts";
import type { Records, RunRecord, Write } from "../../store/records.ts";
import {
	type BudgetAccount,
	type BudgetKind,
	type RunSpending,
	spendingOf,
	totalOf,
	type UsageTotals,
} from "../../store/spending.ts";
import type { TraceEvent } from "../../trace/event.ts";
import type { Budget, TaskDefinition, Workflow } from "../../workflow/workflow.ts";
import type { BudgetStanding, Room } from "./reservations.ts";

const WARN_AT = 0.8;

export class BudgetSpent extends Error {}

export interface Spent {
	/** US dollars of the calls whose cost is known; null when none is. */
	readonly usd: number | null;
	readonly wallMs: number;
	readonly unknownCalls: number;
}

export interface BudgetUse {
	readonly kind: BudgetKind;
	readonly state: "ok" | "warned" | "spent";
	/** US dollars or milliseconds, as `kind` says. */
	readonly limit: number;
	readonly spent: number;
	readonly sentence: string;
}

function stateOf(spent: number, limit: number): BudgetUse["state"] {
	if (spent >= limit - SLACK_USD) return "spent";
	return spent >= limit * WARN_AT - SLACK_USD ? "warned" : "ok";
}

const unknownText = (calls: number): string =>
	calls === 0
		? ""
		: `; ${counted(calls, "call")} of unknown cost ${calls === 1 ? "is" : "are"} not in it`;

/**
 * Use of each limit of a budget, money first: `warned` from 80 % on, `spent` from 100 %. Money of unknown amount
 * does not count; how many calls it stands for is said. A limit of 10 dollars of which 8 are spent is `warned`:
 * `$8.00 of $10.00`.
 */
export function budgetState({ usd, wallMs }: Budget, spent: Spent): readonly BudgetUse[] {
	const uses: BudgetUse[] = [];
	if (usd !== undefined) {
		const known = spent.usd ?? 0;
		const sentence = `${formatUsd(known)} of ${formatUsd(usd)}${unknownText(spent.unknownCalls)}`;
		uses.push({ kind: "usd", state: stateOf(known, usd), limit: usd, spent: known, sentence });
	}
	if (wallMs !== undefined) {
		const ms = spent.wallMs;
		const sentence = `${formatDuration(ms)} of ${formatDuration(wallMs)} of working time`;
		uses.push({ kind: "wall", state: stateOf(ms, wallMs), limit: wallMs, spent: ms, sentence });
	}
	return uses;
}

interface BudgetInForce {
	readonly scope: "run" | "task";
	readonly name: string;
	readonly account: BudgetAccount;
	readonly calls: number;
	readonly unknownCalls: number;
	readonly uses: readonly BudgetUse[];
}

export interface BudgetContext {
	readonly run: RunRecord;
	readonly task: TaskDefinition;
	readonly workflow: Workflow;
	readonly records: Records;
	readonly clock: Clock;
	commit(writes: readonly Write[]): Promise<void>;
}

/** The limits with what answers added; a limit that is not set stays without one. */
export function enlarged({ usd, wallMs }: Budget, account: BudgetAccount): Budget {
	const limits: { -readonly [Key in keyof Budget]: Budget[Key] } = {};
	if (usd !== undefined) limits.usd = usd + account.addedUsd;
	if (wallMs !== undefined) limits.wallMs = wallMs + account.addedWallMs;
	return limits;
}

function budgetsOf({ task, workflow }: BudgetContext, spending: RunSpending): BudgetInForce[] {
	const own = spendingOf(spending, task.id);
	const inForce = (
		place: Pick<BudgetInForce, "scope" | "name" | "account">,
		budget: Budget,
		{ calls, unknownCalls, costUsd }: UsageTotals,
		wallMs: number,
	): BudgetInForce => ({
		...place,
		calls,
		unknownCalls,
		uses: budgetState(enlarged(budget, place.account), { usd: costUsd, wallMs, unknownCalls }),
	});
	const run = { scope: "run", name: "the budget of the run", account: spending } as const;
	const ofTask = { scope: "task", name: `the budget of task ${task.id}`, account: own } as const;
	return [
		inForce(run, workflow.budget ?? {}, totalOf(spending.tasks), spending.heldMs),
		inForce(ofTask, task.budget ?? {}, own, own.workMs),
	].filter(({ uses }) => uses.length > 0);
}

const spentUse = ({ uses }: BudgetInForce): BudgetUse | undefined =>
	uses.find(({ state }) => state === "spent");

export function hasBudget({ workflow, task }: Pick<BudgetContext, "workflow" | "task">): boolean {
	return workflow.budget !== undefined || task.budget !== undefined;
}

// Asked before each call. A call under way is never ended for a budget, so that a budget may be overspent by the
// call that crosses its limit. Warns, once for each budget and again after it was enlarged, from 80 % on (event
// `budget-warned`).
export async function budgetStanding(context: BudgetContext): Promise<BudgetStanding> {
	if (!hasBudget(context)) return { stop: null, rooms: [] };
	const budgets = budgetsOf(context, await context.records.spending(context.run.runId));
	const warnings = budgets.flatMap((budget) => warningWrites(context, budget));
	if (warnings.length > 0) await context.commit(warnings);
	const stops = budgets.flatMap((budget): string[] => {
		const use = spentUse(budget);
		return use === undefined ? [] : [`${budget.name} is spent: ${use.sentence}`];
	});
	return { stop: stops[0] ?? null, rooms: budgets.flatMap(roomsOf) };
}

const roomsOf = ({ scope, uses }: BudgetInForce): Room[] =>
	uses.flatMap(({ kind, limit, spent }) =>
		kind === "usd" ? [{ scope, leftUsd: limit - spent }] : [],
	);

/** The working time that the budgets of a task leave, in ms; without such a limit it is endless. */
export async function wallLeftMs(context: BudgetContext): Promise<number> {
	const budgets = budgetsOf(context, await context.records.spending(context.run.runId));
	const wall = budgets.flatMap(({ uses }) => uses.filter(({ kind }) => kind === "wall"));
	return Math.min(Infinity, ...wall.map(({ limit, spent }) => limit - spent));
}

function warningWrites(
	context: BudgetContext,
	{ scope, account, unknownCalls, uses }: BudgetInForce,
): Write[] {
	const taskId = scope === "run" ? null : context.task.id;
	const runId = context.run.runId;
	const timestamp = new Date(context.clock.now()).toISOString();
	return uses.flatMap(({ kind, state, limit, spent }): Write[] => {
		const told = kind === "usd" ? account.warnedUsd : account.warnedWall;
		if (told || state !== "warned") return [];
		const event: TraceEvent = {
			type: "budget-warned",
			task: taskId,
			turn: null,
			node: null,
			timestamp,
			data: { scope, kind, limit, spent, unknown_cost_calls: unknownCalls },
		};
		return [{ kind: "budget-warned", runId, taskId, budget: kind, event }];
	});
}

export async function budgetFacts(context: BudgetContext): Promise<BudgetFacts | null> {
	const budgets = budgetsOf(context, await context.records.spending(context.run.runId));
	// Another answer may have enlarged it in the meantime; then it is still the one to speak of.
	const budget = budgets.find((each) => spentUse(each) !== undefined) ?? budgets[0];
	if (budget === undefined) return null;
	const used = (kind: BudgetKind): BudgetUse | undefined =>
		budget.uses.find((use) => use.kind === kind);
	const [usd, wall] = [used("usd"), used("wall")];
	return {
		scope: budget.scope,
		usd: usd === undefined ? null : { limit: usd.limit, spent: usd.spent },
		wall: wall === undefined ? null : { limit_ms: wall.limit, spent_ms: wall.spent },
		calls: budget.calls,
		unknown_cost_calls: budget.unknownCalls,
	};
}
