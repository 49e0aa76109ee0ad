import { expect, test } from "vitest";
import type { EventType, StoredEvent } from "../trace/event.ts";
import { stoppedPreflight } from "./run-summary.ts";

let last = 0;
function event<Type extends EventType>(
	type: Type,
	data: Extract<StoredEvent, { type: Type }>["data"],
): StoredEvent {
	last += 1;
	const place = { task: "a", turn: 0, node: null, timestamp: "2026-11-21T22:05:09.000Z" };
	// Type and data belong together by the signature, which the compiler does not follow into the union.
	return { id: last, run: "r1", type, data, ...place } as unknown as StoredEvent;
}

const problems = [
	{ kind: "setup" as const, check: null, reason: "exit code 1", said: ["npm: not found"] },
];
const stopped = event("preflight-ended", { outcome: "stopped", problems });
const wentOn = event("preflight-ended", { outcome: "went_on", problems });
const resumed = event("run-resumed", { owner: "me" });
const idle = { status: "running", isHeld: false, calls: 0 } as const;

const found = (
	events: readonly StoredEvent[],
	run: Parameters<typeof stoppedPreflight>[0] = idle,
) => stoppedPreflight(run, async () => events);

test("a run that its preflight stopped tells what was in the way", async () => {
	expect(await found([resumed, stopped])).toEqual({ task: "a", problems });
});

test("what happened since takes its place: going on, or a resume that a kill ended", async () => {
	expect(await found([stopped, wentOn])).toBeNull();
	expect(await found([stopped, resumed])).toBeNull();
	expect(await found([])).toBeNull();
});

test.each([{ status: "cancelled" }, { isHeld: true }, { calls: 1 }] as const)(
	"a run with %o is not looked at",
	async (part) => {
		const read = (): Promise<never> => Promise.reject(new Error("read"));
		expect(await stoppedPreflight({ ...idle, ...part }, read)).toBeNull();
	},
);
