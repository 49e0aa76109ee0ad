import type { Answer, HumanItem } from "../human/human-item.ts";
import { answeredEvent } from "../human/validate-answer.ts";
import { Fault } from "../kernel/fault.ts";
import { suggestion } from "../kernel/suggest.ts";
import { planOf } from "../loop/present-task.ts";
import { rebuildSession, recordOf } from "../review/pair-session.ts";
import type { CallRecord, Records, RunRecord, TaskRecord, Write } from "../store/records.ts";
import { AGENT_TIMEOUT_MS, HARNESSES, harnessNamed } from "../workflow/harnesses.ts";
import { chainOf } from "../workflow/tie-breaker-of.ts";
import type { AgentDefinition, TaskDefinition, Workflow } from "../workflow/workflow.ts";
import { type OtherAgents, openTasks, resumeWrites } from "./resume-run.ts";

interface Replaced {
	readonly agents: readonly string[];
	// Of a question about an unusable answer the call that gave it.
	readonly lastCall: Pick<CallRecord, "agent"> | undefined;
}

async function settledQuestions(
	records: Pick<Records, "items">,
	runId: string,
	replaced: ReadonlyMap<string, Replaced>,
): Promise<Write[]> {
	const answeredAt = new Date().toISOString();
	return (await records.items(runId)).flatMap((item): Write[] => {
		const notes = item.answer === null ? whySettled(item, replaced.get(item.taskId)) : null;
		if (notes === null) return [];
		const answer: Answer = { choice: "continue", directive: null, notes, reason: null, answeredAt };
		const after: HumanItem = { ...item, status: "RESOLVED", answer };
		const event = answeredEvent(item, after, "program");
		return [
			{ kind: "item", item: after },
			{ kind: "event", run: runId, event },
		];
	});
}

function whySettled(item: HumanItem, replaced: Replaced | undefined): string | null {
	const agent = agentOf(item, replaced);
	if (agent !== undefined && replaced?.agents.includes(agent) === true)
		return `agent ${agent} was replaced`;
	const resetsAt = item.trigger === "quota" ? item.context.quota?.resets_at : null;
	return typeof resetsAt === "string" && Date.parse(resetsAt) <= Date.now()
		? `the limit was lifted at ${resetsAt}`
		: null;
}

function agentOf(item: HumanItem, replaced: Replaced | undefined): string | undefined {
	if (item.trigger === "quota") return item.context.quota?.agent;
	return item.trigger === "role_error" ? replaced?.lastCall?.agent : undefined;
}

interface NewSeats {
	readonly before: TaskDefinition;
	readonly after: TaskDefinition;
	readonly calls: readonly Pick<CallRecord, "role" | "agent">[];
}

// As the rules of a file have it; besides, nobody judges what it wrote before it was replaced, or writes what its hidden
// tests are about.
function requireApart(workflow: Workflow, { before, after, calls }: NewSeats): void {
	const { agents, verification, tieBreaker } = workflow;
	const { id, player, pair, formalReview } = after;
	const coach = formalReview === true ? player : pair?.challenger;
	const switches = (pair?.roleSwitch ?? "session") !== "session";
	const isVerified = after.requiresVerification !== "false";
	const namesOf = (head: string | undefined): readonly string[] =>
		head === undefined ? [] : chainOf(agents, head).map(({ name }) => name);
	const coaches = namesOf(coach);
	const drivers = formalReview === true ? [] : namesOf(player);
	const players = switches ? [...drivers, ...coaches] : drivers;
	const called = (role: CallRecord["role"]): readonly string[] =>
		calls.filter((call) => call.role === role).map(({ agent }) => agent);
	const isNewCoach = pair !== undefined && pair.challenger !== before.pair?.challenger;
	const refusals: readonly (readonly [string | undefined, string])[] = [
		[drivers.find((name) => coaches.includes(name)), "would judge its own work"],
		[
			players.find((name) => agents[name]?.adapter === "model"),
			"cannot be the player: a model called by API has no tools",
		],
		[
			isVerified ? players.find((name) => name === verification.agent) : undefined,
			"would test its own work: it is the verifier",
		],
		[
			[...players, ...coaches].find((name) => name === tieBreaker),
			"would settle its own disputes: it is the tie_breaker",
		],
		[
			isNewCoach && !switches ? coaches.find((name) => called("player").includes(name)) : undefined,
			"would judge what it wrote in an earlier turn",
		],
		[
			player === before.player
				? undefined
				: drivers.find((name) => called("verifier").includes(name)),
			"wrote the hidden tests",
		],
	];
	const [name, why] = refusals.find(([found]) => found !== undefined) ?? [];
	if (name === undefined) return;
	throw new Fault(`in task ${id} agent ${name} ${why}`, {
		code: "usage",
		hint: "Name another agent, or give both seats: --player and --coach.",
	});
}

export type Resumption = { readonly [Key in keyof OtherAgents]: OtherAgents[Key] | undefined } & {
	readonly maxTurns?: number | undefined;
	readonly owner: string;
};

type Agents = Workflow["agents"];

/**
 * The run as it goes on, and all that has to be stored first, in one transaction: other agents in its seats, tasks that
 * are reopened, and answers to questions that are settled by now: about an agent that was replaced, or an account whose
 * limit has been lifted since.
 *
 * @throws Fault `usage` for an agent that nobody knows or that cannot have the seat; those of `resumeWrites` too
 */
export async function resumed(
	records: Records,
	stored: RunRecord,
	{ player, coach, model, maxTurns, owner }: Resumption,
): Promise<{ readonly run: RunRecord; readonly writes: readonly Write[] }> {
	const asked: OtherAgents = {
		...(player === undefined ? {} : { player }),
		...(coach === undefined ? {} : { coach }),
		...(model === undefined ? {} : { model }),
	};
	const going = await resumeWrites(records, stored, { maxTurns, owner, replaced: asked });
	const open = openTasks(await records.tasks(stored.runId), maxTurns !== undefined);
	const isAsked = Object.keys(asked).length > 0;
	const { workflow, writes, replaced } = isAsked
		? await reseated(records, stored, { asked, open })
		: { workflow: stored.workflow, writes: [], replaced: new Map<string, Replaced>() };
	const settled = await settledQuestions(records, stored.runId, replaced);
	return { run: { ...stored, workflow }, writes: [...writes, ...going, ...settled] };
}

async function reseated(
	records: Records,
	{ runId, workflow: before }: RunRecord,
	{ asked, open }: { readonly asked: OtherAgents; readonly open: readonly TaskRecord[] },
) {
	const byId = new Map(open.map((task) => [task.taskId, task]));
	const known = withAsked(before.agents, asked);
	const left = before.tasks.filter(({ id }) => byId.has(id));
	if (asked.coach !== undefined && !left.some(isJudged))
		throw refused(`coach ${asked.coach} has nothing to judge: no task that is left has a coach`);
	const seats = before.tasks.map((task) => (byId.has(task.id) ? seated(task, asked) : task));
	const agents = withModel(
		known,
		asked,
		seats.filter(({ id }) => byId.has(id)),
	);
	const writes: Write[] = [];
	const replaced = new Map<string, Replaced>();
	const tasks: TaskDefinition[] = [];
	for (const [index, task] of seats.entries()) {
		const record = byId.get(task.id);
		const old = before.tasks[index];
		if (record === undefined || old === undefined) {
			tasks.push(task);
			continue;
		}
		const calls = await records.taskCalls(runId, task.id);
		requireApart({ ...before, agents }, { before: old, after: task, calls });
		const now = chainsOf(agents, task);
		const gone = chainsOf(before.agents, old).filter((agent) => !now.includes(agent));
		replaced.set(task.id, { agents: gone.map(({ name }) => name), lastCall: calls.at(-1) });
		const isPlayed = calls.some(
			({ role, turn, outcome }) =>
				role === "player" && turn === record.turns && outcome === "answered",
		);
		tasks.push(withHistory(task, old, isPlayed ? record.turns : record.turns - 1));
	}
	const workflow = { ...before, agents, tasks };
	for (const { id } of left)
		writes.push(...(await sessionWrites(records, { runId, workflow, taskId: id })));
	const own: Write = { kind: "run", runId, patch: { workflow } };
	return { workflow, replaced, writes: [own, ...writes] };
}

const isJudged = ({ pair, formalReview }: TaskDefinition): boolean =>
	pair !== undefined || formalReview === true;

function seated(task: TaskDefinition, { player, coach }: OtherAgents): TaskDefinition {
	const first = (task.formalReview === true ? coach : player) ?? task.player;
	if (task.pair === undefined) return { ...task, player: first };
	const challenger = coach ?? task.pair.challenger;
	return { ...task, player: first, pair: { ...task.pair, challenger } };
}

const chainsOf = (agents: Agents, { player, pair }: TaskDefinition): readonly AgentDefinition[] => [
	...chainOf(agents, player),
	...(pair === undefined ? [] : chainOf(agents, pair.challenger)),
];

function withAsked(agents: Agents, { player, coach }: OtherAgents): Agents {
	const more: Record<string, AgentDefinition> = {};
	for (const name of [player, coach]) {
		if (name === undefined || agents[name] !== undefined) continue;
		const adapter = harnessNamed(name);
		if (adapter === undefined)
			throw refused(
				`there is no agent ${name || '""'}`,
				suggestion(name, [...new Set([...Object.keys(agents), ...HARNESSES])]),
			);
		const common = { name, env: [], timeoutMs: AGENT_TIMEOUT_MS };
		more[name] = { ...common, adapter, args: [], login: "user" };
	}
	return { ...agents, ...more };
}

function withModel(
	agents: Agents,
	{ player, coach, model }: OtherAgents,
	left: readonly TaskDefinition[],
): Agents {
	if (model === undefined) return agents;
	const named = player ?? coach;
	const names = named === undefined ? left.map((task) => task.player) : [named];
	const changed = [...new Set(names)].map((name) => {
		const agent = agents[name];
		if (agent === undefined || !("args" in agent || "model" in agent))
			throw refused(`agent ${name} takes no model: its adapter is ${agent?.adapter}`);
		if (model.trim() === "" || (agent.adapter === "model" && !/.\/./.test(model)))
			throw refused(`agent ${name} cannot use the model "${model}"`);
		return [name, { ...agent, model }] as const;
	});
	return { ...agents, ...Object.fromEntries(changed) };
}

// The pair says who sat before, so that what they did stays theirs.
function withHistory(after: TaskDefinition, old: TaskDefinition, until: number): TaskDefinition {
	if (after.pair === undefined || old.pair === undefined) return after;
	const [driver, { challenger, replaced = [] }] = [old.player, old.pair];
	const isSame = after.player === driver && after.pair.challenger === challenger;
	if (isSame || until <= (replaced.at(-1)?.until ?? 0)) return after;
	const pair = { ...after.pair, replaced: [...replaced, { until, driver, challenger }] };
	return { ...after, pair };
}

async function sessionWrites(
	records: Records,
	{ runId, workflow, taskId }: { runId: string; workflow: Workflow; taskId: string },
): Promise<Write[]> {
	const stored = await records.pairSession(runId, taskId);
	const task = workflow.tasks.find(({ id }) => id === taskId);
	const plan = task === undefined ? null : planOf({ task, workflow });
	if (stored === undefined || plan === null) return [];
	const { session } = stored;
	const after = rebuildSession(session, { ...plan, maxIterations: session.maxIterations });
	return [{ kind: "pair-session", record: recordOf(after, stored) }];
}

function refused(message: string, hint = "See who there is: spar doctor"): Fault {
	return new Fault(message, { code: "usage", hint });
}
