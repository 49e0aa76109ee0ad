import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { maskerFor, noMasker } from "../../kernel/masking.ts";
import { LiveLog } from "./live-log.ts";
import { outputName } from "./live-logs.ts";

const SECRET = "hunter2hunter2";
const masker = maskerFor([{ value: SECRET, rule: "env" }]);

function file(): string {
	const folder = mkdtempSync(join(tmpdir(), "live-"));
	onTestFinished(() => rmSync(folder, { recursive: true }));
	return join(folder, "deep", "call.log");
}

test("the first line is there at once, and a line that has not ended when the call ends", () => {
	const path = file();
	const log = new LiveLog(path, noMasker);
	expect(readFileSync(path, "utf8")).toBe("");
	log.add("first\nsec");
	expect(readFileSync(path, "utf8")).toBe("first\n");
	log.add("ond");
	log.end();
	expect(readFileSync(path, "utf8")).toBe("first\nsecond");
});

test("a secret that comes in pieces is masked", () => {
	const path = file();
	const log = new LiveLog(path, masker);
	for (const piece of ["a ", SECRET.slice(0, 5), SECRET.slice(5), " b\nkey ", SECRET])
		log.add(piece);
	log.end();
	expect(readFileSync(path, "utf8")).toMatch(
		/^a \[MASKED:env:\w{4}\] b\nkey \[MASKED:env:\w{4}\]$/,
	);
});

test("what an earlier call left goes, unless a heading says that it is continued", () => {
	const path = file();
	for (const heading of [null, null, `$ npm ci ${SECRET}`]) {
		const log = new LiveLog(path, masker, heading);
		log.add("done\n");
		log.end();
	}
	expect(readFileSync(path, "utf8")).toMatch(/^done\n\$ npm ci \[MASKED:env:\w{4}\]\ndone\n$/);
});

test("an endless output is cut, and says so", () => {
	const path = file();
	const log = new LiveLog(path, noMasker);
	for (let line = 0; line < 40; line += 1) log.add(`${"x".repeat(100_000)}\n`);
	log.end();
	const text = readFileSync(path, "utf8");
	expect(text.length).toBeLessThan(2_300_000);
	expect(text).toMatch(/\n\[\.\.\. more is in the file once the call has ended \.\.\.\]\n$/);
});

test("a log that cannot be written stops nothing", () => {
	const path = file();
	const log = new LiveLog(path, noMasker);
	rmSync(join(path, ".."), { recursive: true });
	writeFileSync(join(path, ".."), "in the way");
	log.add("first\n");
	log.end();
	new LiveLog(path, noMasker).end();
});

test.each<[string, string | null]>([
	["r1:one:2:turn:0:tests", "turn-2/turn-tests.log"],
	["r1:one:0:baseline:0:replay:tests", "turn-0/baseline-replay:tests.log"],
	["r1:one:2:turn:1:tests", "turn-2/turn-tests-1.log"],
	["r1:one:setup:player", "setup-player.log"],
	["r1:landing:setup", null],
	["r1:git", null],
	["r1:one:2:coach:1", null],
])("processes marked %s print to %s", (mark, name) => {
	expect(outputName(mark)).toBe(name);
});
