import type { AgentValues } from "../agents/agent.ts";
import { holdsProgram } from "../git/holds-program.ts";
import type { Repository } from "../git/repository.ts";
import { Fault } from "../kernel/fault.ts";
import { agentState, neededAgents } from "../seats/agent-needs.ts";
import type { Records, RunRecord } from "../store/records.ts";
import { impossibleGate } from "../workflow/gate-needs.ts";
import { evaluatorsOf } from "../workflow/tie-breaker-of.ts";
import { verifierOf } from "../workflow/verifier-of.ts";
import type { Workflow } from "../workflow/workflow.ts";
import { settlePreflight } from "./preflight.ts";
import type { GateProblem, SeatProblem } from "./preflight-problem.ts";
import { openTasks } from "./resume-run.ts";
import type { ResumeOptions, RunOptions } from "./run-options.ts";

export interface SeatsRequest {
	readonly workflow: Workflow;
	readonly repository: Repository;
	readonly baseCommit: string;
	readonly env: Readonly<Record<string, string | undefined>>;
	readonly values: AgentValues;
	// Null: the run does not exist yet.
	readonly runId: string | null;
	readonly options: Pick<
		RunOptions & ResumeOptions,
		"onNotice" | "onPreflight" | "anyway" | "signal" | "maxTurns"
	>;
}

/**
 * Tries every seat before anything is created or continued.
 *
 * @returns tasks that cannot be done although the run goes on, with the reason
 * @throws Fault `preflight-refused` where the run is not to go on
 */
export async function tryTheSeats(request: SeatsRequest): Promise<ReadonlyMap<string, string>> {
	const { workflow, runId, options } = request;
	// What a run was started with is known by then.
	const gates = runId === null ? gateProblems(workflow) : [];
	const seats = await seatProblems({ ...request, signal: options.signal });
	const again = runId === null ? "spar run" : `spar resume ${runId}`;
	await settlePreflight({
		problems: [...gates, ...seats],
		supervision: options,
		people: workflow.tasks.some(({ human }) => human),
		hint: hintFor(again),
	});
	return lostTasks(workflow, seats);
}

const hintFor = (again: string): string =>
	`Once the cause is gone: ${again}\nTo go on as it is: ${again} --anyway`;

/** Gates alone: several machines have the seats, and each says whether it can take them. @throws Fault `preflight-refused` */
export async function tryTheGates(
	workflow: Workflow,
	supervision: SeatsRequest["options"],
): Promise<void> {
	const people = workflow.tasks.some(({ human }) => human);
	const problems = gateProblems(workflow);
	await settlePreflight({ problems, supervision, people, hint: hintFor("spar run") });
}

/** Gates that no work can pass: one problem for all tasks of a tier that lack the same. */
function gateProblems(
	workflow: Pick<Workflow, "checks" | "waive" | "tasks">,
): readonly GateProblem[] {
	const lacking = workflow.tasks.flatMap((task) => {
		const why = impossibleGate(task, workflow);
		return why === null ? [] : [{ tier: task.gatePolicy?.riskTier ?? "T0", why, id: task.id }];
	});
	const alike = Map.groupBy(lacking, ({ tier, why }) => `${tier}: ${why}`);
	return [...alike.values()].flatMap(([first, ...others]): GateProblem[] => {
		if (first === undefined) return [];
		const { tier, why } = first;
		return [{ kind: "gate", tier, why, tasks: [first, ...others].map(({ id }) => id) }];
	});
}

/** The same for the tasks of a run that exists which a resume may work on. */
export async function tryTheSeatsAgain(
	request: Omit<SeatsRequest, "baseCommit" | "runId">,
	{ runId, baseCommit }: Pick<RunRecord, "runId" | "baseCommit">,
	records: Pick<Records, "tasks">,
): Promise<ReadonlyMap<string, string>> {
	const reopens = request.options.maxTurns !== undefined;
	const open = new Set(openTasks(await records.tasks(runId), reopens).map(({ taskId }) => taskId));
	const all = request.workflow;
	const workflow = { ...all, tasks: all.tasks.filter(({ id }) => open.has(id)) };
	return await tryTheSeats({ ...request, workflow, runId, baseCommit });
}

/** Looks for what the agents of a workflow lack here; one that says nothing of itself delays this by 40 s at most. */
export async function seatProblems({
	workflow,
	repository,
	baseCommit,
	env,
	values,
	signal,
}: Omit<SeatsRequest, "runId" | "options"> & Pick<SeatsRequest["options"], "signal">): Promise<
	readonly SeatProblem[]
> {
	const needed = neededAgents(workflow);
	const evaluators = workflow.tasks.flatMap(evaluatorsOf);
	const inCheckout = async (path: string): Promise<string | null> =>
		// A setup may bring it.
		workflow.setup.length > 0 || (await holdsProgram(repository, baseCommit, path))
			? null
			: "which is not in the commit that the run starts from as an executable file";
	const looks = [...new Set([...needed, ...evaluators])].map(async (name) => {
		const definition = workflow.agents[name];
		if (definition === undefined) return [];
		const state = await agentState(definition, { env, values, inCheckout, signal });
		const { ok, isMissing, detail, cause = detail, fix } = state;
		if (ok !== false) return [];
		const why = isMissing ? detail : `agent ${name} cannot be called: ${cause}`;
		return [
			{ kind: "seat" as const, agent: name, isNeeded: needed.has(name), isMissing, why, fix },
		];
	});
	return [...(await Promise.all(looks)).flat(), ...(await natsProblem(workflow, env, signal))];
}

// Better known now than after a paid call.
async function natsProblem(
	workflow: Workflow,
	env: SeatsRequest["env"],
	signal: AbortSignal = new AbortController().signal,
): Promise<readonly SeatProblem[]> {
	const { via, nats: settings } = workflow.verification;
	const verifiers = workflow.tasks.flatMap((task) =>
		task.requiresVerification === "false" ? [] : (verifierOf(workflow, task) ?? []),
	);
	const [agent] = verifiers;
	if (via !== "nats" || settings === undefined || agent === undefined) return [];
	const { reachNats } = await import("../verification/nats/session.ts");
	try {
		await reachNats({ settings, env }, signal);
		return [];
	} catch (error) {
		if (!(error instanceof Fault)) throw error;
		const why = `verification goes over NATS: ${error.message}`;
		return [
			{ kind: "seat", agent, isNeeded: true, isMissing: false, why, fix: error.hint ?? null },
		];
	}
}

/** Reasons by task: player or coach lacks something, and so does all that would stand in for it. */
export function lostTasks(
	{ agents, tasks }: Pick<Workflow, "agents" | "tasks">,
	problems: readonly SeatProblem[],
): ReadonlyMap<string, string> {
	const reasonFor = reasonsBy(
		agents,
		problems.filter(({ isMissing }) => isMissing),
	);
	return new Map(
		tasks.flatMap(({ id, player, pair }) => {
			const seats = pair === undefined ? [player] : [player, pair.challenger];
			const [why] = seats.flatMap((name) => reasonFor(name) ?? []);
			return why === undefined ? [] : [[id, why] as const];
		}),
	);
}

/** Finds why nobody can play an agent: it lacks something, and so does all that would stand in for it. */
export function reasonsBy(
	agents: Workflow["agents"],
	lacks: readonly Pick<SeatProblem, "agent" | "why">[],
): (name: string) => string | undefined {
	const missing = new Map(lacks.map(({ agent, why }) => [agent, why]));
	const reasonFor = (name: string, seen: readonly string[] = []): string | undefined => {
		const why = missing.get(name);
		const fallback = agents[name]?.fallback;
		if (why === undefined || fallback === undefined || seen.includes(fallback)) return why;
		return reasonFor(fallback, [...seen, name]) === undefined ? undefined : why;
	};
	return reasonFor;
}
