import { PassThrough } from "node:stream";
import { expect, test } from "vitest";
import { MessageGate } from "./message-gate.ts";

/** A gate, what it told of updates, and a reader of what passes through it. */
function gate(): {
	readonly gate: MessageGate;
	readonly updates: unknown[];
	/** What it told besides. */
	readonly told: unknown[];
	readonly ask: (id: number, method?: string) => Promise<void>;
	readonly passed: () => Promise<readonly unknown[]>;
} {
	const updates: unknown[] = [];
	const told: unknown[] = [];
	const made = new MessageGate({
		update: (params) => updates.push(params),
		asked: (params) => told.push({ asked: params }),
		flooded: () => told.push("flooded"),
	});
	const { readable, writable } = made.streamTo(new PassThrough().resume());
	const writer = writable.getWriter();
	return {
		gate: made,
		updates,
		told,
		ask: (id, method = "ping") => writer.write({ jsonrpc: "2.0", id, method }),
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

test("an agent that floods with requests is no longer heard", async () => {
	const { gate: one, passed, told, updates } = gate();
	for (let id = 0; id < 1_005; id += 1) one.add(line({ id, method: "a" }));
	one.add(line({ method: "session/update", params: 1 }));
	expect(told).toEqual(["flooded"]);
	expect(updates).toEqual([]);
	expect(await passed()).toHaveLength(1_000);
});

test("permission requests are reported in order", async () => {
	const { gate: one, passed, told } = gate();
	one.add(line({ id: 1, method: "session/request_permission", params: { a: 1 } }));
	expect(told).toEqual([{ asked: { a: 1 } }]);
	expect(await passed()).toHaveLength(1);
});

test("after the answer to the prompt nothing is read, of the same piece neither", async () => {
	const { gate: one, ask, passed, told, updates } = gate();
	await ask(1);
	await ask(2, "session/prompt");
	const update = line({ method: "session/update", params: 1 });
	const asked = line({ id: 9, method: "session/request_permission" });
	one.add(line({ id: 1, result: 1 }) + update + line({ id: 2, result: 2 }) + update + asked);
	one.add(update + asked);
	expect(updates).toEqual([1]);
	expect(told).toEqual([]);
	expect(await passed()).toMatchObject([{ result: 1 }, { result: 2 }]);
});

test("closing twice, and adding after that, is not an error", async () => {
	const { gate: one, passed } = gate();
	one.close();
	one.add(line({ id: 1, method: "a" }));
	expect(await passed()).toEqual([]);
});
