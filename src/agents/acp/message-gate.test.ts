import { PassThrough } from "node:stream";
import { expect, test } from "vitest";
import { MessageGate } from "./message-gate.ts";

/** A gate, what it told of updates, and a reader of what passes through it. */
function gate(): {
	readonly gate: MessageGate;
	readonly updates: unknown[];
	readonly ask: (id: number) => Promise<void>;
	readonly passed: () => Promise<readonly unknown[]>;
} {
	const updates: unknown[] = [];
	const made = new MessageGate((params) => updates.push(params));
	const { readable, writable } = made.streamTo(new PassThrough().resume());
	const writer = writable.getWriter();
	return {
		gate: made,
		updates,
		ask: (id) => writer.write({ jsonrpc: "2.0", id, method: "ping" }),
		passed: async () => {
			made.close();
			const messages: unknown[] = [];
			for await (const message of readable) messages.push(message);
			return messages;
		},
	};
}

const line = (message: object): string => `${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`;

test("requests pass, updates are told, and other notifications go nowhere", async () => {
	const { gate: one, updates, passed } = gate();
	one.add(line({ id: 1, method: "fs/read_text_file", params: {} }));
	one.add(line({ method: "session/update", params: { a: 1 } }));
	one.add(line({ method: "$/cancel_request", params: { requestId: 1 } }));
	expect(updates).toEqual([{ a: 1 }]);
	expect(await passed()).toMatchObject([{ id: 1, method: "fs/read_text_file" }]);
});

test("only answers to what was asked pass, and each once", async () => {
	const { gate: one, ask, passed } = gate();
	await ask(7);
	for (const id of [6, 7, 7]) one.add(line({ id, result: { id } }));
	expect(await passed()).toEqual([{ jsonrpc: "2.0", id: 7, result: { id: 7 } }]);
});

test("an error of any shape is an error", async () => {
	const { gate: one, ask, passed } = gate();
	await ask(1);
	await ask(2);
	one.add(line({ id: 1, error: "broken", result: {} }));
	one.add(line({ id: 2, error: { code: 1.5, message: null, data: 3 } }));
	const error = { code: 0, message: "an error without a message" };
	expect(await passed()).toMatchObject([{ error }, { error: { ...error, data: 3 } }]);
});

test("a message that is torn at its newline is whole", async () => {
	const { gate: one, updates } = gate();
	const text = line({ method: "session/update", params: 1 });
	one.add(text.slice(0, 20));
	one.add(text.slice(20, -1));
	one.add("\n");
	expect(updates).toEqual([1]);
});

test("who floods with requests is listened to no more", async () => {
	const { gate: one, passed } = gate();
	for (let id = 0; id < 100_005; id += 1) one.add(line({ id, method: "a" }));
	expect(await passed()).toHaveLength(100_000);
});

test("closing twice, and adding after that, is no error", async () => {
	const { gate: one, passed } = gate();
	one.close();
	one.add(line({ id: 1, method: "a" }));
	expect(await passed()).toEqual([]);
});
