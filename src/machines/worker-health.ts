import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { Fault } from "../kernel/fault.ts";
import type { Jobs } from "../schedule/jobs.ts";
import type { TraceEvent } from "../trace/event.ts";
import { knownCost } from "../words/evidence-text.ts";

// Longer than the database may be away before calls are given up.
const LIVE_MS = 120_000;
const READY_MS = 15_000;

/** Counts of a worker since it started, for those who watch it. */
export class Vitals {
	slots = 0;
	busy = 0;
	lacks = 0;
	draining = false;
	leaseLosses = 0;
	readonly #calls = { answered: 0, failed: 0 };
	#costUsd = 0;
	// Monotonic, in ms: when its loop last came round, and when it last reached the store.
	#turnedAt = performance.now();
	#reachedAt = Number.NEGATIVE_INFINITY;

	turned(reached: boolean): void {
		this.#turnedAt = performance.now();
		if (reached) this.#reachedAt = this.#turnedAt;
	}

	count(event: TraceEvent): void {
		if (event.type !== "agent-answered" && event.type !== "agent-failed") return;
		this.#calls[event.type === "agent-answered" ? "answered" : "failed"] += 1;
		this.#costUsd += knownCost(event.data.usage) ?? 0;
	}

	get isLive(): boolean {
		return performance.now() - this.#turnedAt < LIVE_MS;
	}

	get isReady(): boolean {
		return !this.draining && performance.now() - this.#reachedAt < READY_MS;
	}

	/** Metrics in the text format of Prometheus. */
	metrics({ jobs, oldestSeconds }: Awaited<ReturnType<Jobs["waiting"]>>): string {
		const metric = (
			[name, type, help]: readonly [string, "gauge" | "counter", string],
			...values: readonly (readonly [label: string, value: number])[]
		): string =>
			[
				`# HELP sparring_${name} ${help}`,
				`# TYPE sparring_${name} ${type}`,
				...values.map(([label, value]) => `sparring_${name}${label} ${value}`),
			].join("\n");
		return `${[
			metric(["tasks_waiting", "gauge", "Tasks in all queues of the store."], ["", jobs]),
			metric(["oldest_task_seconds", "gauge", "Age of the oldest of them."], ["", oldestSeconds]),
			metric(["worker_slots", "gauge", "Tasks that this worker takes at once."], ["", this.slots]),
			metric(["worker_busy", "gauge", "Tasks that it works on."], ["", this.busy]),
			metric(["worker_lacks", "gauge", "What it lacks to work on runs."], ["", this.lacks]),
			metric(["worker_draining", "gauge", "1: it takes nothing new."], ["", Number(this.draining)]),
			metric(
				["calls_total", "counter", "Calls of agents that ended here."],
				['{outcome="answered"}', this.#calls.answered],
				['{outcome="failed"}', this.#calls.failed],
			),
			metric(["cost_usd_total", "counter", "Known cost of these calls."], ["", this.#costUsd]),
			metric(["lease_losses_total", "counter", "Leases that it lost."], ["", this.leaseLosses]),
		].join("\n")}\n`;
	}
}

/** Address on which a worker tells how it is. */
export interface HealthAddress {
	readonly host: string;
	/** 0: a free one. */
	readonly port: number;
}

/**
 * Serves `/live`, `/ready` and `/metrics` of a worker, until it is closed.
 *
 * @throws Fault `usage` where the address cannot be used
 */
export async function serveHealth(
	{ host, port }: HealthAddress,
	vitals: Vitals,
	waiting: Jobs["waiting"],
): Promise<{ readonly url: string; close(): Promise<void> }> {
	const server = createServer((request, response) => {
		void answer(request, response, { vitals, waiting });
	});
	try {
		await new Promise<void>((resolve, reject) => {
			server.once("error", reject).listen(port, host, resolve);
		});
	} catch (cause) {
		const why = cause instanceof Error ? cause.message : String(cause);
		throw new Fault(`the health of the worker cannot be served on ${host}:${port}: ${why}`, {
			code: "usage",
			hint: "Name a free port: spar worker --health 9464, or an address: --health 0.0.0.0:9464",
			cause,
		});
	}
	// True because it listens on a port, not on a socket of the file system.
	const at = server.address() as AddressInfo;
	return {
		url: `http://${at.family === "IPv6" ? `[${at.address}]` : at.address}:${at.port}`,
		close: () =>
			new Promise((resolve) => {
				server.close(() => resolve());
				server.closeAllConnections();
			}),
	};
}

async function answer(
	{ url, method }: IncomingMessage,
	response: ServerResponse,
	{ vitals, waiting }: { readonly vitals: Vitals; readonly waiting: Jobs["waiting"] },
): Promise<void> {
	const say = (code: number, text: string): void => {
		const type = "text/plain; version=0.0.4; charset=utf-8";
		response.writeHead(code, { "Content-Type": type, "Cache-Control": "no-store" }).end(text);
	};
	const state = (holds: boolean, text: string): void => say(holds ? 200 : 503, `${text}\n`);
	if (method !== "GET" && method !== "HEAD") return say(405, "only GET\n");
	if (url === "/live") return state(vitals.isLive, vitals.isLive ? "live" : "stuck");
	if (url === "/ready") {
		const why = vitals.draining ? "draining" : "the store cannot be reached";
		return state(vitals.isReady, vitals.isReady ? "ready" : why);
	}
	if (url !== "/metrics") return say(404, "/live, /ready, /metrics\n");
	try {
		say(200, vitals.metrics(await waiting()));
	} catch {
		say(503, "the store cannot be reached\n");
	}
}
