import { hostname } from "node:os";
import type { AgentValues } from "../agents/agent.ts";
import type { Repository } from "../git/repository.ts";
import type { Lease, RunRecord } from "../store/records.ts";
import type { Workflow } from "../workflow/workflow.ts";
import type { RejectionProof } from "./answer-request.ts";
import {
	requireLandOptions,
	requireOpenOptions,
	requireProposeOptions,
	requireRunOptions,
	requireSource,
} from "./arguments.ts";
import { findRoot } from "./find-root.ts";
import { findResumable, findRun, isUnended, owesLanding } from "./find-run.ts";
import { gitHost } from "./git-host.ts";
import type { LibraryOptions, SparringLibrary } from "./library.ts";
import type { PruneOptions } from "./prune-report.ts";
import type { Drive } from "./run/drive.ts";
import type { HostRequest } from "./run/with-host.ts";
import type {
	LandOptions,
	OpenOptions,
	ResumeOptions,
	RunOptions,
	RunReport,
	Sparring,
	Supervision,
	WorkflowSource,
} from "./sparring.ts";
import { SparringTasks } from "./sparring-tasks.ts";

/**
 * Opens Sparring on the repository that a directory belongs to. Nothing is created by opening; heavy parts (git,
 * the workflow's schema, LangGraph) are loaded by the methods that need them.
 *
 * @throws Fault `not-a-repository`, and `usage` for options that are missing or of another type
 * @example `const sparring = await openSparring({ directory: ".", env: process.env })`
 */
export async function openSparring(options: LibraryOptions): Promise<SparringLibrary> {
	requireOpenOptions(options);
	const root = findRoot(options.directory);
	if (root === undefined) {
		// Git explains best what is wrong: a bare repository, no repository, no directory.
		const { openRepository } = await import("../git/repository.ts");
		const repository = await openRepository(options.directory, gitHost(options.env));
		return new OpenedSparring(options, repository.root);
	}
	return new OpenedSparring(options, root);
}

/** What is held while a run is taken forward or landed: its lease, and its workflow with the secrets in place. */
interface Held {
	readonly workflow: Workflow;
	readonly lease: Lease;
}

class OpenedSparring extends SparringTasks implements SparringLibrary {
	readonly #onWorkflow: OpenOptions["onWorkflow"];
	readonly #values: AgentValues;
	readonly #tried = new Set<string>();

	constructor(options: LibraryOptions, root: string) {
		super(options, root);
		this.#onWorkflow = options.onWorkflow;
		this.#values = { ...options.agents };
	}

	async load(source: WorkflowSource) {
		requireSource("load", source);
		const { loadSource } = await import("./load-source.ts");
		const loaded = await loadSource(source, {
			root: this.root,
			directory: this.directory,
			valueAgents: Object.keys(this.#values),
		});
		if (loaded.workflow !== null) this.#onWorkflow?.(loaded.workflow);
		return loaded;
	}

	async validate(source: WorkflowSource) {
		requireSource("validate", source);
		const loaded = await this.load(source);
		const { againstBase } = await import("./validate-source.ts");
		return await againstBase(loaded, { directory: this.directory, env: this.env });
	}

	/** The workflow to run: as it was loaded before, or read now. */
	protected override async workflowOf(source: RunOptions["source"]): Promise<Workflow> {
		if (source.kind === "loaded") {
			this.#onWorkflow?.(source.workflow);
			return source.workflow;
		}
		const loaded = await this.load(source);
		const { requireWorkflow } = await import("./load-source.ts");
		return requireWorkflow(loaded, source);
	}

	async #prepare(options: RunOptions) {
		const { prepareRun } = await import("./run/start-run.ts");
		const workflow = await this.workflowOf(options.source);
		return await prepareRun(workflow, options, this.#shared());
	}

	async plan(options: RunOptions) {
		requireRunOptions("plan", options);
		const { planOf } = await import("./run/start-run.ts");
		const { requireAgents } = await import("./run/agent-needs.ts");
		const prepared = await this.#prepare(options);
		await requireAgents(prepared.workflow, { env: this.env, values: this.#values });
		return planOf(prepared);
	}

	async planTasks(options: Parameters<Sparring["planTasks"]>[0]) {
		return (await import("./planning/plan-tasks.ts")).planTasks(options, this.#filePlace());
	}

	async approve(options: Parameters<Sparring["approve"]>[0]) {
		const { approveTasks } = await import("./planning/approvals.ts");
		const records = async () => (this.hasRuns() ? (await this.openStore()).records : null);
		return await approveTasks(options, { ...this.#filePlace(), records });
	}

	#filePlace() {
		const [places, env, directory] = [this.places, this.env, this.directory];
		return { places, env, directory, values: this.#values, onLoaded: this.#onWorkflow };
	}

	protected override async startRun(options: RunOptions): Promise<RunReport> {
		const { createRun } = await import("./run/start-run.ts");
		const { supersedeRefused } = await import("./run/supersede-refused.ts");
		const { tryTheSeats } = await import("./run/seats-preflight.ts");
		const prepared = await this.#prepare(options);
		if (this.places.store !== null || options.detach === true) {
			const { startOnMachines } = await import("./machines/run-on-machines.ts");
			return await startOnMachines(prepared, options, this.#shared());
		}
		const values = this.#values;
		const lost = await tryTheSeats({ ...prepared, env: this.env, values, runId: null, options });
		options.signal?.throwIfAborted();
		const { run, lease } = await createRun(prepared, options, this.#shared());
		this.#tried.add(run.runId);
		let refused: string | null = null;
		try {
			const store = await this.openStore();
			for (const earlier of await supersedeRefused(store, this.places, run.runId)) {
				options.onNotice?.(
					`run ${earlier}, which had not begun, is cancelled: this one takes its place`,
				);
			}
			const { repository, workflow } = prepared;
			refused = await this.#drive(run, { ...options, repository, workflow, lease, lost });
		} finally {
			await lease.release();
		}
		return this.report(run, refused);
	}

	#shared() {
		const { directory, places, env } = this;
		const report = (run: RunRecord) => this.report(run);
		return { directory, places, env, openStore: () => this.openStore(), report };
	}

	protected override async resumeRun(options: ResumeOptions): Promise<RunReport> {
		const store = await this.existing();
		const run =
			options.runId === undefined
				? await findResumable(store, options.maxTurns !== undefined)
				: await findRun(store.records, options.runId);
		if (run.status === "completed" && !owesLanding(run)) return this.report(run);
		options.signal?.throwIfAborted();
		const { takeRun } = await import("./machines/take-run.ts");
		const lease = await takeRun(store, run.runId);
		let refused: string | null = null;
		try {
			const current = await findRun(store.records, run.runId);
			if (current.status === "completed") {
				refused = await this.#landOwed(current, { ...options, lease });
			} else if (store.machines === null) {
				refused = await this.#goOn(current, { ...options, lease });
			} else {
				const { resumeOnMachines } = await import("./machines/run-on-machines.ts");
				return await resumeOnMachines({ run: current, lease }, options, this.#shared());
			}
		} finally {
			await lease.release();
		}
		return this.report(run, refused);
	}

	/** Whoever resumes a run that has completed wants it landed, also after its landing was cancelled. */
	async #landOwed(run: RunRecord, options: ResumeOptions & Pick<Held, "lease">) {
		if (!owesLanding(run)) return null;
		const { committer } = await import("./run/committer.ts");
		const { records } = await this.existing();
		const patch = { cancelRequested: false };
		await committer(records, options)([{ kind: "run", runId: run.runId, patch }]);
		return await this.#landAtEnd(run, { ...options, workflow: await this.#storedWorkflow(run) });
	}

	/** Takes a run forward from where it was left; returns why it could not be landed. */
	async #goOn(stored: RunRecord, options: ResumeOptions & Pick<Held, "lease">) {
		const { records } = await this.existing();
		const { resumed } = await import("./run/replace-agents.ts");
		const { committer } = await import("./run/committer.ts");
		const owner = `${hostname()}:${process.pid}`;
		const { run, writes } = await resumed(records, stored, { ...options, owner });
		const { withMaxParallel } = await import("../workflow/max-parallel.ts");
		const workflow = withMaxParallel(await this.#storedWorkflow(run), options.maxParallel);
		const { openRepository } = await import("../git/repository.ts");
		const repository = await openRepository(this.root, gitHost(this.env));
		const lost = await this.#tryTheSeatsOf(run, { workflow, repository }, options);
		options.onHistory?.(await records.events(run.runId));
		const onEvent: ResumeOptions["onEvent"] = (event) => {
			// Acting on an answer tells of it, whenever it was given.
			if (event.type !== "item-answered") options.onEvent?.(event);
		};
		await committer(records, { ...options, onEvent })(writes);
		return await this.#drive(run, { ...options, repository, workflow, lost });
	}

	/** Before a fresh process takes a run forward: its seats may have gone since it was left. */
	async #tryTheSeatsOf(
		run: RunRecord,
		{ workflow, repository }: { readonly workflow: Workflow; readonly repository: Repository },
		options: ResumeOptions,
	) {
		if (this.#tried.has(run.runId)) return undefined;
		const { tryTheSeatsAgain } = await import("./run/seats-preflight.ts");
		const { openTasks } = await import("./run/resume-run.ts");
		const all = await (await this.existing()).records.tasks(run.runId);
		const open = openTasks(all, options.maxTurns !== undefined);
		const lost = await tryTheSeatsAgain(
			{ workflow, repository, env: this.env, values: this.#values, options },
			run,
			open,
		);
		this.#tried.add(run.runId);
		return lost;
	}

	/** Takes the run forward and lands it where that is asked for; returns why it could not be landed. */
	async #drive(
		run: RunRecord,
		options: Supervision & Held & Pick<Drive, "anyway" | "lost" | "repository">,
	): Promise<string | null> {
		const { driveRun } = await import("./run/drive-run.ts");
		const { onNotice, repository } = options;
		const { withHost } = await import("./run/with-host.ts");
		const request = this.#hostRequest(options.workflow, repository, onNotice);
		await withHost(request, async (host) => {
			await driveRun({
				...options,
				run,
				store: await this.openStore(),
				places: this.places,
				env: this.env,
				values: this.#values,
				host,
			});
		});
		const after = await (await this.openStore()).records.run(run.runId);
		if (after === undefined) return null;
		const refused = owesLanding(after) ? await this.#landAtEnd(after, options) : null;
		if (!isUnended(after)) {
			const { freeOldRuns } = await import("./run/prune-runs.ts");
			const [store, places] = [await this.openStore(), this.places];
			await freeOldRuns(
				{ store, places, repository, env: this.env },
				options.workflow.keepRuns,
				onNotice,
			);
		}
		return refused;
	}

	#hostRequest(
		workflow: RunRecord["workflow"],
		repository: Repository,
		onNotice: Supervision["onNotice"],
	): HostRequest {
		return { workflow, env: this.env, repository, places: this.places, onNotice };
	}

	/** @returns null when it is landed, was cancelled or has nothing to land; else why it is not landed */
	async #landAtEnd(run: RunRecord, options: Supervision & Held): Promise<string | null> {
		const { landAtEnd } = await import("./run/land-at-end.ts");
		const [store, env] = [await this.openStore(), this.env];
		const land = (signal: AbortSignal) => this.#land(run, { ...options, signal });
		return await landAtEnd({ ...options, store, env, run, land });
	}

	async #storedWorkflow(run: RunRecord) {
		const { revealedNow } = await import("./run-masker.ts");
		const workflow = await revealedNow(run, { root: this.root, env: this.env });
		this.#onWorkflow?.(workflow);
		return workflow;
	}

	async land(options: LandOptions) {
		requireLandOptions(options);
		return await this.#leased(options, (run, held) => this.#land(run, held));
	}

	/** Does something with a run that no other process works on. */
	async #leased<T>(
		options: LandOptions,
		work: (run: RunRecord, held: Supervision & Held) => Promise<T>,
	): Promise<T> {
		return await this.untilClosed(options, async (supervised) => {
			const store = await this.existing();
			const run = await findRun(store.records, supervised.runId);
			const { takeRun } = await import("./machines/take-run.ts");
			const lease = await takeRun(store, run.runId);
			try {
				const current = await findRun(store.records, run.runId);
				const workflow = await this.#storedWorkflow(current);
				return await work(current, { ...supervised, workflow, lease });
			} finally {
				await lease.release();
			}
		});
	}

	async propose(asked: Parameters<Sparring["propose"]>[0]) {
		requireProposeOptions(asked);
		const { remote, ...options } = asked;
		const { proposeRun, titleOf } = await import("./run/propose-run.ts");
		const { markdownOf, PULL_REQUEST_BYTES } = await import("./report/markdown.ts");
		return await this.#leased(options, (run, held) =>
			this.#withDrive(run, held, async (drive) => {
				const tasks = await drive.store.records.tasks(run.runId);
				const merged = tasks.filter((task) => task.merged).map(({ taskId }) => taskId);
				// The stored workflow has marks where its secrets stood.
				const title = titleOf(run.workflow, merged);
				const report = async () => markdownOf(await this.result(run.runId), PULL_REQUEST_BYTES);
				return await proposeRun(drive, { remote, title, report });
			}),
		);
	}

	async #land(run: RunRecord, options: Supervision & Held) {
		const { landHere } = await import("./run/land-here.ts");
		return await this.#withDrive(run, options, landHere);
	}

	async #withDrive<T>(
		run: RunRecord,
		options: Supervision & Held,
		work: (drive: Drive) => Promise<T>,
	): Promise<T> {
		const { withLandDrive } = await import("./run/with-land-drive.ts");
		const [store, places, env] = [await this.openStore(), this.places, this.env];
		const request = (repository: Repository): HostRequest =>
			this.#hostRequest(options.workflow, repository, options.onNotice);
		return await withLandDrive({ ...options, run, store, places, env }, request, work);
	}

	async cancel(runId?: string): Promise<RunReport> {
		const store = await this.existing();
		const { requireCancellable } = await import("./run/cancel-run.ts");
		const { cancelWhole } = await import("./run/cancel-whole.ts");
		const run = await requireCancellable(store, runId);
		await cancelWhole(store, this.places, run.runId);
		return this.report(run);
	}

	async prune({ force = false, dryRun = false, runId }: PruneOptions) {
		const { pruneRepository } = await import("./run/prune-runs.ts");
		const asked = { isOpen: this.isOpen(), force, dryRun, runId: runId ?? null };
		return await pruneRepository({ ...this.#shared(), ...asked });
	}

	async resolveItem(id: string, request: Parameters<Sparring["resolveItem"]>[1]) {
		const { resolveItem } = await import("./answer-item.ts");
		const { root, env } = this;
		return resolveItem((await this.existing()).records, id, { ...request, root, env });
	}

	async rejectItem(id: string, reason: string, proof: RejectionProof = {}) {
		const { rejectItem } = await import("./answer-item.ts");
		const place = { root: this.root, env: this.env };
		return rejectItem((await this.existing()).records, id, { ...proof, reason, ...place });
	}

	async ackItem(id: string) {
		const { ackItem } = await import("./answer-item.ts");
		return ackItem((await this.existing()).records, id);
	}
}
