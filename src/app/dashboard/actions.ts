import { join } from "node:path";
import { Fault } from "../../kernel/fault.ts";
import type {
	Action,
	ActionBody,
	ActionList,
	ActionStarted,
	ActionState,
} from "../../web/protocol.ts";
import { findRun } from "../find-run.ts";
import { obstacleOf } from "../run/prune-runs.ts";
import { type ActionFacts, actionPreviews } from "./action-previews.ts";
import { type Ended, runDetached } from "./detached.ts";
import type { Ground } from "./ground.ts";
import { maskedValue } from "./run-masks.ts";

/** How actions are begun, and whoever wants to know of their end. */
export interface ActionsOptions {
	/** This program: what runs `spar` with arguments behind it. */
	readonly program: readonly [string, ...string[]];
	readonly onEnded: (state: ActionState) => void;
}

/** What people do with runs from the page, beside answering. */
export class Actions {
	readonly #ground: Ground;
	readonly #options: ActionsOptions;
	/** Runs with what is done with them now: one may be cancelled while it lands. */
	readonly #underWay = new Set<string>();
	/** By run, what was begun last. */
	readonly #last = new Map<string, ActionState>();

	constructor(ground: Ground, options: ActionsOptions) {
		this.#ground = ground;
		this.#options = options;
	}

	/** What was begun here last with a run. */
	last(runId: string): ActionState | null {
		return this.#last.get(runId) ?? null;
	}

	async list(runId: string): Promise<ActionList> {
		const { records } = await this.#ground.existing();
		const cursor = await records.newestEvent();
		const facts = await this.#facts(runId);
		const actions = actionPreviews(facts);
		const masker = await this.#ground.masks.of(facts.run);
		return maskedValue([masker], { cursor, actions, last_action: this.last(runId) });
	}

	async #facts(runId: string): Promise<ActionFacts> {
		const store = await this.#ground.existing();
		const run = await findRun(store.records, runId);
		const items = await store.records.items(runId);
		const repository = await this.#ground.repository();
		const prune = {
			store,
			places: this.#ground.places,
			repository,
			force: false,
			runId,
			env: this.#ground.env,
		};
		return {
			run,
			tasks: await store.records.tasks(runId),
			holder: await store.leases.holder(runId),
			waiting: items.filter(({ status }) => status === "PENDING" || status === "ACKED").length,
			answered: items.filter(({ answer, consumed }) => answer !== null && !consumed).length,
			pruneObstacle: run.pruned ? null : await obstacleOf(prune, run),
		};
	}

	async begin(runId: string, action: Action, body: ActionBody): Promise<ActionStarted> {
		const previews = actionPreviews(await this.#facts(runId));
		const refused = previews.find((preview) => preview.action === action)?.refused ?? null;
		const isUnderWay = this.#underWay.has(`${runId} ${action}`);
		if (refused !== null || isUnderWay) {
			throw new Fault(`run ${runId}: ${refused ?? `${action} is under way`}`, {
				code: "outdated",
				hint: "Look at the run again: it may have changed since.",
			});
		}
		const state: ActionState = {
			run_id: runId,
			action,
			started_at: new Date().toISOString(),
			ended_at: null,
			exit_code: null,
			said: [],
		};
		this.#last.set(runId, state);
		this.#underWay.add(`${runId} ${action}`);
		void this.#untilEnded(state, this.#work(runId, action, body));
		return { started: state };
	}

	async #untilEnded(state: ActionState, work: Promise<Ended>): Promise<void> {
		const { code, said } = await work.catch(endOfError);
		this.#underWay.delete(`${state.run_id} ${state.action}`);
		const masker = this.#ground.masks.plain();
		const ended: ActionState = {
			...state,
			ended_at: new Date().toISOString(),
			exit_code: code,
			said: said.map((line) => masker.mask(line)),
		};
		// What was begun since is newer news of the run.
		if (this.#last.get(state.run_id) === state) this.#last.set(state.run_id, ended);
		this.#options.onEnded(ended);
	}

	async #work(runId: string, action: Action, { max_turns: turns }: ActionBody): Promise<Ended> {
		const { sparring } = this.#ground;
		switch (action) {
			case "cancel":
				await sparring.cancel(runId);
				return { code: 0, said: ["cancelled"] };
			case "prune": {
				const { kept } = await sparring.prune({ runId });
				const said = kept.map(({ reason }) => reason);
				return { code: kept.length === 0 ? 0 : 1, said };
			}
			case "resume":
				return await this.#spar(runId, [
					"resume",
					runId,
					...(turns === undefined ? [] : ["--max-turns", String(turns)]),
				]);
			case "land":
				return await this.#spar(runId, ["land", runId]);
		}
	}

	async #spar(runId: string, args: readonly [Action, ...string[]]): Promise<Ended> {
		const { places, env } = this.#ground;
		const [program, ...before] = this.#options.program;
		return await runDetached([program, ...before, ...args], {
			directory: places.root,
			env,
			output: join(places.stateDir, "actions", `${runId}-${args[0]}.log`),
		});
	}
}

/** An action that could not be carried out: its end, with the reason. */
function endOfError(error: unknown): Ended {
	if (!(error instanceof Fault)) return { code: 70, said: ["this is a bug in Sparring"] };
	return { code: 2, said: [error.message, ...(error.hint === undefined ? [] : [error.hint])] };
}
