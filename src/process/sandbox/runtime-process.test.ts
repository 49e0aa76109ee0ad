import { spawn } from "node:child_process";
import { once } from "node:events";
import { expect, test } from "vitest";
import { endConfined } from "./runtime-process.ts";

/** A process that lives until it is ended, with a text on its command line. */
const naming = (text: string) =>
	spawn(process.execPath, ["-e", "setInterval(() => undefined, 1_000_000)", text], {
		stdio: "ignore",
	});

test("what names a script of the sandbox is ended, and nobody else", async () => {
	const directory = `/none/spar-sandbox-${process.pid}`;
	const confined = naming(`. '${directory}/call-1/launch.sh'`);
	const others = [naming(`${directory}.tmp`), naming(`${directory}-2/call-1/launch.sh`)];
	try {
		await Promise.all([confined, ...others].map((child) => once(child, "spawn")));
		const gone = once(confined, "exit");
		await endConfined(directory);
		// Where processes do not show their command lines nothing is found.
		if (process.platform !== "linux") confined.kill("SIGKILL");
		expect(await gone).toEqual([null, "SIGKILL"]);
		expect(others.map(({ exitCode, signalCode }) => exitCode ?? signalCode)).toEqual([null, null]);
	} finally {
		for (const child of [confined, ...others]) child.kill("SIGKILL");
	}
});
