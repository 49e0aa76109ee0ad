import { expect, test } from "vitest";
import { link, parseRoute, route, spotLink } from "./route.ts";

test("each screen has an address", () => {
	expect(parseRoute("")).toMatchObject({ screen: "inbox", item: null });
	expect(parseRoute("#/items/h1")).toMatchObject({ screen: "inbox", item: "h1" });
	expect(parseRoute("#/runs?filter=failed")).toEqual({ screen: "runs", filter: "failed" });
	expect(parseRoute("#/runs/r1")).toEqual({ screen: "run", run: "r1" });
	expect(parseRoute("#/runs/r1/tasks/a")).toMatchObject({ screen: "task", part: "turns" });
	expect(parseRoute("#/runs/r1/tasks/a/diff")).toMatchObject({ task: "a", part: "diff" });
	expect(parseRoute("#/plan")).toEqual({ screen: "plan" });
	expect(parseRoute("#/calibration")).toEqual({ screen: "calibration" });
});

test("what no screen has is the inbox, and an unknown part of a task its turns", () => {
	expect(parseRoute("#/nowhere/at/all")).toMatchObject({ screen: "inbox", item: null });
	expect(parseRoute("#/runs/r1/tasks/a/nothing")).toMatchObject({ part: "turns" });
});

test("a name with a slash and one that is no valid escape survive the address", () => {
	expect(parseRoute(link("runs", "a/b"))).toEqual({ screen: "run", run: "a/b" });
	expect(parseRoute("#/runs/50%")).toEqual({ screen: "run", run: "50%" });
});

test("file, line and turns of a diff have an address, and so has a finding", () => {
	const spot = { turn: 2, since: 0, file: "src/a b?.js", line: -7, finding: null };
	route.value = parseRoute("#/runs/r1/tasks/a/turns");
	const address = spotLink(spot);
	expect(parseRoute(address)).toEqual({
		screen: "task",
		run: "r1",
		task: "a",
		part: "diff",
		at: spot,
	});
	expect(parseRoute(spotLink({ finding: "F1" }))).toMatchObject({
		part: "findings",
		at: { finding: "F1", file: null },
	});
	route.value = parseRoute("#/items/h1");
	expect(parseRoute(spotLink(spot))).toMatchObject({ screen: "inbox", item: "h1", at: spot });
	expect(parseRoute("#/items/h1?line=x&turn=1e9")).toMatchObject({
		at: { line: null, turn: null },
	});
});
