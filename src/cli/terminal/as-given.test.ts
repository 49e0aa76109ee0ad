import { expect, test } from "vitest";
import { Fault } from "../../kernel/fault.ts";
import { spar } from "../fakes.contract.ts";

const refusal = (again: string): Fault =>
	new Fault("no seat", {
		code: "preflight-refused",
		hint: `No agent was called.\nOnce the cause is gone: ${again}\nTo go on as it is: ${again} --anyway`,
	});

const WORKFLOW = {
	load: () =>
		Promise.resolve({
			workflow: {} as never,
			errors: [],
			warnings: [],
			unknownFields: [],
		} as never),
	// It has a workflow file.
	root: "examples/01-rate-limiter",
	run: () => Promise.reject(refusal("spar run")),
	resume: () => Promise.reject(refusal("spar resume r-1")),
};

test.each([
	[["run"], "spar run"],
	[["run", "other.yaml", "--max-turns", "3"], "spar run other.yaml --max-turns 3"],
	[
		["run", "--task", "Say 'hi' for $5.", "--criterion", "greets", "by name"],
		"spar run --task 'Say '\\''hi'\\'' for $5.' --criterion greets 'by name'",
	],
	[["run", "--task-id", "a", "b"], "spar run --task-id a b"],
	[["resume", "--max-turns", "4"], "spar resume r-1 --max-turns 4"],
	[["resume"], "spar resume r-1"],
])("what refuses %j repeats the command as it was given", async (args, again) => {
	const { code, err } = await spar(args, { sparring: WORKFLOW });
	expect(code).toBe(2);
	expect(err).toContain(`Once the cause is gone: ${again}\nTo go on as it is: ${again} --anyway\n`);
});
