import { DEFAULT_PAIR_EXIT, type GateFile, type OverlaysFile } from "./schema-overlays.ts";
import type { TaskFile } from "./schema-tasks.ts";
import type {
	Budget,
	ChecklistItem,
	ConfidencePolicy,
	GatePolicy,
	PairPolicy,
	SubtaskDefinition,
	TaskDefinition,
} from "./workflow.ts";

/** What a task's definition takes from the rest of the file. */
export interface TaskSurroundings {
	readonly hasAcceptance: boolean;
	/** `human.enabled`. */
	readonly human: boolean;
	/** The task's own budget. */
	readonly budget: Budget | undefined;
}

/** A checked task, `defaults` merged, with what the overlays leave open filled in; undefined for one without an agent. */
export function buildTask(
	id: string,
	task: TaskFile,
	{ hasAcceptance, human, budget }: TaskSurroundings,
): TaskDefinition | undefined {
	const { overlays } = task;
	const pair = buildPair(overlays);
	const player =
		(pair === undefined ? undefined : overlays.paired_workflow?.driver_agent) ?? task.agent;
	if (player === undefined) return undefined;
	return {
		id,
		featureId: task.feature_id,
		description: task.description,
		acceptanceCriteria: task.acceptance_criteria,
		contextFiles: task.context_files,
		dependsOn: [...new Set(task.depends_on)],
		player,
		pair,
		subtasks: task.subtasks?.map(buildSubtask),
		exitConditions: buildExits(overlays),
		confidence: buildConfidence(overlays),
		checklist: buildChecklist(task),
		formalReview: task.formal_review,
		requiresVerification: flagOf(task.requires_verification),
		verificationReason: task.verification_reason,
		verificationBy: task.verification_by,
		requiresHuman: task.requires_human,
		maxTurns: task.max_turns,
		bound: boundOf(task),
		...buildGate(task, hasAcceptance),
		human: overlays.hil?.enabled ?? human,
		budget,
		allow: task.allow,
	};
}

/** What the file writes as a boolean is a word inside, as `auto` is. */
function flagOf(flag: TaskFile["requires_verification"]): TaskDefinition["requiresVerification"] {
	if (flag === "auto") return flag;
	return flag ? "true" : "false";
}

/** A formal review has none: it changes nothing that items could be about. */
function buildChecklist({
	checklist,
	formal_review: isReview,
}: TaskFile): ChecklistItem[] | undefined {
	if (checklist === undefined || isReview) return undefined;
	return checklist.map(({ item, run, timeout: timeoutMs }) => ({ item, run, timeoutMs }));
}

type Gate = Pick<TaskDefinition, "gate" | "gateDeclined" | "gatePolicy">;

/** None applies to a formal review, which changes nothing. */
function buildGate({ overlays, formal_review: isReview }: TaskFile, hasAcceptance: boolean): Gate {
	const file = overlays.policy_gate;
	const gateDeclined = file?.enabled === false;
	if (isReview || !(file?.enabled ?? (hasAcceptance || asksForMore(file))))
		return { gate: false, gateDeclined };
	return { gate: true, gateDeclined, gatePolicy: buildGatePolicy(file) };
}

/** The smallest of `max_turns` and the enabled overlays' `max_iterations`. */
function boundOf({ max_turns: turns, overlays }: TaskFile): number {
	const loops = [overlays.paired_workflow, overlays.confidence_loop];
	return loops.reduce(
		(least, loop) => Math.min(least, (loop?.enabled ? loop.max_iterations : undefined) ?? least),
		turns,
	);
}

function buildPair({ paired_workflow: pair }: OverlaysFile): PairPolicy | undefined {
	if (!pair?.enabled || pair.challenger_agent === undefined) return undefined;
	const { role_switch: roleSwitch, checkpoints } = pair;
	return {
		challenger: pair.challenger_agent,
		maxIterations: pair.max_iterations,
		roleSwitch,
		checkpoints: roleSwitch === "checkpoint" ? [...new Set(checkpoints)] : undefined,
	};
}

function buildSubtask({
	id,
	description,
	acceptance_criteria: acceptanceCriteria,
}: NonNullable<TaskFile["subtasks"]>[number]): SubtaskDefinition {
	return { id, description, acceptanceCriteria };
}

function buildConfidence({ confidence_loop: loop }: OverlaysFile): ConfidencePolicy | undefined {
	if (!loop?.enabled) return undefined;
	const { mode, threshold } = loop;
	const metrics = loop.metrics.map(({ type, weight, evaluator_agent: evaluator }) => ({
		type,
		weight,
		evaluator_agent: type === "llm_judge" ? evaluator : undefined,
	}));
	return { mode, threshold, metrics };
}

/** The conditions of the enabled overlays or their defaults, each once; undefined for none. */
function buildExits({
	paired_workflow: pair,
	confidence_loop: loop,
}: OverlaysFile): string[] | undefined {
	const ofPair = pair?.enabled ? (pair.exit_conditions ?? [DEFAULT_PAIR_EXIT]) : [];
	const ofScore = loop?.enabled ? (loop.exit_conditions ?? [scoreExit(loop.threshold)]) : [];
	const all = [...new Set([...ofPair, ...ofScore])];
	return all.length === 0 ? undefined : all;
}

/** Scores are written with a decimal point. `scoreExit(1)` is `"confidence_score >= 1.0"`. */
function scoreExit(threshold: number): string {
	const shown = Number.isInteger(threshold) ? threshold.toFixed(1) : String(threshold);
	return `confidence_score >= ${shown}`;
}

/** A gate that asks for more than T0 is wanted, also where no acceptance check lets one apply by itself. */
function asksForMore(gate: GateFile | undefined): boolean {
	const { risk_tier: tier = "T0", require_coverage: coverage = false } = gate ?? {};
	return tier !== "T0" || coverage;
}

/** undefined where nothing is said of it. */
function buildGatePolicy(gate: GateFile | undefined): GatePolicy | undefined {
	const { risk_tier: riskTier, require_coverage: requireCoverage } = gate ?? {};
	if (riskTier === undefined && requireCoverage === undefined) return undefined;
	return {
		riskTier: riskTier ?? "T0",
		requireCoverage: requireCoverage ?? false,
		coverageThreshold: gate?.coverage_threshold ?? 1,
	};
}
