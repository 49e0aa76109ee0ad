import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterEach, beforeEach, expect, test } from "vitest";
import { changesBetween, filesAt } from "./changes.ts";
import { changedListing, joinedChanges } from "./joined-changes.ts";
import { git, scene } from "./scratch.fixture.ts";

let scratch = "";
beforeEach(() => {
	scratch = mkdtempSync(join(tmpdir(), "spar-joined-"));
});
afterEach(() => rmSync(scratch, { recursive: true }));

const PATHS = ["a", "a.b", "a-b", "b/c", "b/d", "ü", "z"];

/** Null: no file. */
type State = Readonly<Record<string, { text: string; isLink: boolean } | null>>;

const TEXTS = ["1", "2"];

const content = fc.option(fc.record({ text: fc.constantFrom(...TEXTS), isLink: fc.boolean() }));
const state: fc.Arbitrary<State> = fc.record(
	Object.fromEntries(PATHS.map((path) => [path, content])),
);

/** The ids of the texts, which are objects of the repository from now on. */
function objectsIn(user: string): ReadonlyMap<string, string> {
	return new Map(
		TEXTS.map((text) => {
			const args = ["hash-object", "-w", "--stdin"];
			return [text, execFileSync("git", args, { cwd: user, input: text, encoding: "utf8" }).trim()];
		}),
	);
}

function treeOf(user: string, oids: ReadonlyMap<string, string>, files: State): string {
	const index = join(scratch, "index");
	rmSync(index, { force: true });
	const lines = Object.entries(files).flatMap(([path, file]) => {
		if (file === null) return [];
		return [`${file.isLink ? "120000" : "100644"} ${oids.get(file.text)}\t${path}`];
	});
	const indexed = (args: readonly string[], input: string): string =>
		execFileSync("env", [`GIT_INDEX_FILE=${index}`, "git", ...args], {
			cwd: user,
			input,
			encoding: "utf8",
		}).trim();
	indexed(["update-index", "--index-info"], lines.join("\n"));
	return indexed(["write-tree"], "");
}

test("whatever happened in two steps, the joined changes and the listing are those that git tells", async () => {
	const { user, vault } = await scene({ a: "a" });
	const oids = objectsIn(user);
	await fc.assert(
		fc.asyncProperty(state, state, state, async (...states) => {
			const [one = "", two = "", three = ""] = states.map((files) => treeOf(user, oids, files));
			const [first, second] = [
				await changesBetween(vault, one, two),
				await changesBetween(vault, two, three),
			];
			expect(joinedChanges(first, second)).toEqual(await changesBetween(vault, one, three));
			expect(changedListing(await filesAt(vault, one), first)).toEqual(await filesAt(vault, two));
		}),
		{ numRuns: 12 },
	);
});

test("a path that is only shown is left to git", async () => {
	const { user, vault } = await scene({ a: "a" });
	const shown = [
		{
			path: "b\\xff",
			kind: "added",
			oldMode: "000000",
			newMode: "100644",
			oldOid: "0",
			newOid: "1",
		},
	] as const;
	expect(joinedChanges(shown, [])).toBeNull();
	expect(joinedChanges([], shown)).toBeNull();
	expect(changedListing([], shown)).toBeNull();
	const files = await filesAt(vault, git(user, "rev-parse", "HEAD"));
	expect(changedListing([...files, { path: "b\\xff", mode: "100644", oid: "1" }], [])).toBeNull();
});
