import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { thorough } from "../../test/support/amount.ts";
import type { Blobs } from "../kernel/blobs.ts";
import { maskerFor, noMasker } from "../masking/masking.ts";
import { folderBlobs } from "../store/folder/blobs.ts";
import { LiveLog, outputName } from "./run-context.ts";

const SECRET = "hunter2hunter2";
const masker = maskerFor([{ value: SECRET, rule: "env" }]);

const KEY = "transcripts/r1/one/turn-1-player-1.log";

function place(): { readonly folder: string; readonly blobs: Blobs; readonly text: () => string } {
	const folder = mkdtempSync(join(tmpdir(), "live-"));
	onTestFinished(() => rmSync(folder, { recursive: true }));
	return {
		folder,
		blobs: folderBlobs(folder),
		text: () => readFileSync(join(folder, KEY), "utf8"),
	};
}

thorough(
	"the first line is there at once, and a line that has not ended when the call ends",
	async () => {
		const appended: string[] = [];
		const log = new LiveLog(
			{
				...place().blobs,
				put: async () => undefined,
				append: async (_key, text) => {
					appended.push(text);
				},
			},
			KEY,
			noMasker,
		);
		log.add("first\nsec");
		await vi.waitFor(() => expect(appended).toEqual(["first\n"]));
		log.add("ond");
		await log.end();
		expect(appended).toEqual(["first\n", "second"]);
	},
);

test("a secret that comes in pieces is masked", async () => {
	const { blobs, text } = place();
	const log = new LiveLog(blobs, KEY, masker);
	for (const piece of ["a ", SECRET.slice(0, 5), SECRET.slice(5), " b\nkey ", SECRET])
		log.add(piece);
	await log.end();
	expect(text()).toMatch(/^a \[MASKED:env:\w{4}\] b\nkey \[MASKED:env:\w{4}\]$/);
});

test("what an earlier call left goes, unless a heading says that it is continued", async () => {
	const { blobs, text } = place();
	for (const heading of [null, null, `$ npm ci ${SECRET}`]) {
		const log = new LiveLog(blobs, KEY, masker, heading);
		log.add("done\n");
		await log.end();
	}
	expect(text()).toMatch(/^done\n\$ npm ci \[MASKED:env:\w{4}\]\ndone\n$/);
});

test("an endless output is cut, and says so", async () => {
	const { blobs, text } = place();
	const log = new LiveLog(blobs, KEY, noMasker);
	for (let line = 0; line < 40; line += 1) log.add(`${"x".repeat(100_000)}\n`);
	await log.end();
	expect(text().length).toBeLessThan(2_300_000);
	expect(text()).toMatch(/\n\[\.\.\. more is in the file once the call has ended \.\.\.\]\n$/);
});

test("a log that cannot be written stops nothing", async () => {
	const { folder, blobs } = place();
	const log = new LiveLog(blobs, KEY, noMasker);
	writeFileSync(join(folder, "in-the-way"), "");
	log.add("first\n");
	await log.end();
	const nowhere = new LiveLog(folderBlobs(join(folder, "in-the-way")), KEY, noMasker);
	nowhere.add("first\n");
	await nowhere.end();
	expect(readFileSync(join(folder, "in-the-way"), "utf8")).toBe("");
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
