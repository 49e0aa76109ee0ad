import { basename, extname, join, relative, resolve, sep } from "node:path";
import { assertNever } from "../kernel/assert-never.ts";
import { isHarness } from "./harnesses.ts";
import type { WorkflowFile } from "./schema.ts";
import type { AgentFile, BudgetFile, SandboxFile } from "./schema-agents.ts";
import type { CheckFile, WaiveFile } from "./schema-checks.ts";
import { buildNats, LLM_TIMEOUT_MS } from "./schema-nats.ts";
import { DEFAULT_PAIR_EXIT, type GateFile, type OverlaysFile } from "./schema-overlays.ts";
import type { TaskFile } from "./schema-tasks.ts";
import type {
	AgentDefinition,
	Budget,
	CheckDefinition,
	ChecklistItem,
	ConfidencePolicy,
	GatePolicy,
	PairPolicy,
	SandboxPolicy,
	SubtaskDefinition,
	TaskDefinition,
	VerificationPolicy,
	Waivers,
	Workflow,
} from "./workflow.ts";

export interface WorkflowPlace {
	/** As messages show it; its last part is the file's name. */
	readonly file: string;
	readonly directory: string;
	readonly repositoryRoot?: string;
}

/** The workflow of a checked file: defaults of the contract filled in, durations in milliseconds. */
export function buildWorkflow(file: WorkflowFile, order: Order, place: WorkflowPlace): Workflow {
	const checks = order.checks.flatMap((name) => buildCheck(name, file.checks[name]));
	const agents = Object.entries(file.agents ?? {}).map(
		([name, agent]) => [name, buildAgent(name, agent, place.directory)] as const,
	);
	return {
		version: 1,
		name: file.name ?? basename(place.file, extname(place.file)),
		base: file.base,
		code: file.code,
		store: file.store,
		setup: file.setup,
		setupInputs: file.setup_inputs,
		setupCache: file.setup_cache,
		copy: file.copy.length === 0 ? undefined : file.copy,
		maxParallel: file.max_parallel,
		agents: Object.fromEntries(agents),
		checks,
		protected: file.protected,
		human: buildHuman(file.human),
		onQuota: file.on_quota,
		waive: buildWaivers(file.waive),
		sandbox: file.sandbox === undefined ? undefined : buildSandbox(file.sandbox),
		budget: buildBudget(file.budget),
		merge: file.merge,
		keepRuns: file.keep_runs,
		tieBreaker: file.tie_breaker,
		verification: buildVerification(file),
		mutation: { when: file.mutation.when, timeoutMs: file.mutation.timeout },
		planner: plannerOf(file),
		tasks: buildTasks(file, order.tasks),
		file: pathInRepository(place),
	};
}

/** Names in the order of the file; an object would put those that look like numbers first. */
export interface Order {
	readonly checks: readonly string[];
	readonly tasks: readonly string[];
}

function buildAgent(name: string, agent: AgentFile, directory: string): AgentDefinition {
	const { env, timeout: timeoutMs, login = "user", fallback } = agent;
	const { max_parallel: maxParallel, requests_per_minute: requestsPerMinute } = agent;
	const tags = agent.tags === undefined || agent.tags.length === 0 ? undefined : agent.tags;
	const common = { name, env, timeoutMs, fallback, maxParallel, requestsPerMinute, tags };
	if (isHarness(agent)) {
		const { adapter, model, args = [] } = agent;
		return { adapter, ...common, model, args, login };
	}
	switch (agent.adapter) {
		case "command":
			return { adapter: "command", ...common, run: agent.run };
		case "cassette":
			return { adapter: "cassette", ...common, file: resolve(directory, agent.file) };
		case "acp":
			return { adapter: "acp", ...common, run: agent.run, model: agent.model, login };
		case "model":
			return { adapter: "model", ...common, model: agent.model, baseUrl: agent.base_url };
		default:
			return assertNever(agent);
	}
}

function buildSandbox(file: SandboxFile): SandboxPolicy {
	if (typeof file === "string") return { mode: file, allowHosts: [] };
	const { mode, allow_hosts: hosts, unix_sockets: unixSockets } = file;
	return { mode, allowHosts: [...new Set(hosts)], unixSockets: unixSockets || undefined };
}

/** undefined for one that limits nothing. */
function buildBudget(file: BudgetFile | undefined): Budget | undefined {
	const { usd, wall: wallMs } = file ?? {};
	if (usd === undefined && wallMs === undefined) return undefined;
	return { usd, wallMs };
}

function buildCheck(name: string, check: CheckFile | undefined): CheckDefinition[] {
	if (check === undefined) return [];
	const { kind, run, report, timeout: timeoutMs, baseline = "new", tests } = check;
	return [{ name, kind, run, report, timeoutMs, baseline, tests }];
}

function buildTasks(file: WorkflowFile, ids: readonly string[]): TaskDefinition[] {
	const hasAcceptance = Object.values(file.checks).some(({ kind }) => kind === "acceptance");
	return ids.flatMap((id) => {
		const task = file.tasks?.[id];
		if (task === undefined) return [];
		const budget = buildBudget(task.budget);
		return buildTask(id, task, { hasAcceptance, human: file.human.enabled, budget }) ?? [];
	});
}

function buildHuman({ enabled, notify }: WorkflowFile["human"]): Workflow["human"] {
	const { on_created: created = [], on_t2_gate: signature = [], on_end: end = [] } = notify ?? {};
	if (created.length + signature.length + end.length === 0) return { enabled };
	const onEnd = end.length === 0 ? undefined : end;
	return { enabled, notify: { onCreated: created, onT2Gate: signature, onEnd } };
}

function buildVerification({ verifier, verification }: WorkflowFile): VerificationPolicy {
	const { agent, timeout, attempts, run_timeout: runTimeoutMs, paths, via, nats } = verification;
	const policy = { agent: verifier ?? agent, timeoutMs: timeout, attempts, runTimeoutMs, paths };
	if (via === "in_process") return policy;
	const timeoutMs = nats?.llm_timeout ?? timeout ?? LLM_TIMEOUT_MS;
	return { ...policy, timeoutMs, via, nats: buildNats(nats) };
}

/** undefined when no kind has a reason. */
function buildWaivers(file: WaiveFile | undefined): Waivers | undefined {
	return Object.values(file ?? {}).some((reason) => reason !== undefined) ? file : undefined;
}

/** The file relative to the repository, with `/`; undefined when it lies outside or no repository is known. */
function pathInRepository({ file, directory, repositoryRoot }: WorkflowPlace): string | undefined {
	if (repositoryRoot === undefined) return undefined;
	const path = relative(repositoryRoot, join(directory, basename(file)))
		.split(sep)
		.join("/");
	return path.startsWith("../") || resolve(path) === path ? undefined : path;
}

export interface TaskSurroundings {
	readonly hasAcceptance: boolean;
	readonly human: boolean;
	readonly budget: Budget | undefined;
}

/** A checked task, `defaults` merged, with what the overlays leave open filled in; undefined for one without an agent. */
function buildTask(
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

function buildGate({ overlays, formal_review: isReview }: TaskFile, hasAcceptance: boolean): Gate {
	const file = overlays.policy_gate;
	const gateDeclined = file?.enabled === false;
	if (isReview || !(file?.enabled ?? (hasAcceptance || asksForMore(file))))
		return { gate: false, gateDeclined };
	return { gate: true, gateDeclined, gatePolicy: buildGatePolicy(file) };
}

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

function challengersOf(
	overlays: NonNullable<WorkflowFile["defaults"]>["overlays"] | undefined,
): string[] {
	const pair = overlays?.paired_workflow;
	return pair?.enabled === true && pair.challenger_agent !== undefined
		? [pair.challenger_agent]
		: [];
}

/**
 * Name of the agent that turns requirements into tasks: the one that the file names, else the challenger of the pair in
 * `defaults`, else the one challenger of all tasks, else the only agent.
 *
 * @param file with `defaults` merged into its tasks
 * @returns undefined where several could be meant, or there is none
 */
function plannerOf({
	planner,
	defaults,
	tasks = {},
	agents = {},
}: Pick<WorkflowFile, "planner" | "defaults" | "tasks" | "agents">): string | undefined {
	if (planner !== undefined) return planner;
	const [usual] = challengersOf(defaults?.overlays);
	if (usual !== undefined) return usual;
	const seated = new Set(Object.values(tasks).flatMap(({ overlays }) => challengersOf(overlays)));
	const candidates = seated.size > 0 ? [...seated] : Object.keys(agents);
	return candidates.length === 1 ? candidates[0] : undefined;
}
