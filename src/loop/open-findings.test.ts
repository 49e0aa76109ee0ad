import { expect, test } from "vitest";
import { aFinding } from "../review/finding-builder.contract.ts";
import { openNow } from "./open-findings.ts";

const FINDINGS = [
	aFinding({ id: "F1" }),
	aFinding({ id: "F2", subtask: "core" }),
	aFinding({ id: "F3", subtask: "edge" }),
];

async function openIn(subtask: string | null): Promise<readonly string[]> {
	const records = { openFindings: () => Promise.resolve(FINDINGS) };
	const context = {
		run: { runId: "r1" },
		task: { id: "one" },
		records,
		subtask: subtask === null ? null : { id: subtask },
	};
	// Of run, task, records and subtask nothing but this is read.
	const open = await openNow(context as unknown as Parameters<typeof openNow>[0]);
	return open.map(({ id }) => id);
}

test("a subtask has its own findings, and a task in one piece those of no subtask", async () => {
	expect(await openIn("core")).toEqual(["F2"]);
	expect(await openIn("edge")).toEqual(["F3"]);
	expect(await openIn(null)).toEqual(["F1"]);
});
