import { expect, test } from "vitest";
import { assertNever } from "./assert-never.ts";
import { isoTime, systemClock } from "./clock.ts";
import { hasValue } from "./evidence-value.ts";
import { Fault } from "./fault.ts";
import { randomId, runIdAt } from "./ids.ts";
import { canonicalJson, sha256 } from "./json.ts";

test("a fault carries code, hint and cause, and is not retryable unless it says so", () => {
	const cause = new Error("inner");
	const fault = new Fault("the run is held", { code: "run-held", hint: "wait", cause });
	expect(fault).toMatchObject({
		name: "Fault",
		code: "run-held",
		hint: "wait",
		retryable: false,
		cause,
	});
	const again = new Fault("no space", { code: "disk-full", retryable: true });
	expect(again).toMatchObject({ hint: undefined, retryable: true });
	expect("cause" in again).toBe(false);
});

test("run ids sort by time and are safe in refs", () => {
	expect(runIdAt(Date.UTC(2026, 10, 21, 22, 5, 9), "k3f9")).toBe("20261121-220509-k3f9");
	expect(runIdAt(0)).toMatch(/^19700101-000000-[0-9a-z]{4}$/);
	expect(randomId(200)).toMatch(/^[0-9abcdefghjkmnpqrstvwxyz]{200}$/);
});

test("equal values give equal JSON, whatever the order of their keys", () => {
	expect(canonicalJson({ b: [{ d: 1, c: 2 }], a: null })).toBe('{"a":null,"b":[{"c":2,"d":1}]}');
	expect(canonicalJson({ a: 1, b: 2 })).toBe(canonicalJson({ b: 2, a: 1 }));
	expect(sha256("")).toBe("e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
});

test("only pass and fail say something", () => {
	expect((["pass", "fail", "absent", "error"] as const).filter(hasValue)).toEqual(["pass", "fail"]);
});

test("a value outside of its union is a bug and throws", () => {
	// The cast is the bug that this guards against.
	expect(() => assertNever("surprise" as never)).toThrow('unexpected value "surprise"');
});

test("waiting ends at once when it is aborted", async () => {
	const reason = new Error("stop");
	await expect(systemClock.sleep(60_000, AbortSignal.abort(reason))).rejects.toThrow();
	await systemClock.sleep(0);
	expect(isoTime(1_700_000_000_000)).toBe("2023-11-14T22:13:20.000Z");
	expect(systemClock.now()).toBeGreaterThan(1_700_000_000_000);
});
