import { expect, test } from "vitest";
import { draftOf, listOf, tasksOf, wordsOf } from "./draft.ts";

const taskOf = (own: unknown, defaults: unknown) => {
	const [task] = tasksOf(draftOf({ tasks: { a: own }, defaults }));
	if (task === undefined) throw new Error("no task");
	return task;
};

test("mappings merge key by key, and each value knows where it stands", () => {
	const { task, at, said } = taskOf(
		{ budget: { usd: 1 } },
		{ budget: { usd: 2, wall: "3m" }, agent: "dev" },
	);
	expect(task).toEqual({ budget: { usd: 1, wall: "3m" }, agent: "dev" });
	expect(at("budget", "wall")).toEqual(["defaults", "budget", "wall"]);
	expect(at("budget", "usd")).toEqual(["tasks", "a", "budget", "usd"]);
	expect(said("agent")).toEqual({ value: "dev", path: ["defaults", "agent"] });
});

test("a list replaces a list, and what is not a mapping hides what lies below", () => {
	expect(taskOf({ context_files: ["x"] }, { context_files: ["y", "z"] }).task).toEqual({
		context_files: ["x"],
	});
	expect(taskOf({ budget: null }, { budget: { usd: 1 } }).task).toEqual({ budget: null });
	expect(taskOf("text", { agent: "dev" }).task).toEqual({});
});

test("a formal review takes no overlay of `defaults`", () => {
	const overlays = { paired_workflow: { enabled: true, challenger_agent: "rev" } };
	expect(taskOf({ agent: "dev" }, { overlays })).toMatchObject({ player: "dev", coach: "rev" });
	const review = taskOf({ agent: "dev", formal_review: true }, { overlays, max_turns: 3 });
	expect(review.task).toEqual({ agent: "dev", formal_review: true, max_turns: 3 });
	expect(review).toMatchObject({ isReview: true, player: undefined, coach: "dev" });
});

test("what stands in the place of a list has no entries, and texts know their places", () => {
	expect([undefined, null, 5, "x", {}].map((each) => listOf(each))).toEqual([[], [], [], [], []]);
	expect(wordsOf(["x", 1, "", "y"])).toEqual([
		{ text: "x", index: 0 },
		{ text: "y", index: 3 },
	]);
});

test("inherited properties of objects are not keys", () => {
	const { said } = taskOf({}, JSON.parse('{"__proto__": 1}'));
	expect(said("constructor").value).toBeUndefined();
	expect(said("__proto__")).toEqual({ value: 1, path: ["defaults", "__proto__"] });
});
