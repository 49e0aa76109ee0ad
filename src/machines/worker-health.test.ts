import { expect, onTestFinished, test } from "vitest";
import type { TraceEvent } from "../trace/event.ts";
import { serveHealth, Vitals } from "./worker-health.ts";

const ended = (type: "agent-answered" | "agent-failed", costUsd: number | null): TraceEvent => {
	const usage = { inputTokens: null, outputTokens: null, costUsd, model: null };
	// Only what is counted of an event.
	return { type, data: { usage } } as unknown as TraceEvent;
};

async function scene(waiting = async () => ({ jobs: 3, oldestSeconds: 12.5 })) {
	const vitals = new Vitals();
	const served = await serveHealth({ host: "127.0.0.1", port: 0 }, vitals, waiting);
	onTestFinished(() => served.close());
	const get = async (path: string, method = "GET"): Promise<readonly [number, string]> => {
		const response = await fetch(`${served.url}${path}`, { method });
		return [response.status, await response.text()];
	};
	return { vitals, get, url: served.url };
}

test("a worker is ready while it reaches the store and takes something new, and lives all the same", async () => {
	const { vitals, get } = await scene();
	expect(await get("/ready")).toEqual([503, "the store cannot be reached\n"]);
	vitals.turned(true);
	expect(await get("/ready")).toEqual([200, "ready\n"]);
	vitals.draining = true;
	expect(await get("/ready")).toEqual([503, "draining\n"]);
	expect(await get("/live")).toEqual([200, "live\n"]);
	expect((await get("/secrets"))[0]).toBe(404);
	expect((await get("/ready", "POST"))[0]).toBe(405);
});

test("metrics are in the text format of Prometheus: queue, calls, cost and lost leases", async () => {
	const { vitals, get } = await scene();
	vitals.count(ended("agent-answered", 0.25));
	vitals.count(ended("agent-failed", null));
	vitals.leaseLosses += 1;
	const [code, text] = await get("/metrics");
	expect(code).toBe(200);
	const lines = text.trimEnd().split("\n");
	expect(lines).toEqual(
		expect.arrayContaining([
			"sparring_tasks_waiting 3",
			"sparring_oldest_task_seconds 12.5",
			'sparring_calls_total{outcome="answered"} 1',
			'sparring_calls_total{outcome="failed"} 1',
			"sparring_cost_usd_total 0.25",
			"sparring_lease_losses_total 1",
		]),
	);
	const line =
		/^(?:# (?:HELP|TYPE) sparring_[a-z_]+ \S.*|sparring_[a-z_]+(?:\{[a-z]+="[a-z]+"\})? \d+(?:\.\d+)?)$/;
	expect(lines.filter((each) => !line.test(each))).toEqual([]);
});

test("metrics say so where the store is away, and a port that is taken is told", async () => {
	const { get, url } = await scene(() => Promise.reject(new Error("away")));
	expect(await get("/metrics")).toEqual([503, "the store cannot be reached\n"]);
	const port = Number(new URL(url).port);
	await expect(
		serveHealth({ host: "127.0.0.1", port }, new Vitals(), async () => ({
			jobs: 0,
			oldestSeconds: 0,
		})),
	).rejects.toMatchObject({ code: "usage", hint: expect.stringContaining("--health") as unknown });
});
