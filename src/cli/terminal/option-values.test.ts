import { expect, test } from "vitest";
import { tagList } from "./option-values.ts";

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
