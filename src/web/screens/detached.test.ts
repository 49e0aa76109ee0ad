import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { thorough } from "../../../test/support/amount.ts";
import { lastLines, runDetached } from "./ground-screens.ts";

let directory: string;
beforeEach(() => {
	directory = mkdtempSync(join(tmpdir(), "spar-detached-"));
});
afterEach(() => rmSync(directory, { recursive: true }));

const place = () => ({
	directory,
	env: { WORD: "hello" },
	output: join(directory, "a", "out.log"),
});

thorough(
	"a program is told of with its end and what it printed last, from both streams",
	async () => {
		const script =
			'console.log("one"); console.error(process.env.WORD); console.log(""); process.exit(3)';
		expect(await runDetached([process.execPath, "-e", script], place())).toEqual({
			code: 3,
			said: ["one", "hello"],
		});
	},
);

test("it stands in a session of its own, so that no Ctrl-C of a terminal reaches it", async () => {
	const script =
		'console.log(require("fs").readFileSync("/proc/self/stat", "utf8").split(" ").slice(4, 6).join())';
	const { said } = await runDetached([process.execPath, "-e", script], place());
	const [group, session] = said[0]?.split(",") ?? [];
	expect(group).toBe(session);
	expect(Number(group)).not.toBe(process.pid);
});

thorough("one that cannot be started rejects, and one that a signal ends has no code", async () => {
	await expect(runDetached([join(directory, "none")], place())).rejects.toThrow("ENOENT");
	const script = 'process.kill(process.pid, "SIGKILL")';
	expect(await runDetached([process.execPath, "-e", script], place())).toMatchObject({
		code: null,
	});
});

test("of a long output the last lines are kept, and of a long line its beginning", () => {
	const lines = Array.from({ length: 30 }, (_, index) => `line ${index + 1}`);
	expect(lastLines(`${lines.join("\n")}\n\n  \n`)).toEqual(lines.slice(10));
	expect(lastLines("x".repeat(900))).toEqual(["x".repeat(500)]);
	expect(lastLines("")).toEqual([]);
});
