import { expect, test } from "vitest";
import { Fault } from "../kernel/fault.ts";
import type { Masker } from "../kernel/masking.ts";
import { maskError } from "./mask-error.ts";

const masker: Masker = { mask: (text) => text.replaceAll("hunter2hunter2", "[X]"), longest: 14 };

test("an error stays the same one and tells no secret, nor does what caused it", () => {
	const cause = new Error("git said hunter2hunter2");
	const error = new Fault("no hunter2hunter2 here", {
		...{ code: "git-failed", hint: "Look at hunter2hunter2.", cause },
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
	for (const value of [null, undefined, "hunter2hunter2", 7]) {
		expect(maskError(masker, value)).toBe(value);
	}
});

test("what the system will not let us change is left, and nothing is thrown", () => {
	const frozen = Object.freeze(new Error("hunter2hunter2"));
	expect(maskError(masker, frozen)).toBe(frozen);
	const aborted = new DOMException("hunter2hunter2", "AbortError");
	expect(maskError(masker, aborted)).toBe(aborted);
});
