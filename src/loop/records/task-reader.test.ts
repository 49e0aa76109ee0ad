import { expect, test } from "vitest";
import { aFinding } from "../../review/finding-builder.fixture.ts";
import type { Records } from "../../store/records.ts";
import { taskReader } from "./task-reader.ts";

const FINDINGS = [
	aFinding({ id: "F1" }),
	aFinding({ id: "F2", subtask: "core" }),
	aFinding({ id: "F3", subtask: "edge" }),
];

async function openIn(subtask: string | null): Promise<readonly string[]> {
	// Nothing else of the records is read here.
	const records = { openFindings: () => Promise.resolve(FINDINGS) } as unknown as Records;
	const open = await taskReader(records, { runId: "r1", taskId: "one" }, subtask).open();
	return open.map(({ id }) => id);
}

test("a subtask has its own findings, and a task in one piece those of no subtask", async () => {
	expect(await openIn("core")).toEqual(["F2"]);
	expect(await openIn("edge")).toEqual(["F3"]);
	expect(await openIn(null)).toEqual(["F1"]);
});
