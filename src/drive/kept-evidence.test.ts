import { mkdtempSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { evidence } from "../evidence/evidence.fixture.ts";
import { KeptEvidence } from "./kept-evidence.ts";

const piece = evidence({ cases: [{ id: "a", status: "passed" }] });

/** Evidence that is kept, and its one file. */
async function kept() {
	const folder = mkdtempSync(join(tmpdir(), "spar-kept-"));
	onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
	const store = new KeptEvidence(folder, () => Promise.resolve("here"));
	await store.keep(piece);
	const [name = ""] = readdirSync(folder);
	const find = () => store.find(piece.tree, piece);
	return { store, find, file: join(folder, name) };
}

test("a pass is found by tree, check and definition", async () => {
	const { store, find } = await kept();
	expect(await find()).toMatchObject({ check: piece.check, status: "pass", outputPath: null });
	expect(await store.find("t-other", piece)).toBeUndefined();
	expect(await store.find(piece.tree, { ...piece, definition: "other" })).toBeUndefined();
	await store.keep({ ...piece, tree: "t-red", status: "fail", reason: "red" });
	expect(await store.find("t-red", piece)).toBeUndefined();
});

test.each(["outputTail", "counts", "details", "touched", "reason", "startedAt", "ms"])(
	"a file without %s is none",
	async (field) => {
		const { find, file } = await kept();
		const { [field]: _, ...rest } = JSON.parse(readFileSync(file, "utf8")) as Record<
			string,
			unknown
		>;
		writeFileSync(file, JSON.stringify(rest));
		expect(await find()).toBeUndefined();
	},
);

test("a file that is cut, that has a case without a name, or a time of two weeks away is none", async () => {
	const { find, file } = await kept();
	const text = readFileSync(file, "utf8");
	for (const damaged of [text.slice(0, 40), "", text.replace('"id":"a",', "")]) {
		writeFileSync(file, damaged);
		expect(await find()).toBeUndefined();
	}
	writeFileSync(file, text);
	expect(await find()).toBeDefined();
	for (const days of [-15, 15]) {
		const at = Date.now() / 1_000 + days * 86_400;
		utimesSync(file, at, at);
		expect(await find()).toBeUndefined();
	}
});
