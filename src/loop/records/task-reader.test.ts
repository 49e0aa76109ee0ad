import { expect, test } from "vitest";
import { aFinding } from "../../review/finding-builder.fixture.ts";
import type { Records } from "../../store/records.ts";
import { suspicion } from "../../wall/suspicion.ts";
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

test("suspicions that an older version stored have their rule, which was their kind", async () => {
	const about = { file: "a.js", line: 1, text: "+ exit" };
	const { rule: _, ...now } = suspicion({ ...about, rule: "ends_process" }, []);
	const wall = { suspicions: [{ ...now, kind: "ends_process" }], allowed: [], violations: [] };
	// Nothing else of the records is read here.
	const records = {
		step: ({ step }: { readonly step: string }) =>
			Promise.resolve(step === "wall" ? wall : undefined),
		evidence: () => Promise.resolve([]),
	} as unknown as Records;
	const { suspicions } = await taskReader(records, { runId: "r1", taskId: "one" }, null).suspected(
		1,
	);
	expect(suspicions).toEqual([suspicion({ ...about, rule: "ends_process" }, [])]);
});
