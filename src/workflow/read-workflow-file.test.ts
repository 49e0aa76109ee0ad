import { execFileSync } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { MAX_FILE_BYTES } from "./decode-text.ts";
import { readWorkflowFile } from "./read-workflow-file.ts";

let directory = "";
beforeAll(async () => {
	directory = await mkdtemp(join(tmpdir(), "workflow-file-"));
});
afterAll(() => rm(directory, { recursive: true }));

test("a file with an odd name is read byte by byte", async () => {
	const path = join(directory, '- a"\nü.yaml');
	await writeFile(path, Buffer.from([0x61, 0xff]));
	expect([...(await readWorkflowFile(path))]).toEqual([0x61, 0xff]);
});

test("of a huge file one byte more than the limit is read", async () => {
	const path = join(directory, "huge.yaml");
	await writeFile(path, Buffer.alloc(3 * MAX_FILE_BYTES));
	expect(await readWorkflowFile(path)).toHaveLength(MAX_FILE_BYTES + 1);
});

test("a missing file is a fault that names spar init", async () => {
	const fault = {
		code: "workflow-invalid",
		hint: "run `spar init` to create one, or name another file: `spar run FILE`",
	};
	await expect(readWorkflowFile(join(directory, "none.yaml"))).rejects.toMatchObject(fault);
	await writeFile(join(directory, "plain"), "");
	await expect(readWorkflowFile(join(directory, "plain", "x"))).rejects.toMatchObject(fault);
});

test("a directory, a pipe and a path with NUL are faults", async () => {
	const pipe = join(directory, "pipe");
	execFileSync("mkfifo", [pipe]);
	for (const path of [directory, pipe]) {
		await expect(readWorkflowFile(path)).rejects.toThrow("is not a file");
	}
	await expect(readWorkflowFile("a\0b")).rejects.toThrow("cannot be read (ERR_INVALID_ARG_VALUE)");
});
