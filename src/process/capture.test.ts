import fc from "fast-check";
import { expect, test } from "vitest";
import { maskerFor } from "../kernel/masking.ts";
import { Capture, maskCaptured, StreamText } from "./capture.ts";

function captured(max: number, ...parts: string[]): string {
	const capture = new Capture(max);
	for (const part of parts) capture.add(part);
	return capture.text();
}

test("a text within the limit is kept whole, however it is cut into parts", () => {
	fc.assert(
		fc.property(fc.array(fc.string({ unit: "binary" })), (parts) => {
			const whole = parts.join("");
			expect(captured(Math.max(2, whole.length), ...parts)).toBe(whole);
		}),
	);
});

test("of a longer text head, tail and the count between remain", () => {
	expect(captured(4, "abcdefgh")).toBe("ab\n[... 4 characters left out ...]\ngh");
	expect(captured(4, ...Array.from("abcdefgh"))).toBe("ab\n[... 4 characters left out ...]\ngh");
});

test("kept and left out characters add up to what was written", () => {
	fc.assert(
		fc.property(fc.array(fc.string()), fc.integer({ min: 2, max: 60 }), (parts, max) => {
			const length = parts.join("").length;
			const text = captured(max, ...parts);
			const notice = /\n\[\.\.\. (\d+) characters left out \.\.\.\]\n/.exec(text);
			const left = Number(notice?.[1] ?? 0);
			expect(text.length - (notice?.[0].length ?? 0) + left).toBe(length);
		}),
	);
});

test("the cut falls on ends of lines where one is near", () => {
	expect(captured(20, "first\nsecond\nthird\nfourth\nfifth\n")).toBe(
		"first\n[... 21 characters left out ...]\nfifth\n",
	);
});

test("the cut does not split a character of two units", () => {
	const text = captured(6, "a", "\u{1f600}".repeat(9), "b");
	expect(text.isWellFormed()).toBe(true);
	expect(captured(10, "\u{1f600}".repeat(9)).isWellFormed()).toBe(true);
});

test("a flood of 60 million characters keeps memory bounded", () => {
	const capture = new Capture(1_000);
	const chunk = "x".repeat(64_000);
	for (let sent = 0; sent < 60_000_000; sent += chunk.length) capture.add(chunk);
	expect(capture.text().length).toBeLessThan(1_100);
	expect(capture.text()).toContain("59967000 characters left out".slice(-20));
});

test("a character torn between chunks arrives whole, a torn last one as U+FFFD", () => {
	const capture = new Capture();
	const text = new StreamText([capture]);
	for (const byte of Buffer.from("grün ☃ \u{1f600}")) text.add(Buffer.from([byte]));
	text.add(Buffer.from([0xe2, 0x98]));
	text.end();
	expect(capture.text()).toBe("grün ☃ \u{1f600}\ufffd");
});

test("half a secret beside a cut is dropped", () => {
	const masker = maskerFor([{ value: "hunter2hunter2", rule: "env" }]);
	const text = captured(40, `0123456789hunter2hunter2${"-".repeat(100)}hunter2hunter2_and_the_end`);
	expect(text).toContain("hunter2");
	const masked = maskCaptured(text, masker);
	expect(masked).not.toContain("hunter");
	expect(masked).toContain("characters left out");
});

test("a text that was not cut is only masked", () => {
	const masker = maskerFor([{ value: "hunter2hunter2", rule: "env" }]);
	expect(maskCaptured("pw=hunter2hunter2", masker)).toMatch(/^pw=\[MASKED:env:[0-9a-f]{4}\]$/);
});
