import { basename, extname, join, relative, resolve, sep } from "node:path";
import type { WorkflowFile } from "./schema.ts";
import { LLM_TIMEOUT_MS, natsSchema } from "./schema.ts";
import type { TaskFile } from "./schema-tasks.ts";
import { DEFAULT_PAIR_EXIT, type GateFile, type OverlaysFile } from "./schema-tasks.ts";
import { NO_COACH } from "./short-forms.ts";
import type {
	AgentDefinition,
	ConfidencePolicy,
	GatePolicy,
	PairPolicy,
	TaskDefinition,
	VerificationPolicy,
	Workflow,
} from "./workflow.ts";

export interface WorkflowPlace {
	readonly file: string;
	readonly directory: string;
	readonly repositoryRoot?: string;
}

/** Names in the order of the file; an object would put those that look like numbers first. */
export interface Order {
	readonly checks: readonly string[];
	readonly tasks: readonly string[];
}

export function buildWorkflow(file: WorkflowFile, order: Order, place: WorkflowPlace): Workflow {
	const { defaults: _defaults, verifier: _verifier, player: _player, coach: _coach, ...own } = file;
	const gate = file.defaults?.overlays.policyGate;
	const checks = order.checks.flatMap((name) => {
		const check = file.checks[name];
		return check === undefined ? [] : [{ name, ...check }];
	});
	const agents = Object.entries(file.agents ?? {}).map(
		([name, agent]) => [name, buildAgent({ name, ...agent }, place.directory)] as const,
	);
	return {
		...own,
		version: 1,
		name: file.name ?? basename(place.file, extname(place.file)),
		agents: Object.fromEntries(agents),
		checks,
		verification: buildVerification(file),
		planner: plannerOf(file),
		gatePolicy: gate?.enabled === false ? undefined : buildGatePolicy(gate),
		tasks: buildTasks(file, order.tasks),
		file: pathInRepository(place),
	};
}

function buildAgent(agent: AgentDefinition, directory: string): AgentDefinition {
	return agent.adapter === "cassette" ? { ...agent, file: resolve(directory, agent.file) } : agent;
}

function buildTasks(file: WorkflowFile, ids: readonly string[]): TaskDefinition[] {
	const hasAcceptance = Object.values(file.checks).some(({ kind }) => kind === "acceptance");
	return ids.flatMap((id) => {
		const task = file.tasks?.[id];
		if (task === undefined) return [];
		return buildTask(id, task, { hasAcceptance, human: file.human.enabled }) ?? [];
	});
}

function buildVerification({ verifier, verification }: WorkflowFile): VerificationPolicy {
	const { via, nats, ...file } = verification;
	const policy = { ...file, agent: verifier ?? file.agent };
	if (via === "in_process") return policy;
	const { llmTimeoutMs, ...settings } = nats ?? natsSchema.parse({});
	const timeoutMs = llmTimeoutMs ?? policy.timeoutMs ?? LLM_TIMEOUT_MS;
	return { ...policy, timeoutMs, via, nats: settings };
}

function pathInRepository({ file, directory, repositoryRoot }: WorkflowPlace): string | undefined {
	if (repositoryRoot === undefined) return undefined;
	const path = relative(repositoryRoot, join(directory, basename(file)))
		.split(sep)
		.join("/");
	return path.startsWith("../") || resolve(path) === path ? undefined : path;
}

function buildTask(
	id: string,
	{ agent, overlays, player: _player, coach: _coach, ...task }: TaskFile,
	workflow: { readonly hasAcceptance: boolean; readonly human: boolean },
): TaskDefinition | undefined {
	const pair = buildPair(overlays);
	const player = (pair === undefined ? undefined : overlays.pairedWorkflow?.driverAgent) ?? agent;
	if (player === undefined) return undefined;
	const gate = overlays.policyGate;
	const gateDeclined = gate?.enabled === false;
	const asksGate = gate?.enabled ?? (workflow.hasAcceptance || asksForMore(gate));
	const hasGate = task.formalReview !== true && asksGate;
	return {
		...task,
		id,
		player,
		pair,
		exitConditions: buildExits(overlays),
		confidence: buildConfidence(overlays),
		// A formal review has none: it changes nothing that items could be about.
		checklist: task.formalReview === true ? undefined : task.checklist,
		bound: boundOf(task.maxTurns, overlays),
		gate: hasGate,
		gateDeclined,
		gatePolicy: hasGate ? buildGatePolicy(gate) : undefined,
		human: overlays.hil?.enabled ?? workflow.human,
	};
}

function boundOf(turns: number, { pairedWorkflow, confidenceLoop }: OverlaysFile): number {
	return [pairedWorkflow, confidenceLoop].reduce(
		(least, loop) => Math.min(least, (loop?.enabled ? loop.maxIterations : undefined) ?? least),
		turns,
	);
}

function buildPair({ pairedWorkflow: pair }: OverlaysFile): PairPolicy | undefined {
	if (!pair?.enabled || pair.challengerAgent === undefined) return undefined;
	const { maxIterations, roleSwitch, checkpoints } = pair;
	return {
		challenger: pair.challengerAgent,
		maxIterations,
		roleSwitch,
		checkpoints: roleSwitch === "checkpoint" ? [...new Set(checkpoints)] : undefined,
	};
}

function buildConfidence({ confidenceLoop: loop }: OverlaysFile): ConfidencePolicy | undefined {
	if (!loop?.enabled) return undefined;
	const { mode, threshold } = loop;
	const metrics = loop.metrics.map(({ type, weight, evaluator_agent: evaluator }) => ({
		type,
		weight,
		evaluator_agent: type === "llm_judge" ? evaluator : undefined,
	}));
	return { mode, threshold, metrics };
}

function buildExits({
	pairedWorkflow: pair,
	confidenceLoop: loop,
}: OverlaysFile): string[] | undefined {
	const ofPair = pair?.enabled ? (pair.exitConditions ?? [DEFAULT_PAIR_EXIT]) : [];
	const ofScore = loop?.enabled ? (loop.exitConditions ?? [scoreExit(loop.threshold)]) : [];
	const all = [...new Set([...ofPair, ...ofScore])];
	return all.length === 0 ? undefined : all;
}

function scoreExit(threshold: number): string {
	const shown = Number.isInteger(threshold) ? threshold.toFixed(1) : String(threshold);
	return `confidence_score >= ${shown}`;
}

/** A gate that asks for more than T0 is wanted, also where no acceptance check lets one apply by itself. */
function asksForMore(gate: GateFile | undefined): boolean {
	return (gate?.riskTier ?? "T0") !== "T0" || gate?.requireCoverage === true;
}

function buildGatePolicy(gate: GateFile | undefined): GatePolicy | undefined {
	if (gate?.riskTier === undefined && gate?.requireCoverage === undefined) return undefined;
	const { riskTier = "T0", requireCoverage = false, coverageThreshold = 1 } = gate;
	return { riskTier, requireCoverage, coverageThreshold };
}

function challengersOf(overlays: OverlaysFile | undefined): string[] {
	const pair = overlays === undefined ? undefined : buildPair(overlays);
	return pair === undefined ? [] : [pair.challenger];
}

/**
 * The agent that the file names, else the challenger of the pair in `defaults`, else the coach, else the one challenger
 * of all tasks, else the only agent; undefined where several could be meant.
 */
function plannerOf({
	planner,
	coach,
	defaults,
	tasks = {},
	agents = {},
}: Pick<WorkflowFile, "planner" | "coach" | "defaults" | "tasks" | "agents">): string | undefined {
	if (planner !== undefined) return planner;
	const named = coach === undefined || coach === NO_COACH ? [] : [coach];
	const [usual] = [...challengersOf(defaults?.overlays), ...named];
	if (usual !== undefined) return usual;
	const seated = new Set(Object.values(tasks).flatMap(({ overlays }) => challengersOf(overlays)));
	const candidates = seated.size > 0 ? [...seated] : Object.keys(agents);
	return candidates.length === 1 ? candidates[0] : undefined;
}
