import { mkdir, readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import type { AgentValues } from "../../agents/agent.ts";
import { removeHome } from "../../agents/remove-home.ts";
import { withBaseFilters } from "../../git/base-filters.ts";
import { openCheckout } from "../../git/checkout.ts";
import type { Repository } from "../../git/repository.ts";
import { openVault } from "../../git/vault.ts";
import { systemClock } from "../../kernel/clock.ts";
import { Fault } from "../../kernel/fault.ts";
import { randomId } from "../../kernel/ids.ts";
import { TaskLog } from "../../loop/task-log.ts";
import type { Masker } from "../../masking/masking.ts";
import { endMarked } from "../../process/process-tree.ts";
import { removeLeftTemporaries } from "../../setups/own-temporary.ts";
import type { EventListener } from "../../trace/event.ts";
import type { Workflow } from "../../workflow/workflow.ts";
import { claimCheckouts } from "../checkouts-home.ts";
import { makeStateDirectory, type Places } from "../places.ts";
import { seatsOf } from "../run/agents.ts";
import { withLazyHost } from "../run/with-host.ts";
import { stateFault } from "../state-fault.ts";
import { type PlannerGround, TASK } from "./planner-call.ts";

export interface PlanPlace {
	readonly workflow: Workflow;
	readonly places: Places;
	readonly repository: Repository;
	readonly base: string;
	readonly masker: Masker;
	readonly env: Readonly<Record<string, string | undefined>>;
	readonly values: AgentValues;
	readonly signal: AbortSignal | undefined;
	readonly onNotice: ((text: string) => void) | undefined;
	readonly onEvent: EventListener | undefined;
}

const PLAN = /^plan-(\d+)-[0-9a-z]+$/;

/**
 * Does some work with a checkout for a planner, which is removed afterwards.
 *
 * What a killed process left of an earlier plan goes first, its agents included.
 */
export async function onPlannerGround<T>(
	place: PlanPlace,
	work: (ground: PlannerGround) => Promise<T>,
): Promise<T> {
	const { places, repository, workflow, env, values, masker, onNotice, onEvent } = place;
	const signal = place.signal ?? new AbortController().signal;
	await makeStateDirectory(places);
	const transcripts = join(places.stateDir, "transcripts", "plan");
	const plan = `plan-${process.pid}-${randomId(8)}`;
	const dir = await makeDirectory(places, plan, transcripts);
	const log = new TaskLog({ runId: plan, taskId: TASK }, { turn: 0, node: TASK }, systemClock);
	try {
		const vault = await openVault(repository, dir, { signal, mark: `${plan}:git` });
		const checkout = openCheckout(await withBaseFilters(vault, place.base), {
			dir: join(dir, "planner"),
			indexFile: join(dir, "index-planner"),
		});
		await checkout.forceTo(place.base);
		return await withLazyHost({ workflow, env, repository, places, onNotice }, (host) =>
			work({
				plan,
				checkout: checkout.dir,
				work: join(dir, "calls"),
				transcripts,
				masker,
				env,
				clock: systemClock,
				tell: (type, data) => onEvent?.({ ...log.told(type, data), id: 0, run: plan }),
				signal,
				budget: workflow.budget,
				seat: seatsOf(workflow, { env, host, values }),
			}),
		);
	} finally {
		const code = await removeHome(dir);
		if (code !== null) onNotice?.(`the planner's checkout ${dir} could not be removed (${code})`);
	}
}

async function makeDirectory(places: Places, plan: string, transcripts: string): Promise<string> {
	try {
		const { directory: home } = await claimCheckouts(places);
		for (const name of await readdir(home)) {
			const pid = PLAN.exec(name)?.[1];
			if (pid === undefined || isAlive(Number(pid))) continue;
			await endMarked(`${name}:`);
			await removeLeftTemporaries(join(home, name));
			await removeHome(join(home, name));
		}
		// Those of an earlier plan would pass for this one's.
		await rm(transcripts, { recursive: true, force: true });
		const dir = join(home, plan);
		await mkdir(dir);
		return dir;
	} catch (error) {
		throw error instanceof Fault ? error : stateFault(places.checkoutsParent, error);
	}
}

/** Whether there is a process of that number; one that we may not signal is there. */
function isAlive(pid: number): boolean {
	try {
		process.kill(pid, 0);
		return true;
	} catch (error) {
		return error instanceof Error && "code" in error && error.code === "EPERM";
	}
}
