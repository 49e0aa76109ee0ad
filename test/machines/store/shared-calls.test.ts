import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { connectPostgres, type Postgres } from "../../../src/store/postgres/postgres.ts";
import { postgresCalls } from "../../../src/store/postgres/shared-calls.ts";
import type { CallInFlight } from "../../../src/store/shared-calls.ts";
import { type TestStore, testStore } from "../support/store.ts";

const RUN = "r1";

let store: TestStore;
let other: Postgres;

beforeEach(async () => {
	store = await testStore();
	other = await connectPostgres(store.address);
});

afterEach(async () => {
	vi.useRealTimers();
	await other.close();
	await store.remove();
});

/** What two machines know of each other. */
const machines = () => ({
	one: postgresCalls(store.postgres)(RUN),
	two: postgresCalls(other)(RUN),
});

/** What a process wrote that said nothing for so long. */
const age = (seconds: number) =>
	store.postgres.query(`UPDATE calls_under_way SET beat = beat - interval '${seconds} seconds'`);

test("an agent has as many places over all machines as its limit says, and one that was given back is free", async () => {
	const { one, two } = machines();
	const taken = await one.place("dev", 2);
	const again = await two.place("dev", 2);
	expect(await one.place("dev", 2)).toBeNull();
	expect(await two.place("dev", 2)).toBeNull();
	expect(await two.place("other", 1)).not.toBeNull();
	expect(await postgresCalls(other)("another run").place("dev", 1)).not.toBeNull();
	taken?.();
	taken?.();
	expect(await one.place("dev", 2)).not.toBeNull();
	expect(await one.place("dev", 2)).toBeNull();
	again?.();
});

test("what a machine took that died is free after 30 s without a word", async () => {
	const { one, two } = machines();
	await one.place("dev", 1);
	await age(29);
	expect(await two.place("dev", 1)).toBeNull();
	await age(2);
	expect(await two.place("dev", 1)).not.toBeNull();
	const { rows } = await other.query("SELECT count(*) AS n FROM calls_under_way");
	expect(rows).toEqual([{ n: 1 }]);
});

test("a machine says every five seconds that its calls are under way, until they have ended", async () => {
	vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
	const { one, two } = machines();
	const end = await one.place("dev", 1);
	await age(29);
	vi.advanceTimersByTime(5_000);
	await vi.waitUntil(async () => {
		const sql = "SELECT 1 FROM calls_under_way WHERE beat > clock_timestamp() - interval '9 s'";
		return (await other.query(sql)).rows.length === 1;
	});
	end?.();
	expect(vi.getTimerCount()).toBe(0);
	await vi.waitUntil(async () => (await two.place("dev", 1)) !== null);
});

test("within a minute an agent starts as often as its limit says, on whichever machine", async () => {
	const { one, two } = machines();
	expect(await one.start("dev", 2)).toBe(0);
	expect(await two.start("dev", 2)).toBe(0);
	const ms = await one.start("dev", 2);
	expect(ms).toBeGreaterThan(50_000);
	expect(ms).toBeLessThanOrEqual(60_000);
	expect(await two.start("other", 2)).toBe(0);
	await other.query("UPDATE call_starts SET at = at - interval '1 minute' WHERE agent = 'dev'");
	expect(await two.start("dev", 2)).toBe(0);
	const { rows } = await other.query("SELECT count(*) AS n FROM call_starts WHERE agent = 'dev'");
	expect(rows).toEqual([{ n: 1 }]);
});

test("of many calls that are decided about at once, on two machines, each sees those let in before it", async () => {
	const { one, two } = machines();
	const seen: number[] = [];
	const ask = async (calls: typeof one, taskId: string) =>
		await calls.enter(async (inFlight) => {
			// As a look at the budget does, which needs a connection more.
			await store.postgres.query("SELECT 1");
			seen.push(inFlight.length);
			const call = inFlight.length < 3 ? { taskId, reserve: 0.5 } : null;
			return { call };
		});
	const tries = Array.from({ length: 15 }, (_, index) => `t${index}`);
	const entered = await Promise.all(
		tries.flatMap((taskId) => [ask(one, taskId), ask(two, taskId)]),
	);
	expect(entered.filter(({ end }) => end !== null)).toHaveLength(3);
	expect(seen.filter((count) => count < 3)).toEqual([0, 1, 2]);
});

test("what is set aside is told to the other machine, unknown amounts too", async () => {
	const { one, two } = machines();
	const enter = async (call: CallInFlight) => await one.enter(() => Promise.resolve({ call }));
	await enter({ taskId: "a", reserve: 0.25 });
	await enter({ taskId: "b", reserve: null });
	// A place is no money.
	await one.place("dev", 1);
	let inFlight: readonly CallInFlight[] = [];
	await two.enter((given) => {
		inFlight = given;
		return Promise.resolve({ call: null });
	});
	expect([...inFlight].sort((a, b) => a.taskId.localeCompare(b.taskId))).toEqual([
		{ taskId: "a", reserve: 0.25 },
		{ taskId: "b", reserve: null },
	]);
});

test("a decision that fails enters nothing, and the next one is made", async () => {
	const { one, two } = machines();
	const failing = one.enter(() => Promise.reject(new Error("no records")));
	await expect(failing).rejects.toThrow("no records");
	const next = await two.enter((inFlight) => Promise.resolve({ call: null, inFlight }));
	expect(next.decision.inFlight).toEqual([]);
});
