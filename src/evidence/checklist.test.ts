import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect, test } from "vitest";
import { runCheck } from "../checks/run-check.ts";
import { blobsInMemory } from "../kernel/blobs.fixture.ts";
import { maskerFor } from "../masking/masking.ts";
import { checklistResults, checklistRuns } from "./checklist.ts";
import { evidence } from "./evidence.fixture.ts";

const item = (text: string, run: string) => ({ item: text, run, timeoutMs: 20_000 });

async function take(run: string, text = "the log names it") {
	const dir = await mkdtemp(path.join(tmpdir(), "spar-checklist-"));
	// A home is made beside the checkout.
	const checkout = path.join(dir, "checkout");
	try {
		await mkdir(checkout);
		const [check] = checklistRuns([item(text, run)]);
		if (check === undefined) throw new Error("no item");
		return await runCheck(
			{
				check,
				checkout,
				tree: "t1",
				definition: "d",
				purpose: "turn",
				baseline: undefined,
				env: { PATH: "/usr/bin:/bin" },
				mark: "checklist-test",
				work: path.join(dir, "tmp"),
				confines: false,
				masker: maskerFor([{ rule: "env", value: "hunter2-hunter2" }]),
				blobs: blobsInMemory(),
				outputPath: "out/1.log",
			},
			new AbortController().signal,
		);
	} finally {
		await rm(dir, { recursive: true, force: true });
	}
}

test("items are judged by their exit code, whatever they print", async () => {
	const printed = "printf 'TAP version 13\\n1..1\\nnot ok 1 - x\\n'";
	expect(await take(printed)).toMatchObject({
		check: "checklist/1",
		item: "the log names it",
		kind: "checklist",
		status: "pass",
		cases: null,
	});
	expect(await take("exit 3")).toMatchObject({ status: "fail", reason: "exit code 3" });
});

test("an item whose program is missing could not be run, and its text is masked", async () => {
	const piece = await take("no-such-program-here", "hunter2-hunter2 is gone");
	expect(piece.status).toBe("error");
	expect(piece.reason).toContain("not found");
	expect(piece.item).not.toContain("hunter2");
});

test("each item has a result on the tree; one without evidence was not run", () => {
	const of = (number: number, more: Parameters<typeof evidence>[0] = {}) =>
		evidence({ check: `checklist/${number}`, item: `i${number}`, kind: "checklist", ...more });
	const [unnamed] = checklistResults(
		1,
		[evidence({ check: "checklist/1", kind: "checklist" })],
		"t1",
	);
	expect(unnamed?.item).toBe("checklist/1");
	const stored = [
		of(2, { status: "error", reason: "timed out" }),
		of(1),
		of(3, { tree: "t0" }),
		evidence({ check: "checklist/3" }),
	];
	expect(checklistResults(3, stored, "t1")).toEqual([
		{ item: "i1", status: "pass", reason: null },
		{ item: "i2", status: "error", reason: "timed out" },
		{ item: "checklist/3", status: "absent", reason: "it was not run" },
	]);
	expect(checklistResults(0, stored, "t1")).toEqual([]);
});
