import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import type { Evidence } from "../evidence/evidence.ts";
import { handOver } from "./seat-input.ts";

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
	mkdirSync(join(directory, "state"));
	writeFileSync(join(directory, "state", "kept.log"), "kept");
	const paths = ["kept.log", "gone.log", null];
	const handed = await handOver(
		paths.map((outputPath) => ({ ...PIECE, outputPath })),
		join(directory, "state"),
		join(directory, "work"),
	);
	expect(handed.evidence.map(({ outputPath }) => outputPath)).toEqual(["kept.log", null, null]);
	expect(readFileSync(join(handed.directory, "kept.log"), "utf8")).toBe("kept");
});
