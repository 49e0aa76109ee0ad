import { basename, extname, join, relative, resolve, sep } from "node:path";
import { assertNever } from "../kernel/assert-never.ts";
import type { WorkflowFile } from "./schema.ts";
import type { AgentFile, BudgetFile, SandboxFile } from "./schema-agents.ts";
import type { CheckFile } from "./schema-checks.ts";
import { REPORT_FORMATS } from "./schema-checks.ts";
import type { TaskFile } from "./schema-tasks.ts";
import type {
	AgentDefinition,
	Budget,
	CheckDefinition,
	SandboxPolicy,
	TaskDefinition,
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
	const hasAcceptance = checks.some(({ kind }) => kind === "acceptance");
	const path = pathInRepository(place);
	const agents = Object.entries(file.agents ?? {}).map(
		([name, agent]) => [name, buildAgent(name, agent, place.directory)] as const,
	);
	const budget = buildBudget(file.budget);
	return {
		version: 1,
		name: file.name ?? basename(place.file, extname(place.file)),
		...(file.base === undefined ? {} : { base: file.base }),
		setup: file.setup,
		setupInputs: file.setup_inputs,
		agents: Object.fromEntries(agents),
		checks,
		protected: file.protected,
		human: { enabled: file.human.enabled },
		...(file.sandbox === undefined ? {} : { sandbox: buildSandbox(file.sandbox) }),
		...(budget === undefined ? {} : { budget }),
		merge: { into: file.merge.into },
		tasks: order.tasks.flatMap((id) =>
			buildTask(id, file.tasks?.[id], { hasAcceptance, human: file.human.enabled }),
		),
		...(path === undefined ? {} : { file: path }),
	};
}

/** Names in the order of the file; an object would put those that look like numbers first. */
export interface Order {
	readonly checks: readonly string[];
	readonly tasks: readonly string[];
}

function buildAgent(name: string, agent: AgentFile, directory: string): AgentDefinition {
	const { env, timeout: timeoutMs, login = "user", fallback } = agent;
	const common = { name, env, timeoutMs, ...(fallback === undefined ? {} : { fallback }) };
	switch (agent.adapter) {
		case "command":
			return { adapter: "command", ...common, run: agent.run };
		case "cassette":
			return { adapter: "cassette", ...common, file: resolve(directory, agent.file) };
		case "claude":
		case "codex":
		case "gemini":
		case "opencode": {
			const { adapter, args = [] } = agent;
			return { adapter, ...common, ...modelOf(agent), args, login };
		}
		case "acp":
			return { adapter: "acp", ...common, run: agent.run, ...modelOf(agent), login };
		case "model": {
			const { model, base_url: baseUrl } = agent;
			return { adapter: "model", ...common, model, ...(baseUrl === undefined ? {} : { baseUrl }) };
		}
		default:
			return assertNever(agent);
	}
}

function modelOf({ model }: { readonly model?: string | undefined }): { readonly model?: string } {
	return model === undefined ? {} : { model };
}

function buildSandbox(file: SandboxFile): SandboxPolicy {
	if (typeof file === "string") return { mode: file, allowHosts: [] };
	const { mode, allow_hosts: hosts, unix_sockets: unixSockets } = file;
	return { mode, allowHosts: [...new Set(hosts)], ...(unixSockets ? { unixSockets } : {}) };
}

/** undefined for one that limits nothing. */
function buildBudget(file: BudgetFile | undefined): Budget | undefined {
	const { usd, wall: wallMs } = file ?? {};
	if (usd === undefined && wallMs === undefined) return undefined;
	return { ...(usd === undefined ? {} : { usd }), ...(wallMs === undefined ? {} : { wallMs }) };
}

function buildCheck(name: string, check: CheckFile | undefined): CheckDefinition[] {
	if (check === undefined) return [];
	const format = REPORT_FORMATS.find((each) => each === check.report?.format);
	const path = check.report?.path;
	const report =
		format === undefined ? undefined : { format, ...(path === undefined ? {} : { path }) };
	return [
		{
			name,
			kind: check.kind,
			run: check.run,
			...(report === undefined ? {} : { report }),
			timeoutMs: check.timeout,
			baseline: check.baseline ?? "new",
		},
	];
}

function buildTask(
	id: string,
	task: TaskFile | undefined,
	run: { readonly hasAcceptance: boolean; readonly human: boolean },
): TaskDefinition[] {
	if (task === undefined) return [];
	const { paired_workflow: pair, policy_gate: gate, hil } = task.overlays;
	const {
		driver_agent: driver,
		challenger_agent: challenger,
		max_iterations: maxIterations,
	} = pair ?? {};
	const isPaired = pair?.enabled === true && challenger !== undefined;
	const player = (isPaired ? driver : undefined) ?? task.agent;
	if (player === undefined) return [];
	const iterations = isPaired ? maxIterations : undefined;
	const budget = buildBudget(task.budget);
	return [
		{
			id,
			description: task.description,
			acceptanceCriteria: task.acceptance_criteria,
			contextFiles: task.context_files,
			dependsOn: [...new Set(task.depends_on)],
			player,
			...(isPaired
				? {
						pair: {
							challenger,
							...(iterations === undefined ? {} : { maxIterations: iterations }),
						},
					}
				: {}),
			requiresVerification: task.requires_verification === false ? "false" : "auto",
			requiresHuman: task.requires_human,
			maxTurns: task.max_turns,
			bound: Math.min(task.max_turns, iterations ?? task.max_turns),
			gate: gate?.enabled ?? run.hasAcceptance,
			gateDeclined: gate?.enabled === false,
			human: hil?.enabled ?? run.human,
			...(budget === undefined ? {} : { budget }),
		},
	];
}

/** The file relative to the repository, with `/`; undefined when it lies outside or no repository is known. */
function pathInRepository({ file, directory, repositoryRoot }: WorkflowPlace): string | undefined {
	if (repositoryRoot === undefined) return undefined;
	const path = relative(repositoryRoot, join(directory, basename(file)))
		.split(sep)
		.join("/");
	return path.startsWith("../") || resolve(path) === path ? undefined : path;
}
