import { expect, test } from "vitest";
import { decodeText, MAX_FILE_BYTES } from "./decode-text.ts";

test("a byte order mark is not part of the text", () => {
	expect(decodeText(Buffer.from("\uFEFFa: ü"))).toEqual({ text: "a: ü" });
	expect(decodeText("\uFEFFa")).toEqual({ text: "a" });
});

test("a file of exactly 1 MiB is read, one byte more is refused", () => {
	expect(decodeText("x".repeat(MAX_FILE_BYTES))).toHaveProperty("text");
	const problem = { problem: "the file is larger than 1 MiB", line: 1 };
	expect(decodeText("x".repeat(MAX_FILE_BYTES + 1))).toMatchObject(problem);
	expect(decodeText(Buffer.alloc(MAX_FILE_BYTES + 1))).toMatchObject(problem);
	expect(decodeText("ü".repeat(MAX_FILE_BYTES / 2 + 1))).toMatchObject(problem);
});

test("bytes that are not UTF-8 are refused with their line", () => {
	const problem = { problem: "the file is not UTF-8", hint: "save it as UTF-8" };
	expect(decodeText(Buffer.from("a: 1\nb: \xe4\nc: 1", "latin1"))).toEqual({ ...problem, line: 2 });
	expect(decodeText(Buffer.from("a\nb\n\xe4", "latin1"))).toEqual({ ...problem, line: 3 });
});

test.each([
	["little", Buffer.from("\uFEFFa", "utf16le")],
	["big", Buffer.from("\uFEFFa", "utf16le").swap16()],
])("UTF-16 (%s endian) is named", (_name, bytes) => {
	expect(decodeText(bytes)).toMatchObject({ problem: "the file is UTF-16, not UTF-8", line: 1 });
});
