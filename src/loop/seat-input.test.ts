import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import type { Evidence } from "../evidence/evidence.ts";
import { blobsInMemory } from "../kernel/blobs.fixture.ts";
import { advanceSession, startSession } from "../review/pair-session.ts";
import { handOver, pairOf } from "./seat-input.ts";

const PIECE: Evidence = {
	check: "tests",
	kind: "acceptance",
	status: "pass",
	reason: null,
	counts: null,
	details: [],
	outputPath: null,
	purpose: "turn",
	tree: "",
	definition: "",
	exitCode: 0,
	cases: null,
	outputTail: "",
	startedAt: "",
	ms: 0,
	touched: [],
	started: true,
};

test("an output that the user removed is handed over without a path", async () => {
	const directory = mkdtempSync(join(tmpdir(), "spar-handed-"));
	onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
	const blobs = blobsInMemory();
	await blobs.put("kept.log", "kept");
	const paths = ["kept.log", "gone.log", null];
	const handed = await handOver(
		paths.map((outputPath) => ({ ...PIECE, outputPath })),
		blobs,
		join(directory, "work"),
	);
	expect(handed.evidence.map(({ outputPath }) => outputPath)).toEqual(["kept.log", null, null]);
	expect(readFileSync(join(handed.directory, "kept.log"), "utf8")).toBe("kept");
});

test("a pair is told with its last five iterations, a single agent with none", () => {
	const plan = {
		driver: "dev",
		challenger: "rev",
		roleSwitch: "session",
		checkpoints: [],
	} as const;
	const started = startSession({ runId: "r", taskId: "t" }, { ...plan, maxIterations: 9 });
	const result = {
		summary: "done",
		critique: "no",
		findings: [],
		approved: false,
		completedSubtask: null,
	};
	const turns = [1, 2, 3, 4, 5, 6, 7];
	const session = turns.reduce((now, turn) => advanceSession(now, { ...result, turn }), started);
	const task = { player: "dev", bound: 9, pair: { challenger: "rev" } };
	expect(pairOf(task, session, 8)).toMatchObject({
		iteration: 8,
		history: [3, 4, 5, 6, 7].map((iteration) => ({ iteration, challenger_critique: "no" })),
	});
	expect(pairOf(task, undefined, 1)).toMatchObject({ iteration: 1, history: [] });
	expect(pairOf({ player: "dev", bound: 9 }, undefined, 1)).toBeNull();
});
