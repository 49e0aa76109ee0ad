import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { openedFile } from "./opened-file.ts";

let folder = "";
beforeEach(() => {
	folder = mkdtempSync(join(tmpdir(), "spar-opened-"));
	vi.useFakeTimers({ toFake: ["hrtime"] });
});
afterEach(() => {
	vi.useRealTimers();
	rmSync(folder, { recursive: true });
});

test("what is lost stays lost at each further look, however soon it comes", () => {
	const path = join(folder, "a.db");
	writeFileSync(path, "");
	const opened = openedFile(path);
	opened.require();
	rmSync(path);
	vi.advanceTimersByTime(300);
	for (let look = 0; look < 3; look += 1) expect(() => opened.look()).toThrow("was deleted");
});

test("what is no file is never lost", () => {
	const opened = openedFile(":memory:");
	vi.advanceTimersByTime(300);
	expect(() => opened.look()).not.toThrow();
	expect(opened.isFile).toBe(false);
});
