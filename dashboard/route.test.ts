import { expect, test } from "vitest";
import { link, parseRoute } from "./route.ts";

test("each screen has an address", () => {
	expect(parseRoute("")).toEqual({ screen: "inbox", item: null });
	expect(parseRoute("#/items/h1")).toEqual({ screen: "inbox", item: "h1" });
	expect(parseRoute("#/runs?filter=failed")).toEqual({ screen: "runs", filter: "failed" });
	expect(parseRoute("#/runs/r1")).toEqual({ screen: "run", run: "r1" });
	expect(parseRoute("#/runs/r1/tasks/a")).toMatchObject({ screen: "task", part: "turns" });
	expect(parseRoute("#/runs/r1/tasks/a/diff")).toMatchObject({ task: "a", part: "diff" });
	expect(parseRoute("#/plan")).toEqual({ screen: "plan" });
	expect(parseRoute("#/calibration")).toEqual({ screen: "calibration" });
});

test("what no screen has is the inbox, and an unknown part of a task its turns", () => {
	expect(parseRoute("#/nowhere/at/all")).toEqual({ screen: "inbox", item: null });
	expect(parseRoute("#/runs/r1/tasks/a/nothing")).toMatchObject({ part: "turns" });
});

test("a name with a slash and one that is no valid escape survive the address", () => {
	expect(parseRoute(link("runs", "a/b"))).toEqual({ screen: "run", run: "a/b" });
	expect(parseRoute("#/runs/50%")).toEqual({ screen: "run", run: "50%" });
});
