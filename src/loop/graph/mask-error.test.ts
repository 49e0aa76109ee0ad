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

test("errors in a circle, with a text as cause, and what is no error are no trouble", () => {
	const round = new Error("a hunter2hunter2");
	round.cause = round;
	expect(maskError(masker, round)).toBe(round);
	expect(round.message).toBe("a [X]");
	const said = new Error("c", { cause: "d hunter2hunter2" });
	maskError(masker, said);
	expect(said.cause).toBe("d [X]");
	expect(maskError(masker, "thrown hunter2hunter2")).toBe("thrown [X]");
	for (const value of [null, undefined, 7]) {
		expect(maskError(masker, value)).toBe(value);
	}
});
