import { createInterface } from "node:readline";
import { groupEnd } from "./end-group.ts";
import { endCall } from "./process-tree.ts";
import type { Guarded, WatchdogMessage } from "./watchdog.ts";

// Ends what it was told of once its standard input closes: then the process that it guards has died.

const running = new Map<number, Guarded>();

createInterface({ input: process.stdin })
	.on("line", (line) => {
		// True because only `guard` writes here.
		const message = JSON.parse(line) as WatchdogMessage;
		if ("over" in message) running.delete(message.pid);
		else running.set(message.pid, message);
	})
	.on("close", () => {
		for (const { pid, call } of running.values()) {
			const group = groupEnd(pid);
			if (call === null) group.beginSoon();
			else {
				group.kill();
				void endCall(call);
			}
		}
	});
