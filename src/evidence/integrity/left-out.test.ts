import { expect, test } from "vitest";
import { leftOutOf } from "./left-out.ts";

test("each thing that no commit holds is one sentence with its reason", () => {
	const sentences = leftOutOf({
		embedded: ["sub"],
		leftOut: ["a b"],
		unfit: [{ path: "big.bin", why: "has 3 TiB; a file may have 1 GiB" }],
	});
	expect(sentences).toEqual([
		"sub: a repository of its own was made here; remove its .git",
		'"a b": git refuses to record this path; rename it',
		"big.bin: left out of the commit and removed: it has 3 TiB; a file may have 1 GiB",
	]);
});
