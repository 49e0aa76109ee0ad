import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { anyCharacter } from "../../test/support/any-character.ts";
import { maskerFor } from "../masking/masking.ts";
import { Capture, maskCaptured, StreamText, WholeLines } from "./capture.ts";

function captured(max: number, ...parts: string[]): string {
	const capture = new Capture(max);
	for (const part of parts) capture.add(part);
	return capture.text();
}

test("a text within the limit is kept whole, however it is cut into parts", () => {
	fc.assert(
		fc.property(fc.array(fc.string({ unit: anyCharacter })), (parts) => {
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

describe("streams that are merged into one text", () => {
	function merged() {
		const capture = new Capture();
		const stdout = new StreamText([new WholeLines(capture)]);
		const stderr = new StreamText([new WholeLines(capture)]);
		return { capture, stdout, stderr };
	}

	test("do not part a line of each other, so that both halves of a secret stand together", () => {
		const { capture, stdout, stderr } = merged();
		stdout.add(Buffer.from("first\npw hunter2"));
		stderr.add(Buffer.from("a warning\nhalf"));
		stdout.add(Buffer.from("hunter2 end\n"));
		stderr.end();
		stdout.add(Buffer.from("unfinished"));
		stdout.end();
		stdout.end();
		expect(capture.text()).toBe("first\na warning\npw hunter2hunter2 end\nhalfunfinished");
	});

	test("lose nothing of a stream, whatever its pieces, and keep its order", () => {
		const unit = fc.constantFrom("a", "b", " ", "\n");
		fc.assert(
			fc.property(fc.array(fc.string({ unit })), (pieces) => {
				const got: string[] = [];
				const lines = new WholeLines({ add: (text) => got.push(text) });
				for (const piece of pieces) lines.add(piece);
				expect(got.every((text) => text.endsWith("\n"))).toBe(true);
				lines.end();
				expect(got.join("")).toBe(pieces.join(""));
			}),
		);
	});

	test("hold back no more than a bound of a line without end, cut at a blank", () => {
		const got: string[] = [];
		const lines = new WholeLines({ add: (text) => got.push(text) });
		const piece = `${"x".repeat(999)} `;
		for (let sent = 0; sent < 1_000; sent += 1) lines.add(piece);
		expect(got.length).toBeGreaterThan(10);
		expect(got.every((text) => text.endsWith(" "))).toBe(true);
		const held = 1_000_000 - got.join("").length;
		expect(held).toBeGreaterThanOrEqual(4_096);
		expect(held).toBeLessThan(66_600);
		lines.end();
		expect(got.join("")).toBe(piece.repeat(1_000));
	});
});
