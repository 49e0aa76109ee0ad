import { dirname, join } from "node:path";
import type { Agent } from "../agents/agent.ts";
import { FirstAlone } from "../judge/first-alone.ts";
import type { Blobs } from "../kernel/blobs.ts";
import { systemClock } from "../kernel/clock.ts";
import { CallAdmission } from "../loop/admission/admission.ts";
import { transcriptName } from "../loop/agent-call.ts";
import { WorkUnderWay } from "../loop/context.ts";
import type { Masker } from "../masking/masking.ts";
import { MergeQueue } from "../merge/merge-queue.ts";
import { outputFolder, runDirectory, setupShelf, transcriptFolder } from "../places/places.ts";
import { bringShared, reachOf } from "../places/remote-ground.ts";
import { type TextSink, WholeLines } from "../process/capture.ts";
import type { ProcessHost, ProcessRequest } from "../process/process.ts";
import { obstacleTo } from "../seats/agent-needs.ts";
import { seatsOf } from "../seats/agents.ts";
import type { Records } from "../store/records.ts";
import type { SharedCalls } from "../store/shared-calls.ts";
import type { EventListener } from "../trace/event.ts";
import { type AskVerifier, remoteVerifier } from "../verification/remote-job.ts";
import type { Suite } from "../verification/suite.ts";
import type { VerificationRequest, Verifier } from "../verification/verification.ts";
import type { Drive, RunContext } from "./drive.ts";
import { groundPreflight } from "./ground-preflight.ts";
import { keptEvidence } from "./kept-evidence.ts";
import { setupsOf } from "./setups-of.ts";
import { userCommits } from "./user-commits.ts";

const TELL_MS = 1_000;

async function remoteVerifiers(
	drive: Drive,
	signal: AbortSignal,
): Promise<RunContext["remoteVerifier"]> {
	const ask = await askerOf(drive);
	if (ask === null) return null;
	const { lease, run, store, onEvent } = drive;
	const { runId, scope, epoch } = lease;
	return ({ taskId, ...node }) => {
		const fence = { runId, scope, epoch };
		const verifier = bringing(drive, remoteVerifier(ask, { ...node, fence, signal }));
		if (onEvent === undefined) return verifier;
		return tellingEvents(verifier, { records: store.records, runId: run.runId, taskId, onEvent });
	};
}

async function askerOf(drive: Drive): Promise<AskVerifier | null> {
	const { via, nats: settings } = drive.workflow.verification;
	if (via === undefined) return null;
	if (settings === undefined) throw new Error("verification over NATS without its settings");
	const { natsChannel } = await import("../verification/nats/nats-channel.ts");
	const { addressOf } = await import("../verification/nats/address.ts");
	// Wrong settings are told before the run begins.
	addressOf(settings, drive.env);
	return natsChannel({ settings, env: drive.env, onNotice: drive.onNotice });
}

// Once a request is answered, the tests that were written elsewhere are here as well.
function bringing({ run, repository, env }: Drive, verifier: Verifier): Verifier {
	return {
		verify: async (request) => {
			const outcome = await verifier.verify(request);
			if (outcome.kind === "decided" && hasNewTests(request, outcome.result.suites))
				await bringShared(repository, run, { env, tasks: [request.task.id] });
			return outcome;
		},
	};
}

function hasNewTests({ suites: known }: VerificationRequest, suites: readonly Suite[]): boolean {
	return suites.some(({ commit }) => !known.some((each) => each.commit === commit));
}

// While it waits, the listener of this process hears of the events that a verifier elsewhere writes.
function tellingEvents(
	verifier: Verifier,
	to: {
		readonly records: Pick<Records, "events">;
		readonly runId: string;
		readonly taskId: string;
		readonly onEvent: EventListener;
	},
): Verifier {
	const { records, runId, taskId, onEvent } = to;
	return {
		verify: async (request) => {
			let after = (await records.events(runId, { task: taskId })).at(-1)?.id ?? 0;
			const tell = async (): Promise<void> => {
				for (const event of await records.events(runId, { task: taskId, after })) {
					after = Math.max(after, event.id);
					// Of the task's events only this one is written in the meantime by this process, which told it.
					if (event.type !== "person-notified") onEvent(event);
				}
			};
			let telling = Promise.resolve();
			const polling = setInterval(() => {
				// What cannot be read now is told at the end, or shows itself in the work.
				telling = telling.then(tell).catch(() => undefined);
			}, TELL_MS);
			try {
				return await verifier.verify(request);
			} finally {
				clearInterval(polling);
				await telling;
				await tell().catch(() => undefined);
			}
		},
	};
}

// Text that comes meanwhile is masked and written together.
const PAUSE_MS = 200;

const MAX_OUTPUT = 2_000_000;

const CUT = "[... more is in the file once the call has ended ...]\n";

/**
 * File of an output that grows while it is printed, masked by whole lines. It is there for people to look at: where it
 * cannot be written nothing fails.
 */
export class LiveLog {
	readonly #blobs: Blobs;
	readonly #key: string;
	readonly #masker: Masker;
	readonly #lines: WholeLines;
	#writing: Promise<void>;
	#waiting = "";
	#written = 0;
	#pause: NodeJS.Timeout | null = null;

	/** @param heading null: what is in the file goes; else what is printed is added below this line */
	constructor(blobs: Blobs, key: string, masker: Masker, heading: string | null = null) {
		this.#blobs = blobs;
		this.#key = key;
		this.#masker = masker;
		const sink: TextSink = { add: (text) => this.#take(text) };
		this.#lines = new WholeLines(sink);
		const begun =
			heading === null ? blobs.put(key, "") : blobs.append(key, `${masker.mask(heading)}\n`);
		this.#writing = begun.catch(ignored);
	}

	readonly add = (text: string): void => {
		this.#lines.add(text);
	};

	async end(): Promise<void> {
		this.#lines.end();
		if (this.#pause !== null) clearTimeout(this.#pause);
		this.#write();
		await this.#writing;
	}

	#take(text: string): void {
		if (this.#written + this.#waiting.length > MAX_OUTPUT) return;
		this.#waiting += text;
		this.#pause ??= this.#writeAndPause();
	}

	#writeAndPause(): NodeJS.Timeout {
		this.#write();
		return setTimeout(() => {
			this.#pause = this.#waiting === "" ? null : this.#writeAndPause();
		}, PAUSE_MS).unref();
	}

	#write(): void {
		const text = this.#waiting;
		if (text === "") return;
		this.#waiting = "";
		this.#written += text.length;
		const cut = this.#written > MAX_OUTPUT ? CUT : "";
		const masked = this.#masker.mask(text) + cut;
		this.#writing = this.#writing.then(() => this.#blobs.append(this.#key, masked)).catch(ignored);
	}
}

function ignored(): void {}

function loggedAgent(agent: Agent, blobs: Blobs, masker: Masker): Agent {
	return {
		handsIn: agent.handsIn,
		call: async (call, signal) => {
			const folder = transcriptFolder({ runId: call.run, taskId: call.task });
			const log = new LiveLog(blobs, `${folder}/${transcriptName(call)}`, masker);
			const onOutput = (text: string): void => {
				log.add(text);
				call.onOutput?.(text);
			};
			try {
				return await agent.call({ ...call, onOutput }, signal);
			} finally {
				await log.end();
			}
		},
	};
}

const SETUP = "setup";

/**
 * Names the log of a check or a setup by the mark of its processes, `RUN:TASK:TURN:PURPOSE:ATTEMPT:CHECK` or
 * `RUN:TASK:setup:CHECKOUT`; null for a process of another kind.
 */
export function outputName(mark: string): string | null {
	const [, , turn, purpose, attempt, ...name] = mark.split(":");
	if (turn === SETUP) return purpose === undefined ? null : `setup-${purpose}.log`;
	if (name.length === 0) return null;
	const check = name.join(":");
	return `turn-${turn}/${purpose}-${check}${attempt === "0" ? "" : `-${attempt}`}.log`;
}

const isSetup = ({ mark }: ProcessRequest): boolean => mark.split(":")[2] === SETUP;

function loggedHost(host: ProcessHost, blobs: Blobs, masker: Masker): ProcessHost {
	const keyOf = ({ mark }: ProcessRequest): string | null => {
		const [runId = "", taskId = ""] = mark.split(":");
		const name = outputName(mark);
		return name === null ? null : `${outputFolder({ runId, taskId })}/${name}`;
	};
	return {
		...host,
		run: async (request, signal) => {
			const key = keyOf(request);
			if (key === null) return await host.run(request, signal);
			// A setup has several commands, and one file.
			const heading = isSetup(request) ? `$ ${request.command.at(-1)}` : null;
			const log = new LiveLog(blobs, key, masker, heading);
			try {
				return await host.run({ ...request, onOutput: log.add }, signal);
			} finally {
				await log.end();
			}
		},
	};
}

export type SharedByTasks = Pick<RunContext, "queue" | "underWay" | "baselines" | "admission">;

/**
 * Nothing is known yet.
 *
 * @param queue of merges; by default this process alone merges
 * @param calls what is known of the calls of other machines; by default there are none
 */
export function sharedByTasks(
	queue: MergeQueue = new MergeQueue(),
	calls: SharedCalls | null = null,
): SharedByTasks {
	return {
		queue,
		underWay: new WorkUnderWay(),
		baselines: new FirstAlone(),
		admission: new CallAdmission(systemClock, calls),
	};
}

/**
 * The context of a run, of which `taskContext` makes that of a task.
 *
 * @param shared where each task has a lease of its own: what it shares with the others of this process
 */
export async function runContext(
	drive: Drive,
	own: Pick<RunContext, "signal" | "commit" | "vault" | "masker">,
	shared: SharedByTasks = sharedByTasks(undefined, drive.store.machines?.calls(drive.run.runId)),
): Promise<RunContext> {
	const { run, workflow, store, lease, env, values, onNotice = () => undefined } = drive;
	const { signal, commit, vault, masker } = own;
	const { records, blobs } = store;
	const seats = seatsOf(workflow, { env, host: drive.host, values });
	return {
		...drive,
		...own,
		...shared,
		onNotice,
		records,
		blobs,
		clock: systemClock,
		recorder:
			run.recordFile === null
				? null
				: (await import("../seats/recorder.ts")).cassetteRecorder(run.recordFile, {
						vault,
						masker,
						onNotice,
					}),
		setups: setupsOf({ ...drive, shelf: setupShelf(drive.places), signal, onNotice }),
		bases: await keptEvidence(join(dirname(runDirectory(drive.places, run.runId)), "evidence"), {
			...drive,
			...own,
		}),
		host: loggedHost(drive.host, blobs, masker),
		seat: async (name) => {
			const { agent, definition } = await seats(name);
			return { agent: loggedAgent(agent, blobs, masker), definition };
		},
		commitAsUser: userCommits(drive, vault),
		obstacle: (name) => obstacleTo(workflow, name, { env, values }),
		preflight: groundPreflight(drive, commit),
		reach: reachOf(workflow, { env, signal }),
		// The lease is looked at in each transaction, in one without writes too.
		requireLease: async () => void (await records.commit(lease, [])),
		remoteVerifier: await remoteVerifiers(drive, signal),
	};
}

const SWITCHES = [
	"LANGSMITH_TRACING",
	"LANGSMITH_TRACING_V2",
	"LANGCHAIN_TRACING",
	"LANGCHAIN_TRACING_V2",
	// This one prints it on standard output, in the middle of what `--json` prints.
	"LANGCHAIN_VERBOSE",
];

/**
 * Switches remote tracing of LangGraph off for this process, whatever the user set for other programs: a run's
 * code must not leave the machine. The variables reach no child in any case.
 *
 * @param env the process's own environment; changed in place
 */
export function silenceTracing(env: Record<string, string | undefined>): void {
	for (const name of SWITCHES) delete env[name];
}
