import { expect, test } from "vitest";
import { leftOutOf } from "./left-out.ts";

test("each path that is not committed gives one sentence with the reason", () => {
	const sentences = leftOutOf({
		embedded: ["sub"],
		leftOut: ["a b"],
		unfit: [{ path: "big.bin", why: "has 3 TiB, more than the 1 GiB allowed for a file" }],
	});
	expect(sentences).toEqual([
		"sub: this directory is a git repository of its own; remove its .git",
		'"a b": git refuses to add this path; rename it',
		"big.bin: not committed and removed: it has 3 TiB, more than the 1 GiB allowed for a file",
	]);
});
