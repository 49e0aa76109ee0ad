import { expect, test } from "vitest";
import type { ProcessHost, ProcessRequest, ProcessResult } from "../process/process.ts";
import { CheckWatch, timeText } from "./check-time.ts";

const request = { mark: "run:check:tests" } as ProcessRequest;
const { signal } = new AbortController();

/** A host of which each command ends when it is told to. */
function slowHost() {
	const ends: ((result: ProcessResult | Error) => void)[] = [];
	const run = () =>
		new Promise<ProcessResult>((resolve, reject) => {
			ends.push((end) => (end instanceof Error ? reject(end) : resolve(end)));
		});
	const host = { confines: false, run } as unknown as ProcessHost;
	return { host, end: (at: number, how?: Error) => ends[at]?.(how ?? ({} as ProcessResult)) };
}

test("commands that run at once take their time together once, and one that fails counts", async () => {
	let now = 1_000;
	const watch = new CheckWatch({ now: () => now });
	const { host, end } = slowHost();
	const watched = watch.watched(host);
	const first = watched.run(request, signal);
	now += 100;
	const second = watched.run(request, signal);
	now += 100;
	end(0);
	await first;
	now += 300;
	end(1, new Error("gone"));
	await expect(second).rejects.toThrow("gone");
	now += 1_000;
	// What reads source files is no command of the project.
	const read = watch.watched(host).run({ ...request, mark: "run:check:syntax" }, signal);
	end(2);
	await read;
	expect(watch.time()).toEqual({
		total_ms: 1_500,
		commands: 2,
		commands_ms: 500,
		agents_ms: 0,
	});
});

test("what agents take is told by itself, and the rest is Sparring's", async () => {
	let now = 0;
	const watch = new CheckWatch({ now: () => now });
	const answer = watch.ofAgents(
		Promise.resolve().then(() => {
			now += 4_000;
			return "yes";
		}),
	);
	expect(await answer).toBe("yes");
	now += 2_000;
	expect(timeText(watch.time())).toBe(
		"took 6.0s: 0.0s in 0 runs of your commands, 4.0s with agents, 2.0s in Sparring",
	);
	expect(timeText({ total_ms: 900, commands: 1, commands_ms: 700, agents_ms: 0 })).toBe(
		"took 0.9s: 0.7s in 1 run of your commands, 0.2s in Sparring",
	);
});
