import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { expect, test } from "vitest";
import { anItem } from "../human/item-builder.contract.ts";
import type { Delivery } from "../human/notify/notify.ts";
import { noMasker } from "../masking/masking.ts";
import type { StoredEvent } from "../trace/event.ts";
import type { Notifier } from "../workflow/workflow.ts";
import { type NotifierRequest, runNotifier } from "./notifier-of.ts";

const item = anItem({
	id: "H1",
	runId: `notify-${process.pid}`,
	trigger: "escalation",
	reason: "stuck",
	choices: ["directive"],
});
const place = { task: "limiter", turn: 1, node: null, timestamp: item.createdAt };
const opened: StoredEvent = {
	id: 1,
	run: item.runId,
	type: "item-opened",
	...place,
	data: { item: "H1", trigger: "escalation", reason: "stuck" },
};

function notifying(onCreated: readonly Notifier[], changes: Partial<NotifierRequest> = {}) {
	const deliveries: Delivery[] = [];
	const controller = new AbortController();
	const notifier = runNotifier({
		settings: { onCreated, onT2Gate: [] },
		env: { PATH: process.env["PATH"], DISPLAY: ":7", MY_TOKEN: "tok-12345678" },
		directory: tmpdir(),
		masker: noMasker,
		signal: controller.signal,
		endSignal: new AbortController().signal,
		workflow: "demo",
		readItem: () => Promise.resolve(item),
		onDelivery: (delivery) => {
			deliveries.push(delivery);
			return Promise.resolve();
		},
		...changes,
	});
	return { notifier, deliveries, controller };
}

const says = (script: string): Notifier => ({ type: "command", run: ["sh", "-c", script] });

test("a program has the display of the desktop and no credentials", async () => {
	const script = 'echo "$DISPLAY/$' + 'MY_TOKEN" >&2; exit 1';
	const { notifier, deliveries } = notifying([says(script)]);
	notifier.onEvent(opened);
	await notifier.settled();
	expect(deliveries.map(({ reason }) => reason)).toEqual(["the program ended with 1: :7/"]);
});

const END: StoredEvent = {
	id: 2,
	run: item.runId,
	task: null,
	turn: null,
	node: null,
	timestamp: item.createdAt,
	type: "run-ended",
	data: { status: "cancelled" },
};

test("the end of a run is told to its own list, after a cancellation too", async () => {
	const run = [
		"sh",
		"-c",
		'echo "$0 $1 $2" >&2; exit 1',
		`\${STATUS}`,
		`\${WORKFLOW}`,
		`\${RUN_ID}`,
	];
	const onEnd: Notifier[] = [{ type: "command", run }];
	const settings = { onCreated: [says("exit 2")], onT2Gate: [], onEnd };
	const { notifier, deliveries, controller } = notifying([], { settings });
	controller.abort();
	notifier.onEvent(END);
	await notifier.settled();
	expect(deliveries).toMatchObject([
		{ itemId: null, reason: `the program ended with 1: cancelled demo ${item.runId}` },
	]);
});

test("the end of a run is posted", async () => {
	const posted: string[] = [];
	const server = createServer((request, response) => {
		request.setEncoding("utf8").on("data", (text: string) => posted.push(text));
		request.on("end", () => response.writeHead(204).end());
	});
	await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
	// A server that listens on a port has an address of this shape.
	const { port } = server.address() as AddressInfo;
	const onEnd: Notifier[] = [{ type: "webhook", url: `http://127.0.0.1:${port}/` }];
	const settings = { onCreated: [], onT2Gate: [], onEnd };
	const { notifier, deliveries } = notifying([], { settings });
	notifier.onEvent({ ...END, data: { status: "paused_for_user_escalation" } });
	await notifier.settled();
	server.closeAllConnections();
	await new Promise((resolve) => server.close(resolve));
	expect(deliveries).toMatchObject([{ outcome: "sent", itemId: null }]);
	expect(JSON.parse(posted.join(""))).toEqual({
		event: "run_ended",
		run_id: item.runId,
		status: "paused_for_user_escalation",
		workflow: "demo",
		text: `Sparring: run ${item.runId} of demo waits for a person. See: spar status ${item.runId}`,
	});
});

test("other events tell nobody", async () => {
	const { notifier, deliveries } = notifying([says("true")]);
	const acked = { item: "H1", status: "ACKED", choice: null };
	notifier.onEvent({ ...opened, type: "item-answered", data: acked });
	await notifier.settled();
	expect(deliveries).toEqual([]);
});

test("a stop ends a program and a request that are under way", async () => {
	const server = createServer();
	const asked = new Promise<void>((resolve) => server.once("request", () => resolve()));
	await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
	// A server that listens on a port has an address of this shape.
	const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
	const hangs: Notifier = { type: "webhook", url };
	const { notifier, deliveries, controller } = notifying([says("sleep 25"), hangs]);
	const startedAt = performance.now();
	notifier.onEvent(opened);
	await asked;
	controller.abort(new Error("stopped"));
	await notifier.settled();
	server.closeAllConnections();
	server.close();
	expect(performance.now() - startedAt).toBeLessThan(9_000);
	expect(deliveries.map(({ outcome, reason }) => [outcome, reason])).toEqual([
		["failed", "stopped"],
		["failed", "stopped"],
	]);
});

test("a store that cannot be read, a question that is gone and a listener that fails do no harm", async () => {
	for (const changes of [
		{ readItem: () => Promise.reject(new Error("disk")) },
		{ readItem: () => Promise.resolve(undefined) },
		{ onDelivery: () => Promise.reject(new Error("lease lost")) },
	]) {
		const { notifier } = notifying([says("true")], changes);
		notifier.onEvent(opened);
		await expect(notifier.settled()).resolves.toBeUndefined();
	}
});
