import { basename, extname, join, relative, resolve, sep } from "node:path";
import { assertNever } from "../kernel/assert-never.ts";
import { buildTask } from "./build-task.ts";
import { isHarness } from "./harnesses.ts";
import { plannerOf } from "./planner-of.ts";
import type { WorkflowFile } from "./schema.ts";
import type { AgentFile, BudgetFile, SandboxFile } from "./schema-agents.ts";
import type { CheckFile, WaiveFile } from "./schema-checks.ts";
import { buildNats, LLM_TIMEOUT_MS } from "./schema-nats.ts";
import type {
	AgentDefinition,
	Budget,
	CheckDefinition,
	SandboxPolicy,
	TaskDefinition,
	VerificationPolicy,
	Waivers,
	Workflow,
} from "./workflow.ts";

/** Where a workflow file stands. */
export interface WorkflowPlace {
	/** As messages show it; its last part is the file's name. */
	readonly file: string;
	/** Absolute directory of the file. */
	readonly directory: string;
	/** Absolute root of the repository. */
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
