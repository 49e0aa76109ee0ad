import { afterEach, describe, expect, test } from "vitest";
import { Fault } from "../../../src/kernel/fault.ts";
import { verifierStand } from "../../../src/loop/verifier-stand.fixture.ts";
import { natsChannel } from "../../../src/verification/nats/nats-channel.ts";
import { type Serving, serveNats } from "../../../src/verification/nats/serve-nats.ts";
import { type NatsSession, openSession } from "../../../src/verification/nats/session.ts";
import {
	remoteVerifier,
	type VerificationAnswer,
	type VerificationJob,
} from "../../../src/verification/remote-job.ts";
import {
	describeVerifierContract,
	type VerifierScript,
	type VerifierStand,
} from "../../../src/verification/verifier.contract.ts";
import type { NatsSettings } from "../../../src/workflow/workflow.ts";
import { textLike } from "../../acceptance/stage.ts";
import { waitUntil } from "../../support/wait-until.ts";
import { natsAddress, ownSettings, type Wire, wireTo } from "../support/nats.ts";
import { startNats } from "../support/servers.ts";
import { jobOf, OTHERS, passed, refused, roleFailed } from "./jobs.fixture.ts";

const NEVER = new AbortController().signal;
const env = {};

const endings: (() => Promise<void>)[] = [];
afterEach(async () => {
	for (const end of endings.splice(0).reverse()) await end();
});

/** A verifier that is served until the test ends. */
interface Served {
	readonly told: string[];
	/** Jobs that it was given, in order. */
	readonly jobs: VerificationJob[];
	readonly stop: () => Promise<void>;
}

async function serve(
	settings: NatsSettings,
	handle: Serving["handle"],
	part: Partial<Serving> = {},
): Promise<Served> {
	const ended = new AbortController();
	const told: string[] = [];
	const jobs: VerificationJob[] = [];
	const ready = Promise.withResolvers<void>();
	const serving = serveNats(
		{
			settings,
			env,
			slots: 1,
			handle: (job, signal) => {
				jobs.push(job);
				return handle(job, signal);
			},
			onReady: () => ready.resolve(),
			onRequest: ({ id }) => told.push(`asked ${id}`),
			onResult: (_request, answer) => told.push(answer === null ? "handed back" : answer.kind),
			onProblem: (text, error) =>
				told.push(error instanceof Error ? `${text}: ${error.message}` : text),
			...part,
		},
		ended.signal,
	);
	const stop = async (): Promise<void> => {
		ended.abort();
		await serving;
	};
	endings.push(stop);
	await Promise.race([ready.promise, serving]);
	return { told, jobs, stop };
}

async function session(settings: NatsSettings): Promise<NatsSession> {
	const opened = await openSession({ settings, env }, NEVER);
	endings.push(() => opened.close());
	return opened;
}

const fenceOf = (epoch: number) => ({ runId: "r1", scope: "run", epoch }) as const;

describeVerifierContract(
	"a verifier that is asked over NATS",
	async (script: VerifierScript): Promise<VerifierStand> => {
		const stand = await verifierStand(script);
		const settings = ownSettings();
		await serve(settings, async ({ request, asked }) => {
			const verifier = stand.inTurn(request.turn, asked);
			const outcome = await verifier.verify(request);
			return { kind: "outcome", outcome, asked: verifier.asked() };
		});
		const from = { fence: fenceOf(1), epoch: 1, items: 0, slot: 0, signal: NEVER };
		return { ...stand, open: () => remoteVerifier(natsChannel({ settings, env }), from) };
	},
);

const ask = (settings: NatsSettings, job = jobOf(), signal = NEVER): Promise<VerificationAnswer> =>
	natsChannel({ settings, env })(job, signal);

describe("a result in the stream", () => {
	test("is found by who asks again, also under a later lease, and nobody is asked", async () => {
		const settings = ownSettings();
		const { jobs, stop } = await serve(settings, async () => passed());
		expect(await ask(settings)).toEqual(passed());
		await stop();
		expect(await ask(settings)).toEqual(passed());
		expect(await ask(settings, jobOf({ fence: fenceOf(2) }))).toEqual(passed());
		expect(jobs).toEqual([jobOf()]);
	});

	test("of another epoch counts only if it is a verdict", async () => {
		const settings = ownSettings();
		const { jobs } = await serve(settings, async ({ fence }) =>
			fence.epoch === 1 ? roleFailed : passed(),
		);
		expect(await ask(settings)).toEqual(roleFailed);
		expect(await ask(settings, jobOf({ fence: fenceOf(2) }))).toEqual(passed());
		expect(jobs.map(({ fence }) => fence.epoch)).toEqual([1, 2]);
	});

	test.each(OTHERS)("is not that of %s", async (_of, part) => {
		const settings = ownSettings();
		const { jobs } = await serve(settings, async ({ asked }) => passed(asked + 1));
		await ask(settings);
		await ask(settings, jobOf(part));
		expect(jobs).toEqual([jobOf(), jobOf(part)]);
	});

	test("that refuses a request is told once, and the request can be made again", async () => {
		const settings = ownSettings();
		let calls = 0;
		await serve(settings, async () => {
			calls += 1;
			return calls === 1 ? refused("git holds a lock", true) : passed();
		});
		expect(await ask(settings)).toEqual(refused("git holds a lock", true));
		expect(await ask(settings)).toEqual(passed());
	});
});

test("two processes that ask the same at once are answered by one piece of work", async () => {
	const settings = ownSettings();
	const go = Promise.withResolvers<void>();
	const { jobs } = await serve(
		settings,
		async () => {
			await go.promise;
			return passed();
		},
		{ slots: 2 },
	);
	const answers = [ask(settings), ask(settings)];
	await waitUntil("it works", () => jobs.length > 0);
	const { manager } = await session(settings);
	const { state } = await manager.streams.info(settings.streamName);
	expect(state.messages).toBe(1);
	go.resolve();
	expect(await Promise.all(answers)).toEqual([passed(), passed()]);
	expect(jobs.length).toBe(1);
});

test("a refusal reaches who asked as a Fault with its code", async () => {
	const settings = ownSettings();
	await serve(settings, async () => refused("run r1 was taken over by another process"));
	const from = { fence: fenceOf(1), epoch: 0, items: 0, slot: 0, signal: NEVER };
	const verifier = remoteVerifier(natsChannel({ settings, env }), from);
	await expect(verifier.verify(jobOf().request)).rejects.toMatchObject({
		name: "Fault",
		code: "lease-lost",
		message: "run r1 was taken over by another process",
	});
});

test("work that takes longer than ack_wait is not given to another verifier as long as it lives", async () => {
	const settings = ownSettings({ ackWaitMs: 1_000 });
	const { promise, resolve } = Promise.withResolvers<void>();
	const first = await serve(settings, async () => {
		await promise;
		return passed();
	});
	const second = await serve(settings, async () => refused("the other one has it"));
	const answer = ask(settings);
	await waitUntil("it works", () => first.jobs.length + second.jobs.length > 0);
	const timer = setTimeout(resolve, 2_500);
	expect([passed(), refused("the other one has it")]).toContainEqual(await answer);
	clearTimeout(timer);
	expect(first.jobs.length + second.jobs.length).toBe(1);
});

describe("what cannot be done", () => {
	test("a message that is no request is put away and not given out again", async () => {
		const settings = ownSettings();
		const { stream, manager } = await session(settings);
		await stream.publish(settings.triggerSubject, "{ no request");
		const { told, jobs } = await serve(settings, async () => passed());
		await waitUntil("it was looked at", () => told.length > 0);
		expect(told).toEqual([
			`a message on ${settings.triggerSubject} is no request; it was put away`,
		]);
		// What comes behind it is done.
		expect(await ask(settings)).toEqual(passed());
		expect(jobs.length).toBe(1);
		// An answer reaches who asked before its message is acknowledged.
		await waitUntil("nothing is left to be given out", async () => {
			const of = await manager.consumers.info(settings.streamName, settings.consumerName);
			return of.num_ack_pending + of.num_redelivered + of.num_pending === 0;
		});
		expect(told.filter((line) => line.includes("it was put away")).length).toBe(1);
	});

	test("a request that meets a bug is refused, and not given out again", async () => {
		const settings = ownSettings();
		const { told } = await serve(settings, () => Promise.reject(new TypeError("x is undefined")));
		const answer = await ask(settings);
		expect(answer).toMatchObject({ kind: "refused", fault: { code: "verifier-unavailable" } });
		expect(told[1]).toMatch(/met a bug: x is undefined/);
		expect(told.length).toBe(3);
	});

	test("a request of another schema, and one whose context is another's, are refused", async () => {
		const settings = ownSettings({ contextTimeoutMs: 2_000 });
		const { stream, bucket } = await session(settings);
		const { jobs, told } = await serve(settings, async () => passed());
		const message = { id: "i", key: "k", epoch: 1, run: "r1", task: "t", turn: 1, context: "c" };
		await bucket.put("c", JSON.stringify(jobOf()));
		for (const schema of [2, 1])
			await stream.publish(settings.triggerSubject, JSON.stringify({ ...message, schema }));
		await waitUntil("both are answered", () => told.length === 4);
		expect(told).toEqual(["asked i", "refused", "asked i", "refused"]);
		expect(jobs).toEqual([]);
	});

	test("a request that ended its verifier ten times is given to no further one", async () => {
		const settings = ownSettings({ ackWaitMs: 60_000 });
		const { stream } = await session(settings);
		const answer = ask(settings);
		const consumer = await stream.consumers.get(settings.streamName, settings.consumerName);
		for (let times = 0; times < 10; times += 1) (await consumer.next({ expires: 10_000 }))?.nak();
		const { jobs } = await serve(settings, async () => passed());
		expect(await answer).toMatchObject({
			kind: "refused",
			fault: { message: textLike("was given out 10 times") },
		});
		expect(jobs).toEqual([]);
	});
});

describe("who is away", () => {
	const wires: Wire[] = [];
	const wired = async (): Promise<Wire> => {
		const wire = await wireTo(natsAddress());
		wires.push(wire);
		endings.push(() => wire.close());
		return wire;
	};

	test("a server that cannot be reached is named, with what to do", async () => {
		const wire = await wired();
		wire.cut();
		const settings = ownSettings({ servers: [wire.address], contextTimeoutMs: 1_000 });
		const fault = await ask(settings).catch((error: unknown) => error);
		expect(fault).toBeInstanceOf(Fault);
		expect(fault).toMatchObject({ code: "verifier-unavailable", retryable: true });
		expect(String(fault)).toContain(`NATS at ${wire.address} cannot be reached`);
	});

	test("a server that goes away and comes back delays the result, and loses nothing", async () => {
		const wire = await wired();
		const settings = ownSettings({ servers: [wire.address], ackWaitMs: 60_000 });
		const go = Promise.withResolvers<void>();
		const { jobs } = await serve(settings, async () => {
			await go.promise;
			return passed();
		});
		const answer = ask(settings);
		await waitUntil("it works", () => jobs.length > 0);
		wire.cut();
		go.resolve();
		const timer = setTimeout(() => wire.restore(), 1_000);
		expect(await answer).toEqual(passed());
		clearTimeout(timer);
	});

	test("a verifier that was cut off for as long as ack_wait stops its work: another one has it", async () => {
		const wire = await wired();
		const settings = ownSettings({ ackWaitMs: 900 });
		const reasons: unknown[] = [];
		const cutOff = await serve(
			{ ...settings, servers: [wire.address] },
			(_job, signal) =>
				new Promise((_resolve, reject) => {
					signal.addEventListener("abort", () => {
						reasons.push(signal.reason);
						reject(new Error("stopped"));
					});
				}),
		);
		const answer = ask(settings);
		await waitUntil("it works", () => cutOff.jobs.length > 0);
		const other = await serve(settings, async () => passed());
		wire.cut();
		expect(await answer).toEqual(passed());
		expect(other.jobs.length).toBe(1);
		await waitUntil("it stopped", () => reasons.length > 0);
		expect(String(reasons[0])).toContain("another verifier has the request");
		wire.restore();
	});

	test("where nobody serves, it is said after context_timeout; the wait ends at once when it is aborted", async () => {
		const settings = ownSettings({ contextTimeoutMs: 500 });
		await expect(ask(settings)).rejects.toMatchObject({
			code: "verifier-unavailable",
			hint: "Start one with `spar verifier`, then `spar resume r1`.",
		});
		const aborted = new AbortController();
		const waiting = ask(ownSettings(), jobOf(), aborted.signal);
		const reason = new Error("Ctrl-C");
		aborted.abort(reason);
		await expect(waiting).rejects.toBe(reason);
	});

	test("a server that refuses the user says so at once, and which variables tell who asks", async () => {
		const server = await startNats("--auth", "a-token");
		endings.push(() => server.stop());
		const settings = ownSettings({ servers: [server.address], contextTimeoutMs: 60_000 });
		await expect(ask(settings)).rejects.toMatchObject({
			message: `NATS at ${server.address} refuses this user`,
			hint: textLike("NATS_TOKEN"),
			retryable: false,
		});
		const place = { settings, env: { NATS_TOKEN: "a-token" } };
		await (await openSession(place, NEVER)).close();
	});

	test("a stream that takes other subjects is not used", async () => {
		const { manager } = await session(ownSettings());
		const settings = ownSettings();
		await manager.streams.add({
			name: settings.streamName,
			subjects: [`${settings.streamName}.x`],
		});
		await expect(ask(settings)).rejects.toMatchObject({
			message: `the stream ${settings.streamName} does not take ${settings.triggerSubject}`,
		});
	});

	test("a request that is larger than the server takes is refused before it is sent", async () => {
		const settings = ownSettings();
		const { request } = jobOf();
		const task = { ...request.task, description: "x".repeat(1_100_000) };
		const job = jobOf({ request: { ...request, task } });
		await expect(ask(settings, job)).rejects.toMatchObject({
			message: textLike(/has 1\d{6} bytes, and NATS at .* takes 1048576/),
		});
	});
});
