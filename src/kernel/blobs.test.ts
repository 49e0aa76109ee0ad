import { expect, test } from "vitest";
import { isSoundKey, soundKey } from "./blobs.ts";

test.each(["", "/a", "a/", "a//b", ".", "a/./b", "..", "runs/../../x", "a\0b"])(
	"%j is no key of a file",
	(key) => {
		expect(isSoundKey(key)).toBe(false);
		expect(() => soundKey(key)).toThrow("is no key of a file");
	},
);

test.each(["a", "runs/r1/turn-1.log", "...", "a/.b", "a/..b"])("%j is a key", (key) => {
	expect(soundKey(key)).toBe(key);
});
