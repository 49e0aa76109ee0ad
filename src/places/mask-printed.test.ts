import { expect, test } from "vitest";
import { maskerFor } from "../masking/masking.ts";
import { maskPrinted } from "./mask-printed.ts";

const masker = maskerFor([{ value: "limiter-task", rule: "env" }]);
const MARK = masker.mask("limiter-task");

test("text is masked wherever the secret stands", () => {
	expect(maskPrinted(masker, "limiter-task failed\n")).toBe(`${MARK} failed\n`);
	expect(maskPrinted(masker, "{ limiter-task failed\n")).toBe(`{ ${MARK} failed\n`);
	expect(maskPrinted(masker, "[limiter-task]\n")).toBe(`[${MARK}]\n`);
});

test("JSON keeps its keys, its names and its form, for the programs that read it", () => {
	const value = (reason: string) => ({
		tasks: { "limiter-task": { branch: "sparring/r/limiter-task", reason } },
	});
	const printed = (reason: string, indent: number): string =>
		`${JSON.stringify(value(reason), null, indent)}\n`;
	for (const indent of [0, 2]) {
		expect(maskPrinted(masker, printed("pw limiter-task", indent))).toBe(
			printed(`pw ${MARK}`, indent),
		);
	}
	expect(maskPrinted(masker, '["a limiter-task"]\n')).toBe(`["a ${MARK}"]\n`);
});

test("what holds no secret is printed byte for byte", () => {
	for (const text of ['{"a" :  1}\n', "", "plain\n"]) expect(maskPrinted(masker, text)).toBe(text);
});
