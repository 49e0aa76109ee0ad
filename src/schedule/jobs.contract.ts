import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { Execute, JobRequest, Jobs, QueueName, TakenJob } from "./jobs.ts";

/** Jobs to try, and what lets them be tried without waiting. */
export interface JobsUnderTest {
	readonly jobs: Jobs;
	/** Does something in a transaction of the records, which is rolled back when it throws. */
	transaction(work: (execute: Execute) => Promise<void>): Promise<void>;
	/** Lets so many seconds pass for the jobs that are there. */
	pass(seconds: number): Promise<void>;
	close(): Promise<void>;
}

const SCHEDULE: QueueName = { kind: "schedule" };
const PLAIN = { kind: "task", tags: [] } as const;
const GPU = { kind: "task", tags: ["gpu", "linux"] } as const;

const taskJob = (taskId: string, queue: QueueName = PLAIN): JobRequest => ({
	queue,
	runId: "r1",
	taskId,
});

/** Rules that every engine of jobs keeps; called by the adapter's own test. */
export function jobsContract(name: string, open: () => Promise<JobsUnderTest>): void {
	let given: JobsUnderTest;
	let jobs: Jobs;
	beforeEach(async () => {
		given = await open();
		jobs = given.jobs;
	});
	afterEach(() => given.close());

	const only = async (queue: QueueName): Promise<TakenJob> => {
		const [job, ...more] = await jobs.take(queue, 10);
		if (job === undefined || more.length > 0) throw new Error("there is not one job");
		return job;
	};
	const names = (taken: readonly TakenJob[]) => taken.map(({ taskId }) => taskId);
	const backAgain = async (queue: QueueName): Promise<TakenJob> => {
		let back: TakenJob | undefined;
		const look = async (): Promise<boolean> => {
			[back] = await jobs.take(queue, 1);
			return back !== undefined;
		};
		await expect.poll(look, { timeout: 60_000, interval: 100 }).toBe(true);
		if (back === undefined) throw new Error("no job came back");
		return back;
	};

	describe(`${name}: jobs`, () => {
		test("jobs are taken once, oldest first, and no more than are asked for", async () => {
			for (const task of ["a", "b", "c"]) await jobs.send(taskJob(task));
			expect(new Set(names(await jobs.take(PLAIN, 2)))).toEqual(new Set(["a", "b"]));
			expect(names(await jobs.take(PLAIN, 2))).toEqual(["c"]);
			expect(await jobs.take(PLAIN, 2)).toEqual([]);
		});

		test("each set of tags is a queue of its own, and those into which anything was sent are known", async () => {
			await jobs.send(taskJob("a", GPU));
			expect(await jobs.take(PLAIN, 1)).toEqual([]);
			expect(await jobs.queues()).toContainEqual(GPU);
			expect(await only(GPU)).toMatchObject({ runId: "r1", taskId: "a", queue: GPU, retries: 0 });
			expect(await jobs.queues()).toContainEqual(GPU);
		});

		test("of a task at most one job waits or is worked on, until it is done", async () => {
			await jobs.send(taskJob("a"));
			await jobs.send(taskJob("a"));
			const job = await only(PLAIN);
			await jobs.send(taskJob("a"));
			expect(await jobs.take(PLAIN, 1)).toEqual([]);
			await jobs.done(job);
			await jobs.send(taskJob("a"));
			expect((await only(PLAIN)).taskId).toBe("a");
		});

		test("of scheduling one waits beside one that is worked on, since what happens meanwhile is to be looked at", async () => {
			const request = { queue: SCHEDULE, runId: "r1", taskId: null };
			await jobs.send(request);
			await only(SCHEDULE);
			await jobs.send(request);
			await jobs.send(request);
			expect((await only(SCHEDULE)).runId).toBe("r1");
		});

		test("scheduling is sent with the transaction that is its cause, or not at all", async () => {
			const failed = given.transaction(async (execute) => {
				await jobs.announce(execute, "r1");
				throw new Error("rolled back");
			});
			await expect(failed).rejects.toThrow("rolled back");
			expect(await jobs.take(SCHEDULE, 1)).toEqual([]);
			await given.transaction((execute) => jobs.announce(execute, "r1"));
			expect((await only(SCHEDULE)).runId).toBe("r1");
		});

		test("once a task is done its run is scheduled", async () => {
			await jobs.send(taskJob("a"));
			expect(await jobs.take(SCHEDULE, 1)).toEqual([]);
			await jobs.done(await only(PLAIN));
			expect(await only(SCHEDULE)).toMatchObject({ runId: "r1", taskId: null });
		});

		test("a job can be sent for later", async () => {
			await jobs.send({ ...taskJob("a"), afterSeconds: 30 });
			expect(await jobs.take(PLAIN, 1)).toEqual([]);
			await given.pass(31);
			expect((await only(PLAIN)).taskId).toBe("a");
		});

		test("what is given back is taken again after a pause, and says how often", async () => {
			await jobs.send(taskJob("a"));
			await jobs.giveBack(await only(PLAIN), "the remote is away");
			await given.pass(61);
			expect(await backAgain(PLAIN)).toMatchObject({ taskId: "a", retries: 1 });
		});

		test("a job whose worker says nothing comes back, and that worker ends it no more", async () => {
			await jobs.send(taskJob("a"));
			const lost = await only(PLAIN);
			await given.pass(15);
			await jobs.keep(lost);
			await given.pass(15);
			expect(await jobs.take(PLAIN, 1)).toEqual([]);
			await given.pass(61);
			const back = await backAgain(PLAIN);
			expect(back).toMatchObject({ taskId: "a", retries: 1 });
			await jobs.done(lost).catch(() => undefined);
			await jobs.send(taskJob("a"));
			expect(await jobs.take(PLAIN, 1)).toEqual([]);
			await jobs.done(back);
		});

		test("tasks that wait are counted, with the age of the oldest; scheduling does not count", async () => {
			expect(await jobs.waiting()).toEqual({ jobs: 0, oldestSeconds: 0 });
			await jobs.send({ queue: SCHEDULE, runId: "r1", taskId: null });
			await jobs.send(taskJob("a"));
			await given.pass(40);
			await jobs.send(taskJob("b", GPU));
			const { jobs: count, oldestSeconds } = await jobs.waiting();
			expect(count).toBe(2);
			expect(oldestSeconds).toBeGreaterThanOrEqual(40);
			await only(PLAIN);
			expect((await jobs.waiting()).jobs).toBe(1);
		});
	});
}
