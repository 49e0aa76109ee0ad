import { expect, test } from "vitest";
import { strangeCommits } from "./land-run.ts";

const merged = (commit: string, onto: string) => {
	const data = { into: "work", commit, onto, turn_commit: "t" };
	return { type: "task-merged", data } as const;
};
const baseMerged = (commit: string) =>
	({ type: "base-merged", data: { base: "main", into: "work", commit } }) as const;
const landed = (commit: string) =>
	({ type: "run-landed", data: { branch: "main", commit } }) as const;

test("a branch that only the run moved holds nothing strange, a landing's merge of the base included", () => {
	expect(strangeCommits("b", [merged("m1", "b"), merged("m2", "m1")], "m2")).toEqual([]);
	expect(strangeCommits("b", [merged("m1", "b"), landed("l"), merged("m2", "l")], "m2")).toEqual(
		[],
	);
	// A landing that ended between the two branches.
	expect(strangeCommits("b", [merged("m1", "b"), baseMerged("l")], "l")).toEqual([]);
});

test("a commit of somebody else's is named, also when the run merged onto it", () => {
	expect(strangeCommits("b", [merged("m1", "evil")], "m1")).toEqual(["evil"]);
	expect(strangeCommits("b", [merged("m1", "b")], "hand")).toEqual(["hand"]);
});
