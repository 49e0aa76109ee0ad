import { expect, test } from "vitest";
import type { StoredEvent } from "../../trace/event.ts";
import { TidiedTasks } from "./tidied-tasks.ts";
import { type TidyGround, tidy } from "./work-on-task.ts";

const happens = (tidied: TidiedTasks, task: string | null): void =>
	tidied.onEvent({ task } as StoredEvent);

test("a task is tidied until something happens to it, or it fails", () => {
	const tidied = new TidiedTasks();
	expect(tidied.has("a")).toBe(false);
	for (const id of ["a", "b", "c"]) tidied.begin(id);
	happens(tidied, null);
	happens(tidied, "b");
	tidied.failed("c");
	expect(["a", "b", "c"].map((id) => tidied.has(id))).toEqual([true, false, false]);
});

test("one that could not be tidied up after is tidied again", async () => {
	const tidied = new TidiedTasks();
	const records = { task: () => Promise.reject(new Error("the disk is full")) };
	const drive = { run: { runId: "r1" }, store: { records } } as unknown as TidyGround["drive"];
	await expect(tidy({ drive, tidied }, "a")).rejects.toThrow("the disk is full");
	expect(tidied.has("a")).toBe(false);
});
