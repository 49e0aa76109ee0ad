import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { createServer } from "node:net";

/** A port of loopback that nobody listens on. */
export async function freePort(): Promise<number> {
	const server = createServer().listen(0, "127.0.0.1");
	await once(server, "listening");
	const address = server.address();
	server.close();
	await once(server, "close");
	if (address === null || typeof address === "string") throw new Error("no port is free");
	return address.port;
}

/**
 * Waits until a server says on standard error that it is ready.
 *
 * @throws Error with what it said when it cannot be started or ends before
 */
export async function saysReady(child: ChildProcess, ready: string): Promise<void> {
	let said = "";
	await new Promise<void>((resolve, reject) => {
		child.once("error", reject);
		child.once("exit", () => reject(new Error(`${child.spawnfile} ended: ${said}`)));
		child.stderr?.setEncoding("utf8").on("data", (part: string) => {
			// What comes later is read, so that the program never waits, but not kept.
			if (said.includes(ready)) return;
			said += part;
			if (said.includes(ready)) resolve();
		});
	});
}
