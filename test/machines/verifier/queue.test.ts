import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { verifierStand } from "../../../src/loop/verification/verifier-stand.fixture.ts";
import { remoteVerifier } from "../../../src/verification/remote-job.ts";
import { describeVerifierContract } from "../../../src/verification/verifier.contract.ts";
import { textLike } from "../../acceptance/stage.ts";
import { waitUntil } from "../../support/wait-until.ts";
import { proxyTo } from "../support/proxy.ts";
import { jobOf, OTHERS, passed, refused, roleFailed } from "./jobs.fixture.ts";
import { type QueueStand, queueStand } from "./queue-stand.fixture.ts";

const NEVER = new AbortController().signal;

const stands: QueueStand[] = [];
let stand: QueueStand;

async function openStand(): Promise<QueueStand> {
	const opened = await queueStand();
	stands.push(opened);
	return opened;
}

beforeEach(async () => {
	stand = await openStand();
});
afterEach(async () => {
	for (const each of stands.splice(0)) await each.remove();
});

describeVerifierContract("a verifier that is asked over the queue", async (script) => {
	const own = await verifierStand(script);
	const { serve, job, channel } = await openStand();
	await serve(async ({ request, asked }) => {
		const verifier = own.inTurn(request.turn, asked);
		const outcome = await verifier.verify(request);
		return { kind: "outcome", outcome, asked: verifier.asked() };
	});
	const { fence } = job({ request: own.request });
	const from = { fence, epoch: 1, items: 0, slot: 0, signal: NEVER };
	return { ...own, open: () => remoteVerifier(channel(), from) };
});

describe("a stored answer", () => {
	test("is found by who asks again, also under a later lease, and nobody is asked", async () => {
		const { jobs, stop } = await stand.serve(async () => passed());
		expect(await stand.ask()).toEqual(passed());
		await stop();
		expect(await stand.ask()).toEqual(passed());
		await stand.takeOver();
		expect(await stand.ask()).toEqual(passed());
		expect(jobs.length).toBe(1);
	});

	test("to another holder counts only if it is a verdict", async () => {
		const { jobs } = await stand.serve(async () => (jobs.length === 1 ? roleFailed : passed()));
		expect(await stand.ask()).toEqual(roleFailed);
		expect(await stand.ask()).toEqual(roleFailed);
		await stand.takeOver();
		expect(await stand.ask()).toEqual(passed());
		expect(jobs.length).toBe(2);
	});

	test.each(OTHERS)("is not that of %s", async (_of, part) => {
		const { jobs } = await stand.serve(async ({ asked }) => passed(asked + 1));
		await stand.ask();
		const other = stand.job(part);
		await stand.ask(other);
		expect(jobs).toEqual([stand.job(), other]);
	});

	test("that refuses is told once, and the request can be made again", async () => {
		const no = refused("git holds a lock", true);
		const { jobs } = await stand.serve(async () => (jobs.length === 1 ? no : passed()));
		expect(await stand.ask()).toEqual(no);
		expect(await stand.ask()).toEqual(passed());
	});

	test("belongs to a request that holds no secret", async () => {
		const masker = { mask: (text: string) => text.replaceAll("hunter2", "***"), longest: 7 };
		const { jobs } = await stand.serve(async () => passed());
		const { request } = stand.job();
		const task = { ...request.task, description: "the password is hunter2" };
		await stand.ask(stand.job({ request: { ...request, task } }), NEVER, { masker });
		expect(jobs[0]?.request.task.description).toBe("the password is ***");
		const schema = `${stand.postgres.schema}_jobs`;
		const { rows } = await stand.postgres.query(`SELECT data::text AS body FROM ${schema}.job`);
		expect(rows.map(({ body }) => String(body)).join("\n")).toContain("the password is ***");
		expect(rows.map(({ body }) => String(body)).join("\n")).not.toContain("hunter2");
	});
});

test("two processes that ask the same at once are answered by one piece of work", async () => {
	const go = Promise.withResolvers<void>();
	const { jobs } = await stand.serve(
		async () => {
			await go.promise;
			return passed();
		},
		{ slots: 2 },
	);
	const answers = [stand.ask(), stand.ask()];
	await waitUntil("it works", () => jobs.length > 0);
	go.resolve();
	expect(await Promise.all(answers)).toEqual([passed(), passed()]);
	expect(jobs.length).toBe(1);
});

test("requests of one task are done one after the other, those of two tasks at once", async () => {
	const go = Promise.withResolvers<void>();
	const { jobs } = await stand.serve(
		async () => {
			await go.promise;
			return passed();
		},
		{ slots: 3 },
	);
	const { request } = stand.job();
	const later = stand.job({ request: { ...request, turn: 2 } });
	const other = stand.job({ request: { ...request, task: { ...request.task, id: "limiter" } } });
	const answers = [stand.ask(), stand.ask(later), stand.ask(other)];
	const stored = `SELECT count(*) AS taken FROM ${stand.postgres.schema}_jobs.job WHERE state = 'active'`;
	while ((await stand.postgres.query(stored)).rows[0]?.["taken"] !== 3);
	await waitUntil("two are worked on", () => jobs.length === 2);
	expect(new Set(jobs.map((job) => job.request.task.id)).size).toBe(2);
	go.resolve();
	await Promise.all(answers);
	expect(jobs.length).toBe(3);
});

test("a refusal reaches who asked as a Fault with its code", async () => {
	await stand.serve(async () => refused("task limiter was taken over by another process"));
	const { fence } = stand.job();
	const from = { fence, epoch: 0, items: 0, slot: 0, signal: NEVER };
	const verifier = remoteVerifier(stand.channel(), from);
	await expect(verifier.verify(jobOf().request)).rejects.toMatchObject({
		name: "Fault",
		code: "lease-lost",
		message: "task limiter was taken over by another process",
	});
});

test("a verifier that is told to end hands its request back, and another one takes it", async () => {
	const first = await stand.serve(
		(_job, signal) =>
			new Promise((_resolve, reject) => {
				signal.addEventListener("abort", () => reject(new Error("stopped")));
			}),
	);
	const answer = stand.ask();
	await waitUntil("it works", () => first.jobs.length > 0);
	await first.stop();
	const second = await stand.serve(async () => passed());
	expect(await answer).toEqual(passed());
	expect([first.told.at(-1), second.jobs.length]).toEqual(["handed back", 1]);
});

test("a request that came back to the worker that works on it is ended with it", async () => {
	const reasons: unknown[] = [];
	const { jobs, stop } = await stand.serve(
		(_job, signal) =>
			new Promise((_resolve, reject) => {
				signal.addEventListener("abort", () => {
					reasons.push(signal.reason);
					reject(new Error("stopped"));
				});
			}),
		{ slots: 2 },
	);
	const aborted = new AbortController();
	const answer = stand.ask(stand.job(), aborted.signal).catch(() => null);
	await waitUntil("it works", () => jobs.length > 0);
	const table = `${stand.postgres.schema}_jobs.job`;
	const verify = "name LIKE 'spar.verify%'";
	await stand.postgres.query(`UPDATE ${table} SET state = 'retry' WHERE ${verify}`);
	const taken = `SELECT 1 FROM ${table} WHERE ${verify} AND state = 'active' AND retry_count > 0`;
	while ((await stand.postgres.query(taken)).rows.length === 0);
	await stop();
	expect(reasons.map(String)).toEqual(["Error: it is told to end"]);
	aborted.abort(new Error("the test ends"));
	await answer;
});

test("what was verified for a holder that lost the task is not stored, and the new one is answered", async () => {
	const go = Promise.withResolvers<void>();
	const { jobs, told } = await stand.serve(async ({ fence }) => {
		if (fence.epoch === 1) await go.promise;
		return passed(fence.epoch);
	});
	const aborted = new AbortController();
	const lost = stand.ask(stand.job(), aborted.signal).catch((error: unknown) => error);
	await waitUntil("it works", () => jobs.length > 0);
	await stand.takeOver();
	aborted.abort(new Error("the lease is lost"));
	expect(await lost).toMatchObject({ message: "the lease is lost" });
	const answer = stand.ask();
	go.resolve();
	expect(await answer).toEqual(passed(2));
	expect(told.filter((each) => !each.startsWith("asked"))).toEqual(["refused", "outcome"]);
});

test("a job that was lost is sent again", async () => {
	const answer = stand.ask(stand.job(), NEVER, { sendMs: 1_000 });
	const jobs = `${stand.postgres.schema}_jobs.job`;
	let sent = 0;
	while (sent === 0)
		sent = (await stand.postgres.query(`DELETE FROM ${jobs} WHERE name LIKE 'spar.verify%'`))
			.changes;
	await stand.serve(async () => passed());
	expect(await answer).toEqual(passed());
});

test("a worker without the tags of the verifier leaves the request to one that has them", async () => {
	const program = { adapter: "command", name: "eve", run: ["x"], env: [], timeoutMs: 1 } as const;
	const tagged = { ...program, tags: ["gpu"] };
	const part = { workflow: { agents: { eve: tagged } } };
	const without = await stand.serve(async () => passed(), { tags: ["linux"] });
	const notices: string[] = [];
	const answer = stand.ask(stand.job(), NEVER, {
		...part,
		onNotice: (text) => notices.push(text),
	});
	await waitUntil("it is told that nobody is there", () => notices.length > 0);
	expect(notices).toEqual([
		"the verification of task limiter.v2 waits: no worker runs that has gpu",
	]);
	await stand.serve(async () => passed(), { tags: ["gpu", "linux"] });
	expect(await answer).toEqual(passed());
	expect(without.jobs).toEqual([]);
});

describe("what cannot be done", () => {
	test("where nobody serves, it is said after a while; the wait ends at once when it is aborted", async () => {
		await expect(stand.ask(stand.job(), NEVER, { patienceMs: 1 })).rejects.toMatchObject({
			code: "verifier-unavailable",
			hint: textLike("Start `spar worker` or `spar verifier`, then `spar resume r1`."),
		});
		const aborted = new AbortController();
		const waiting = stand.ask(stand.job(), aborted.signal);
		const reason = new Error("Ctrl-C");
		aborted.abort(reason);
		await expect(waiting).rejects.toBe(reason);
	});

	test("a request that meets a bug is refused, and not given out again", async () => {
		const { told, jobs } = await stand.serve(() => Promise.reject(new TypeError("x is undefined")));
		expect(await stand.ask()).toMatchObject({
			kind: "refused",
			fault: { code: "verifier-unavailable" },
		});
		expect(told).toContainEqual(textLike("met a bug: x is undefined"));
		expect(jobs.length).toBe(1);
	});

	test("a request that ended its verifier ten times is given to no further one", async () => {
		const answer = stand.ask();
		const jobs = `${stand.postgres.schema}_jobs.job`;
		const sql = `UPDATE ${jobs} SET retry_count = 11 WHERE name LIKE 'spar.verify%'`;
		while ((await stand.postgres.query(sql)).changes === 0);
		const served = await stand.serve(async () => passed());
		expect(await answer).toMatchObject({
			kind: "refused",
			fault: { message: textLike("was given out 10 times") },
		});
		expect(served.jobs).toEqual([]);
	});
});

test("a verifier that was cut off stops its work: another one has it", async () => {
	const network = await proxyTo(stand.address);
	const far = await stand.openAt(network.address);
	const reasons: unknown[] = [];
	const cutOff = await stand.serve(
		(_job, signal) =>
			new Promise((_resolve, reject) => {
				signal.addEventListener("abort", () => {
					reasons.push(signal.reason);
					reject(new Error("stopped"));
				});
			}),
		{ store: far },
	);
	const answer = stand.ask();
	await waitUntil("it works", () => cutOff.jobs.length > 0);
	network.swallow();
	const other = await stand.serve(async () => passed());
	expect(await answer).toEqual(passed());
	expect(other.jobs.length).toBe(1);
	await waitUntil("it stopped", () => reasons.length > 0);
	expect(String(reasons[0])).toContain("another worker has the request");
	network.restore();
	await network.close();
});
