import { holdsProgram } from "../../git/holds-program.ts";
import type { Repository } from "../../git/repository.ts";
import { Fault } from "../../kernel/fault.ts";
import { verifierOf } from "../../workflow/verifier-of.ts";
import type { AgentDefinition, Workflow } from "../../workflow/workflow.ts";
import { type AgentPlace, agentLines } from "../doctor/agents.ts";
import { missingFor, type NeedsPlace, neededAgents } from "./agent-needs.ts";
import type { SeatProblem } from "./preflight-problem.ts";

/** The run whose seats are looked at. */
interface SeatsPlace {
	readonly repository: Repository;
	readonly baseCommit: string;
	readonly env: NeedsPlace["env"];
	readonly values?: NeedsPlace["values"];
	/** Ends what is asked of coding agents. */
	readonly signal?: AbortSignal | undefined;
}

/**
 * The agents that a run needs and that cannot be called, by all that `spar doctor` knows. All are looked at together;
 * a coding agent that says nothing of itself delays this by 40 s at most. No model is called.
 */
export async function seatProblems(
	workflow: Workflow,
	{ repository, baseCommit, env, values, signal }: SeatsPlace,
): Promise<readonly SeatProblem[]> {
	const needed = neededAgents(workflow);
	const evaluators = workflow.tasks.flatMap(({ confidence }) =>
		(confidence?.metrics ?? []).flatMap(({ evaluator_agent: name }) => name ?? []),
	);
	const inCheckout = async (path: string): Promise<boolean> =>
		// A setup may bring it.
		workflow.setup.length > 0 || (await holdsProgram(repository, baseCommit, path));
	const looks = [...new Set([...needed, ...evaluators])].map(async (name) => {
		const definition = workflow.agents[name];
		if (definition === undefined) return [];
		const place = { env, values, inCheckout, root: repository.root, signal };
		const found = await problemOf(definition, place);
		return found === null ? [] : [{ ...found, isNeeded: needed.has(name) }];
	});
	return [...(await Promise.all(looks)).flat(), ...(await natsProblem(workflow, env, signal))];
}

/** A server that verification needs and that cannot be reached: better known now than after a paid call. */
async function natsProblem(
	workflow: Workflow,
	env: SeatsPlace["env"],
	signal: AbortSignal = new AbortController().signal,
): Promise<readonly SeatProblem[]> {
	const { via, nats: settings } = workflow.verification;
	const verifiers = workflow.tasks.flatMap((task) =>
		task.requiresVerification === "false" ? [] : (verifierOf(workflow, task) ?? []),
	);
	const [agent] = verifiers;
	if (via !== "nats" || settings === undefined || agent === undefined) return [];
	const { reachNats } = await import("../../verification/nats/session.ts");
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

async function problemOf(
	definition: AgentDefinition,
	place: NeedsPlace & AgentPlace,
): Promise<Omit<SeatProblem, "isNeeded"> | null> {
	const { name: agent } = definition;
	const seat = { kind: "seat", agent } as const;
	const missing = await missingFor(definition, place);
	if (missing !== null) {
		return { ...seat, isMissing: true, why: missing.message, fix: missing.hint ?? null };
	}
	// The doctor looks for programs in the work tree, and a checkout has another one.
	if ("run" in definition && definition.run[0]?.includes("/") === true) return null;
	if (definition.adapter === "value") return null;
	const [line] = await agentLines([definition], place);
	if (line?.ok !== false) return null;
	const why = `agent ${agent} cannot be called: ${line.cause ?? line.detail}`;
	return { ...seat, isMissing: false, why, fix: line.fix };
}

/**
 * Why tasks cannot be done, by task: player or coach lacks something, and so does all that would stand in for it.
 *
 * @example a task whose player's program is missing: `"agent dev needs the program dev.sh, which is not on the PATH"`
 */
export function lostTasks(
	{ agents, tasks }: Pick<Workflow, "agents" | "tasks">,
	problems: readonly SeatProblem[],
): ReadonlyMap<string, string> {
	const missing = new Map(
		problems.flatMap(({ agent, isMissing, why }) => (isMissing ? [[agent, why] as const] : [])),
	);
	const reasonFor = (name: string, seen: readonly string[] = []): string | undefined => {
		const why = missing.get(name);
		const fallback = agents[name]?.fallback;
		if (why === undefined || fallback === undefined || seen.includes(fallback)) return why;
		return reasonFor(fallback, [...seen, name]) === undefined ? undefined : why;
	};
	return new Map(
		tasks.flatMap(({ id, player, pair }) => {
			const seats = pair === undefined ? [player] : [player, pair.challenger];
			const [why] = seats.flatMap((name) => reasonFor(name) ?? []);
			return why === undefined ? [] : [[id, why] as const];
		}),
	);
}
