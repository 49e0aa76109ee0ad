import { expect, test } from "vitest";
import {
	KeptRuntime,
	loopbackPorts,
	missingPrograms,
	proxyHosts,
	refusalOf,
	unsupported,
} from "./open-sandbox.ts";
import type { RuntimeClient } from "./runtime-client.ts";

test("a port of our own loopback is known by name and by number, once", () => {
	const hosts = ["localhost:1234", "127.0.0.1:1234", "LOCALHOST:80", "api.example:443"];
	expect(loopbackPorts(hosts)).toEqual([1234, 80]);
});

test("the loopback without a port, with one that is none, or as part of a name is not", () => {
	const hosts = [
		"localhost",
		"127.0.0.1",
		"localhost:0",
		"localhost:99999",
		"localhost.example:80",
	];
	expect(loopbackPorts(hosts)).toEqual([]);
});

test("the proxy is told the loopback by number, and all others as they are", () => {
	expect(proxyHosts(["*.example.com", "localhost:5", "api.example:443"])).toEqual([
		"*.example.com",
		"api.example:443",
		"127.0.0.1:5",
	]);
});

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
	await kept.close();
});

test("a closed one starts nothing more", async () => {
	const { kept, clients } = scripted();
	await kept.close();
	await expect(kept.wrap("a", rules)).rejects.toThrow("the sandbox is closed");
	expect(clients).toEqual([]);
});

test("Linux and macOS have a sandbox, others have none", () => {
	expect(unsupported("linux")).toBeNull();
	expect(unsupported("darwin")).toBeNull();
	expect(unsupported("win32")).toMatchObject({ reason: "there is no sandbox for win32" });
});

test("what is not installed is named, with how to install it", () => {
	const linux = missingPrograms("linux", { PATH: "/nowhere" });
	expect(linux?.reason).toBe("bubblewrap (bwrap) and socat and which are not installed");
	expect(linux?.fix).toContain("apt-get install bubblewrap socat");
	expect(missingPrograms("darwin", {})).toMatchObject({
		reason: "sandbox-exec is not installed",
	});
});

test("a missing package is told with its exact version", () => {
	const refusal = refusalOf({ missing: true, message: "Cannot find package" });
	expect(refusal.reason).toBe("the package @anthropic-ai/sandbox-runtime is not installed");
	expect(refusal.fix).toContain("npm install @anthropic-ai/sandbox-runtime@0.0.83");
});

test("a system that forbids namespaces is told apart from other failures", () => {
	for (const message of [
		"bwrap: setting up uid map: Permission denied",
		"bwrap: No permissions to create a new namespace, likely because the kernel does not allow",
		"bwrap: Creating new namespace failed: Operation not permitted",
		"bwrap: Creating new namespace failed: No space left on device",
		"running as uid 0 without CAP_SETFCAP in this process's capability bounding set",
	]) {
		const refusal = refusalOf({ missing: false, message });
		expect(refusal.reason, message).toMatch(/^this system forbids the namespaces/);
		expect(refusal.fix).toContain("user namespaces");
	}
	expect(refusalOf({ missing: false, message: "a\n b" }).reason).toBe("a b");
});
