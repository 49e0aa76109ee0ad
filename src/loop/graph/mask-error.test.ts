import { expect, test } from "vitest";
import { Fault } from "../../kernel/fault.ts";
import type { Masker } from "../../masking/masking.ts";
import { maskError } from "./run-task.ts";

const masker: Masker = { mask: (text) => text.replaceAll("hunter2hunter2", "[X]"), longest: 14 };

test("an error stays the same one and tells no secret, nor does what caused it", () => {
	const cause = new Error("git said hunter2hunter2");
	const error = new Fault("no hunter2hunter2 here", {
		code: "git-failed",
		hint: "Look at hunter2hunter2.",
		cause,
	});
	expect(maskError(masker, error)).toBe(error);
	expect(error).toMatchObject({ message: "no [X] here", hint: "Look at [X].", code: "git-failed" });
	expect(`${error.stack}${cause.message}${cause.stack}`).not.toContain("hunter2hunter2");
});

test("errors in a circle, in a bundle, with a text as cause, and what is no error are no trouble", () => {
	const round = new Error("a hunter2hunter2");
	round.cause = round;
	expect(maskError(masker, round)).toBe(round);
	expect(round.message).toBe("a [X]");
	const bundle = new AggregateError([new Error("b hunter2hunter2", { cause: round }), 7], "all");
	expect(maskError(masker, bundle)).toBe(bundle);
	expect(String(bundle.errors)).toBe("Error: b [X],7");
	const said = new Error("c", { cause: "d hunter2hunter2" });
	maskError(masker, said);
	expect(said.cause).toBe("d [X]");
	expect(maskError(masker, "thrown hunter2hunter2")).toBe("thrown [X]");
	for (const value of [null, undefined, 7]) {
		expect(maskError(masker, value)).toBe(value);
	}
});

test("an error whose message only its class can write is masked, of a frozen one a copy", () => {
	const aborted = new DOMException("hunter2hunter2", "AbortError");
	expect(maskError(masker, aborted)).toBe(aborted);
	expect(`${aborted.message}${aborted.stack}`).not.toContain("hunter2hunter2");
	const frozen = Object.freeze(new Error("no hunter2hunter2"));
	expect(maskError(masker, frozen)).toMatchObject({ message: "no [X]" });
	const around = new Error("outer", { cause: frozen });
	expect(maskError(masker, around)).toBe(around);
	expect(around.cause).toMatchObject({ message: "no [X]" });
	const clean = Object.freeze(new Error("clean"));
	expect(maskError(masker, clean)).toBe(clean);
});

test("nothing that is thrown makes it throw: getters, proxies, thousands of causes", () => {
	const unread = (): never => {
		throw new Error("read");
	};
	const odd = Object.defineProperty(new Error("hunter2hunter2"), "message", { get: unread });
	const untold = new Proxy(new Error("hunter2hunter2"), { getPrototypeOf: unread });
	const unwritten = new Proxy(new Error("hunter2hunter2"), { set: unread });
	for (const error of [odd, untold, unwritten]) {
		expect(String(maskError(masker, error))).toMatch("cannot be read");
	}
	let long = new Error("innermost hunter2hunter2");
	for (let depth = 0; depth < 20_000; depth += 1) long = new Error("outer", { cause: long });
	expect(maskError(masker, long)).toBe(long);
	let depth = 0;
	for (let each: unknown = long; each instanceof Error; each = each.cause) depth += 1;
	expect(depth).toBeLessThan(100);
	const all = new AggregateError([]);
	all.errors = Array.from({ length: 2_000 }, () => all);
	expect(maskError(masker, all)).toBe(all);
});

test("the code of a fault decides the exit code, and stays", () => {
	const greedy: Masker = { mask: () => "[X]", longest: 1 };
	const fault = new Fault("run-held", { code: "run-held" });
	maskError(greedy, fault);
	expect(fault).toMatchObject({ code: "run-held", message: "[X]" });
});
