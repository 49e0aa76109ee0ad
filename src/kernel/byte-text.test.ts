import fc from "fast-check";
import { expect, test } from "vitest";
import { bytesOfText, textOfBytes } from "./byte-text.ts";

test("any bytes come back as they were", () => {
	fc.assert(
		fc.property(fc.uint8Array(), (array) => {
			const bytes = Buffer.from(array);
			expect(Buffer.from(bytesOfText(textOfBytes(bytes)))).toEqual(bytes);
		}),
	);
});

test("only lines that are no UTF-8 are spelled out, and UTF-8 stays a text", () => {
	const bytes = Buffer.concat([
		Buffer.from("é\n"),
		Buffer.from([0x63, 0xe9, 0x0a]),
		Buffer.from("ü"),
	]);
	expect(textOfBytes(bytes)).toBe("é\nc\udce9\nü");
	expect(bytesOfText("é\n😀")).toBe("é\n😀");
});

test("a surrogate that stands for no byte is written as every other text would write it", () => {
	expect(bytesOfText("a\ud800b")).toEqual(Buffer.from("a\ufffdb"));
});
