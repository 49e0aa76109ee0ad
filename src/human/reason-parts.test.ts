import fc from "fast-check";
import { expect, test } from "vitest";
import { reasonParts, shortReason } from "./reason-parts.ts";

const F1 = "Conflict about F1 (attempt 1): the two answers differ.";
const F2 = "Conflict about F2 (attempt 3): Maximum auto-resolution attempts reached; a person.";
const GRAVE = "Critical: F3: the key is printed";
const line = (...parts: string[]): string => {
	const { first, rest } = shortReason(parts.join("\n"));
	return `${first}${rest}`;
};

test("each conflict and each critical finding is a part of the reason", () => {
	expect(reasonParts(`${F1}\n${F2}\r\n${GRAVE}`)).toEqual([F1, F2, GRAVE]);
	expect(reasonParts(F1)).toEqual([F1]);
});

test("a reason about anything else is one part, whatever its lines say", () => {
	for (const text of ["a stall", "a\nb", `agent failed:\n${F1}\n${GRAVE}`, "", GRAVE])
		expect(reasonParts(text)).toEqual([text]);
});

test("a line that begins nothing goes on with the one before it", () => {
	expect(reasonParts(`${F1}\n\tat call\n\n${F2}`)).toEqual([`${F1}\n\tat call\n`, F2]);
});

test("what an agent wrote into a critical finding is no conflict", () => {
	expect(reasonParts(`${F1}\n${GRAVE}\n${F2}`)).toEqual([F1, `${GRAVE}\n${F2}`]);
	expect(reasonParts(`${F1}\nCritical: all is lost`)).toHaveLength(1);
});

test("on one line stand the first conflict, how many more, and what is critical", () => {
	expect(line(F1)).toBe(F1);
	expect(line(F1, F2)).toBe("Conflict about F1 (attempt 1): the two answers differ; and 1 more");
	expect(line(F1, F2, F2, GRAVE)).toMatch(/differ; and 2 more; critical: F3$/);
	expect(line(F1, GRAVE)).toMatch(/differ; critical: F3$/);
	const many = ["F3", "F4", "F4", "F5", "F6"].map((id) => `Critical: ${id}: x`);
	expect(line(F1, ...many)).toMatch(/; critical: F3, F4, F5, \.\.\.$/);
	expect(line("stalled.\nb.")).toBe("stalled.\nb.");
});

test("no word of a reason is lost, and what stands behind the first is short and plain", () => {
	const part = fc.oneof(fc.constantFrom(F1, F2, GRAVE), fc.string({ unit: "binary" }));
	fc.assert(
		fc.property(fc.array(part, { maxLength: 6 }), (parts) => {
			const reason = parts.join("\n");
			const words = (text: string): string => text.replaceAll(/[\r\n]+/g, "\n").trim();
			expect(words(reasonParts(reason).join("\n"))).toBe(words(reason));
			expect(shortReason(reason).rest).toMatch(/^[;:, \w.]{0,70}$/);
		}),
	);
});
