import { expect, test } from "vitest";
import { KeptRuntime } from "./kept-runtime.ts";
import type { RuntimeClient } from "./runtime-client.ts";

const options = {
	directory: "/none",
	scratch: "/none",
	env: {},
	allowHosts: [],
	unixSockets: false,
	programs: {},
};
const rules = { writable: [], readOnly: [], hidden: [] };

interface Fake extends RuntimeClient {
	alive: boolean;
	/** Commands that it ended instead of wrapping. */
	dies: boolean;
}

/** A runtime that starts scripted clients, one after another. */
function scripted(...dying: boolean[]) {
	const clients: Fake[] = [];
	const kept = new KeptRuntime(options, () => {
		const client: Fake = {
			alive: true,
			warnings: [],
			dies: dying[clients.length] ?? false,
			wrap: async (command) => {
				if (client.dies) client.alive = false;
				if (client.dies) throw new Error("gone");
				return `wrapped ${command}`;
			},
			done: () => undefined,
			close: async () => {
				client.alive = false;
			},
		};
		clients.push(client);
		return Promise.resolve(client);
	});
	return { kept, clients };
}

test("one process serves all calls, also those that come at once", async () => {
	const { kept, clients } = scripted();
	const wrapped = await Promise.all(["a", "b"].map((command) => kept.wrap(command, rules)));
	expect(wrapped).toEqual(["wrapped a", "wrapped b"]);
	expect(clients).toHaveLength(1);
});

test("a process that is gone is replaced, one that dies of a command only once", async () => {
	const { kept, clients } = scripted(true, false, true, true);
	expect(await kept.wrap("a", rules)).toBe("wrapped a");
	expect(clients).toHaveLength(2);
	for (const client of clients) client.alive = false;
	await expect(kept.wrap("b", rules)).rejects.toThrow("gone");
	expect(clients).toHaveLength(4);
});

test("a refusal of a living process stands", async () => {
	const { kept, clients } = scripted();
	await kept.start();
	const [client] = clients;
	if (client === undefined) throw new Error("nothing was started");
	client.wrap = () => Promise.reject(new Error("no such path"));
	await expect(kept.wrap("a", rules)).rejects.toThrow("no such path");
	expect(clients).toHaveLength(1);
});

test("what cannot be started says why, and is tried again", async () => {
	let starts = 0;
	const kept = new KeptRuntime(options, async () => {
		starts += 1;
		return { missing: false, message: `failure ${starts}` };
	});
	await expect(kept.wrap("a", rules)).rejects.toThrow("failure 1");
	await expect(kept.wrap("a", rules)).rejects.toThrow("failure 2");
	kept.done();
	await kept.close();
});

test("a start that throws or rejects is a refusal, is tried again, and is closed", async () => {
	let starts = 0;
	const kept = new KeptRuntime(options, async () => {
		starts += 1;
		throw new Error(`failure ${starts}`);
	});
	expect(await kept.start()).toEqual({ missing: false, message: "failure 1" });
	await expect(kept.wrap("a", rules)).rejects.toThrow("failure 2");
	// An unhandled rejection would fail the test run.
	kept.done();
	await kept.close();
	expect(starts).toBe(2);
	const sync = new KeptRuntime(options, () => {
		throw new Error("at once");
	});
	expect(await sync.start()).toEqual({ missing: false, message: "at once" });
});

test("a closed one starts nothing more", async () => {
	const { kept, clients } = scripted();
	await kept.close();
	await expect(kept.wrap("a", rules)).rejects.toThrow("the sandbox is closed");
	expect(clients).toEqual([]);
});
