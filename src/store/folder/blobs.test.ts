import {
	mkdirSync,
	mkdtempSync,
	readdirSync,
	readFileSync,
	rmSync,
	symlinkSync,
	writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { blobsInMemory } from "../../kernel/blobs.fixture.ts";
import { blobsContract } from "../blobs.contract.ts";
import { folderBlobs } from "./blobs.ts";

const freshDirectory = (): string => mkdtempSync(join(tmpdir(), "spar-blobs-"));

blobsContract("folder", async () => {
	const directory = freshDirectory();
	return {
		blobs: folderBlobs(join(directory, "state")),
		close: async () => rmSync(directory, { recursive: true }),
	};
});

blobsContract("in memory", async () => ({
	blobs: blobsInMemory(),
	close: () => Promise.resolve(),
}));

function scratch(): string {
	const directory = freshDirectory();
	onTestFinished(() => rmSync(directory, { recursive: true }));
	return directory;
}

test("a key is the path below the folder, and nothing else is left there", async () => {
	const directory = scratch();
	await folderBlobs(directory).put("traces/one.json", "{}");
	expect(readdirSync(directory, { recursive: true })).toEqual(["traces", "traces/one.json"]);
	expect(readFileSync(join(directory, "traces", "one.json"), "utf8")).toBe("{}");
});

test("a symbolic link in the place of a file is neither read nor listed, and gives way to a text", async () => {
	const directory = scratch();
	writeFileSync(join(directory, "private"), "the user's own");
	mkdirSync(join(directory, "state"));
	symlinkSync(join(directory, "private"), join(directory, "state", "one.log"));
	const blobs = folderBlobs(directory);
	expect(await blobs.read("state/one.log")).toBeUndefined();
	expect(await blobs.list("state")).toEqual([]);
	await blobs.put("state/one.log", "text");
	expect(await blobs.read("state/one.log")).toBe("text");
	expect(readFileSync(join(directory, "private"), "utf8")).toBe("the user's own");
});

test("what cannot be written is a fault that names the file", async () => {
	const directory = scratch();
	writeFileSync(join(directory, "state"), "a file");
	mkdirSync(join(directory, "taken", "log"), { recursive: true });
	const fault = { code: "state-unwritable" };
	const inFile = folderBlobs(join(directory, "state", "deeper"));
	await expect(inFile.append("a.log", "x")).rejects.toMatchObject(fault);
	await expect(folderBlobs(join(directory, "taken")).append("log", "x")).rejects.toMatchObject({
		...fault,
		message: expect.stringContaining(join(directory, "taken", "log")) as unknown,
	});
});
