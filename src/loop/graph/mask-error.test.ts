import { inspect } from "node:util";
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
	const bundle = new AggregateError([new Error("b hunter2hunter2"), 7]);
	maskError(masker, bundle);
	expect(String(bundle.errors)).toBe("Error: b [X],7");
	const said = new Error("c", { cause: "d hunter2hunter2" });
	maskError(masker, said);
	expect(said.cause).toBe("d [X]");
	expect(maskError(masker, "thrown hunter2hunter2")).toBe("thrown [X]");
	for (const value of [null, undefined, 7]) {
		expect(maskError(masker, value)).toBe(value);
	}
});

test("fields of an error hold no secret, however deep, and what holds none is the same object", () => {
	const clean = { list: [1, "two"] };
	const request = { url: "x?hunter2hunter2", body: { words: ["hunter2hunter2"] } };
	const inner = new Error("inner");
	const error = Object.assign(new Error("outer"), {
		path: "/data/hunter2hunter2",
		extra: request,
		clean,
		inner,
		code: "ENOENT",
		seen: new Map([["key", "hunter2hunter2"]]),
	});
	Object.assign(inner, { stderr: "hunter2hunter2", outer: error });
	maskError(masker, error);
	expect(error).toMatchObject({
		path: "/data/[X]",
		code: "ENOENT",
		extra: { url: "x?[X]", body: { words: ["[X]"] } },
	});
	expect(error.clean).toBe(clean);
	expect(error.inner).toBe(inner);
	// Somebody may still work with the request.
	expect(request.url).toBe("x?hunter2hunter2");
	expect(inspect(error, { depth: 9 })).not.toContain("hunter2hunter2");
});

test("objects in a circle and fields that throw when they are read do not keep the rest from being masked", () => {
	const round: Record<string, unknown> = { text: "hunter2hunter2" };
	round["round"] = round;
	const error = Object.assign(new Error("no"), { round });
	Object.defineProperty(error, "bad", {
		get() {
			throw new Error("read");
		},
	});
	Object.defineProperty(error, "last", { value: "hunter2hunter2", writable: true });
	maskError(masker, error);
	expect(error).toMatchObject({ round: { text: "[X]", round: "[Circular]" }, last: "[X]" });
});

test("the code of a fault decides the exit code, and stays", () => {
	const greedy: Masker = { mask: () => "[X]", longest: 1 };
	const fault = new Fault("run-held", { code: "run-held" });
	maskError(greedy, fault);
	expect(fault).toMatchObject({ code: "run-held", message: "[X]" });
});

test("what the system will not let us change is left, and nothing is thrown", () => {
	const frozen = Object.freeze(new Error("hunter2hunter2"));
	expect(maskError(masker, frozen)).toBe(frozen);
	const aborted = new DOMException("hunter2hunter2", "AbortError");
	expect(maskError(masker, aborted)).toBe(aborted);
});
