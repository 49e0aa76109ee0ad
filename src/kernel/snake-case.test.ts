import { expect, test } from "vitest";
import { snake } from "./snake-case.ts";

test("fields keep their order and values, and their keys are those of JSON", () => {
	const record = { runId: "r1", tasks: [{ taskId: "a" }], addWallMs: null, left: 1 };
	const json: { readonly run_id: string; readonly add_wall_ms: null } = snake(
		record,
		"addWallMs",
		"runId",
		"tasks",
	);
	expect(Object.entries(json)).toEqual([
		["add_wall_ms", null],
		["run_id", "r1"],
		["tasks", [{ taskId: "a" }]],
	]);
});
