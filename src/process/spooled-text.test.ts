import fc from "fast-check";
import { afterEach, describe, expect, test, vi } from "vitest";
import { Capture } from "./capture.ts";
import { HeldText, SpooledBytes, SpooledText } from "./spooled-text.ts";

const unit = fc.constantFrom("a", "b", "\n", "é", "日", "😀", "\ud83d", "\ude00");
const pieces = fc.array(fc.string({ maxLength: 40, unit }), { maxLength: 60 });

/** Pieces as a decoder gives them: no half of a character that no other half follows. */
const wellFormed = (list: readonly string[]): string[] => {
	const text = list.join("").toWellFormed();
	let done = 0;
	return list.map(({ length }) => {
		done += length;
		return text.slice(done - length, done);
	});
};

test("a text in a file is kept as one in memory, wherever pieces and characters are cut", () => {
	fc.assert(
		fc.property(pieces, fc.integer({ min: 1, max: 40 }), (list, half) => {
			const limits = { head: half, tail: half };
			const [held, spooled] = [new HeldText(limits), new SpooledText(limits)];
			for (const piece of wellFormed(list)) {
				held.add(piece);
				spooled.add(piece);
			}
			expect(spooled.held().text()).toBe(held.text());
			spooled.close();
		}),
		{ numRuns: 300 },
	);
});

test("the file of an endless stream stays small, and keeps both of its ends", () => {
	const bytes = new SpooledBytes({ head: 1_000, tail: 2_000 });
	const all = Buffer.from(Array.from({ length: 50_000 }, (_, at) => `${at},`).join(""));
	for (let at = 0; at < all.length; at += 777) bytes.add(all.subarray(at, at + 777));
	expect(bytes.isCut).toBe(true);
	expect(bytes.first(5_000).equals(all.subarray(0, 1_000))).toBe(true);
	expect(bytes.last(2_000).equals(all.subarray(-2_000))).toBe(true);
	expect(bytes.last(1_000_000).length).toBeLessThanOrEqual(4_000 + 777);
	bytes.close();
});

describe("a spooled capture", () => {
	afterEach(() => {
		vi.restoreAllMocks();
	});

	const line = `${"x".repeat(99)}\n`;
	const longText = line.repeat(30_000);

	function captured(
		place: "held" | "spooled",
		before: (at: number) => void = () => undefined,
	): string {
		const capture = new Capture(2_000_000, place);
		for (let at = 0; at < longText.length; at += 65_536) {
			before(at);
			capture.add(longText.slice(at, at + 65_536));
		}
		const text = capture.text();
		capture.close();
		return text;
	}

	test("gives the text that a held one gives", () => {
		const text = captured("spooled");
		expect(text).toBe(captured("held"));
		expect(text).toContain("characters left out");
	});

	test("holds its text where no file can be opened", () => {
		vi.stubEnv("TMPDIR", "/nonexistent/of-the-test");
		expect(captured("spooled")).toBe(captured("held"));
		vi.unstubAllEnvs();
	});

	test("holds it from the moment on at which the disk is full", () => {
		const added = vi.spyOn(SpooledBytes.prototype, "add");
		const text = captured("spooled", (at) => {
			if (at < longText.length / 2) return;
			added.mockImplementation(() => {
				throw Object.assign(new Error("no space left"), { code: "ENOSPC" });
			});
		});
		expect(added.mock.results.map(({ type }) => type)).toEqual(
			expect.arrayContaining(["return", "throw"]),
		);
		expect(text).toBe(captured("held"));
	});
});
