import { expect, test } from "vitest";
import { healthAddress, tagList, wholeNumber } from "./option-values.ts";

test("tags are words between commas, and none is a list of its own", () => {
	expect(tagList("gpu, linux-6.1,")).toEqual(["gpu", "linux-6.1"]);
	expect(tagList(" ")).toEqual([]);
	expect(tagList()).toEqual([]);
});

test.each(["a b", "gpu;drop", "x".repeat(5_000), "gpu\nlinux", "any", "-x", "a/b"])(
	"%j is no tag, since no agent can have it",
	(tag) => {
		const refusal = expect.objectContaining({
			code: "usage",
			message: expect.stringMatching(/^".{1,90}" cannot be a tag: it /) as unknown,
		}) as Error;
		expect(() => tagList(`linux,${tag}`)).toThrow(refusal);
	},
);

test("health is served on loopback unless an address says otherwise", () => {
	expect(healthAddress("9464")).toEqual({ host: "127.0.0.1", port: 9464 });
	expect(healthAddress("0.0.0.0:0")).toEqual({ host: "0.0.0.0", port: 0 });
	expect(healthAddress("[::1]:80")).toEqual({ host: "::1", port: 80 });
	for (const text of ["", "99999", "http://x:1", "host:", "-1"])
		expect(() => healthAddress(text)).toThrow("Give a port");
});

test("a number of turns, tasks or lines is whole, above 0 and at most a million", () => {
	expect(["1", "42", "1000000"].map(wholeNumber)).toEqual([1, 42, 1_000_000]);
	for (const text of ["", "0", "00", "01", "-1", "1.5", "1e3", "1000001", "x"])
		expect(() => wholeNumber(text)).toThrow("Give a whole number from 1 to 1,000,000.");
});
