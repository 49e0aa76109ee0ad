import { expect, test } from "vitest";
import type { StoredEvent } from "../../trace/event.ts";
import { TidiedTasks } from "./tidied-tasks.ts";

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
