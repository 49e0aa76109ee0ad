import { statSync } from "node:fs";
import { join } from "node:path";
import { openRepository, type Repository } from "../../git/repository.ts";
import type { Sparring } from "../../library/sparring.ts";
import type { Masker } from "../../masking/masking.ts";
import { noRuns } from "../../places/find-run.ts";
import { gitHost, hasStore, type Places } from "../../places/places.ts";
import { runMasker } from "../../places/run-masker.ts";
import { maskerOf } from "../../places/secrets.ts";
import { openStore, type Store } from "../../places/store.ts";
import { maskAllButNames } from "../../store/mask-texts.ts";
import type { RunRecord } from "../../store/records.ts";
import type { Workflow } from "../../workflow/workflow.ts";

type Environment = Readonly<Record<string, string | undefined>>;

export class ScreenGround {
	readonly sparring: Sparring;
	readonly places: Places;
	readonly env: Environment;
	readonly masks: RunMasks;
	#store: Store | null = null;
	#opening: Promise<Store> | null = null;
	// Kept, since a stream asks for the run of each of its events.
	readonly #runs = new Map<string, Pick<RunRecord, "runId" | "workflow">>();
	#repository: Promise<Repository> | null = null;

	constructor(sparring: Sparring, places: Places, env: Environment) {
		this.sparring = sparring;
		this.places = places;
		this.env = env;
		this.masks = new RunMasks(places.root, env);
	}

	// Null while nothing was ever run here. One that was deleted or replaced meanwhile is left for the one that is there.
	async store(): Promise<Store | null> {
		if (this.#store !== null && isLost(this.#store)) {
			const lost = this.#store;
			this.#store = null;
			this.#runs.clear();
			// It opens the database again when it is asked next.
			this.sparring.close();
			await lost.close();
		}
		if (this.#store === null && hasStore(this.places)) this.#store = await this.#open();
		return this.#store;
	}

	// Once for all who ask meanwhile.
	async #open(): Promise<Store> {
		this.#opening ??= openStore(this.places, { readOnly: true }).finally(() => {
			this.#opening = null;
		});
		return await this.#opening;
	}

	// Differs whenever something was written, or the database came or went.
	async pulse(): Promise<string> {
		if (this.#store === null) return hasStore(this.places) ? "not opened" : "";
		try {
			this.#store.requireFile();
			return await this.#store.records.pulse();
		} catch {
			// A database that cannot be read shows itself when something is read from it.
			return "unreadable";
		}
	}

	/** @throws Fault `run-not-found` */
	async existing(): Promise<Store> {
		const store = await this.store();
		if (store === null) throw noRuns();
		return store;
	}

	async maskerOf(runId: string): Promise<Masker | undefined> {
		const run = this.#runs.get(runId) ?? (await (await this.store())?.records.run(runId));
		if (run === undefined) return undefined;
		this.#runs.set(runId, run);
		return await this.masks.of(run);
	}

	async repository(): Promise<Repository> {
		this.#repository ??= openRepository(this.places.root, gitHost(this.env));
		return await this.#repository;
	}

	async close(): Promise<void> {
		this.sparring.close();
		await this.#store?.close();
	}
}

function isLost(store: Store): boolean {
	try {
		store.requireFile();
		return false;
	} catch {
		return true;
	}
}

export class RunMasks {
	readonly #root: string;
	readonly #env: Environment;
	readonly #kept = new Map<
		string,
		{ readonly changedMs: number; readonly masker: Promise<Masker> }
	>();
	#plain: Masker | null = null;

	constructor(root: string, env: Environment) {
		this.#root = root;
		this.#env = env;
	}

	plain(): Masker {
		this.#plain ??= maskerOf(this.#env, null);
		return this.#plain;
	}

	ofWorkflow(workflow: Workflow): Masker {
		return maskerOf(this.#env, workflow);
	}

	async of(run: Pick<RunRecord, "runId" | "workflow">): Promise<Masker> {
		const { file } = run.workflow;
		const stat = statSync(join(this.#root, file ?? "sparring.yaml"), { throwIfNoEntry: false });
		const changedMs = stat?.mtimeMs ?? 0;
		const kept = this.#kept.get(run.runId);
		if (kept?.changedMs === changedMs) return await kept.masker;
		const masker = runMasker(run, { root: this.#root, env: this.#env });
		this.#kept.set(run.runId, { changedMs, masker });
		return await masker;
	}
}

// As one text it is looked at first, which is quicker than each of its texts, and finds nothing as a rule.
export function maskedValue<T extends object>(masker: Masker, value: T): T {
	const text = JSON.stringify(value);
	return masker.mask(text) === text ? value : maskAllButNames(masker, value);
}
