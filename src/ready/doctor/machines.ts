import { openRepository } from "../../git/repository.ts";
import { gitHost } from "../../places/places.ts";
import { DEFAULT_REMOTE, reachOf, requireRemote } from "../../places/remote-ground.ts";
import { type NamedStore, usableStore } from "../../places/store-address.ts";
import type { EnvironmentSource } from "../../process/environment.ts";
import { neededAgents } from "../../seats/agent-needs.ts";
import { type DoctorLine, faultLine, soundLine, warningLine } from "../../seats/doctor-line.ts";
import { tagsOf } from "../../workflow/tags-of.ts";
import type { Workflow } from "../../workflow/workflow.ts";

export async function storeLine(
	named: NamedStore,
	place: { readonly root: string; readonly env: EnvironmentSource },
): Promise<DoctorLine> {
	const name = "store";
	try {
		const address = usableStore(named);
		if (address === null) throw new Error("no store is named");
		const { connectPostgres } = await import("../../store/postgres/postgres.ts");
		const { requireOwnStore, requireTables } = await import("../../places/postgres-store.ts");
		const postgres = await connectPostgres(address);
		try {
			await requireTables(postgres);
			await requireOwnStore(postgres, { root: place.root, host: gitHost(place.env) });
		} finally {
			await postgres.close();
		}
		return soundLine(name, `${postgres.shown}, schema ${postgres.schema}`);
	} catch (error) {
		return faultLine(name, error);
	}
}

export async function remoteLine(
	root: string,
	{ code }: Pick<Workflow, "code">,
	env: EnvironmentSource,
): Promise<DoctorLine> {
	const name = "remote";
	const { remote } = code ?? { remote: DEFAULT_REMOTE };
	try {
		const repository = await openRepository(root, gitHost(env));
		const reach = reachOf({ code: { remote } }, { env });
		if (reach !== null) await requireRemote(repository, reach, "HEAD");
		return soundLine(name, `${remote} answers; not pushed to`);
	} catch (error) {
		return faultLine(name, error);
	}
}

export interface MachineTags {
	// Sorted: a tag counts only if all agents that have it work here.
	readonly tags: readonly string[];
	// Tasks that need a tag which this machine does not have.
	readonly others: readonly { readonly task: string; readonly lacks: readonly string[] }[];
	// Agents of tasks without tags that do not work here, though any worker may take these tasks.
	readonly untagged: readonly string[];
}

/**
 * @example with agents `a: { tags: [gpu] }` that works and `b: { tags: [mac] }` that does not, the tags are `["gpu"]`
 */
export function machineTags(workflow: Workflow, works: (agent: string) => boolean): MachineTags {
	const all = Object.values(workflow.agents);
	const lacking = new Set(all.filter(({ name }) => !works(name)).flatMap(({ tags }) => tags ?? []));
	const tags = new Set(all.flatMap((agent) => agent.tags ?? []).filter((tag) => !lacking.has(tag)));
	const others = workflow.tasks
		.map((task) => ({
			task: task.id,
			lacks: tagsOf(workflow, task).filter((tag) => !tags.has(tag)),
		}))
		.filter(({ lacks }) => lacks.length > 0);
	const needed = neededAgents(workflow);
	const untagged = all
		.filter(({ name, tags: own = [] }) => own.length === 0 && needed.has(name) && !works(name))
		.map(({ name }) => name);
	return { tags: [...tags].sort(), others, untagged };
}

const SHOWN = 5;

export function tagsLine(workflow: Workflow, agents: readonly DoctorLine[]): DoctorLine {
	const broken = new Set(agents.flatMap(({ name, ok }) => (ok === false ? [name] : [])));
	const { tags, others, untagged } = machineTags(
		workflow,
		(agent) => !broken.has(`agent ${agent}`),
	);
	const name = "worker";
	const command = tags.length === 0 ? "spar worker" : `spar worker --tags ${tags.join(",")}`;
	const taken = workflow.tasks.length - others.length;
	const left = others.slice(0, SHOWN).map(({ task, lacks }) => `${task} (${lacks.join(", ")})`);
	const more = others.length > SHOWN ? ` and ${others.length - SHOWN} more` : "";
	const rest = left.length === 0 ? "" : `; left to others: ${left.join(", ")}${more}`;
	const detail = `${command} takes ${taken} of ${workflow.tasks.length} tasks${rest}`;
	if (untagged.length === 0) return soundLine(name, detail);
	return warningLine(
		name,
		`${detail}; it would also take tasks of ${untagged.join(", ")}, which cannot be called here`,
		"Give such an agent a tag (`tags: [NAME]`), so that only machines with it take its tasks.",
	);
}

// A task that does not work here is left to machines that have its tags.
export function leftToOthers(
	workflow: Workflow,
	lines: readonly DoctorLine[],
): readonly DoctorLine[] {
	const tagged = new Set(
		Object.values(workflow.agents)
			.filter(({ tags = [] }) => tags.length > 0)
			.map(({ name }) => `agent ${name}`),
	);
	return lines.map((line) =>
		line.ok === false && tagged.has(line.name) ? { ...line, needed: false } : line,
	);
}
