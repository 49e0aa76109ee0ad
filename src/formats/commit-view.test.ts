import { symlinkSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { thorough } from "../../test/support/amount.ts";
import { openRepository } from "../git/repository.ts";
import { commitAll, scene, writeFiles } from "../git/scratch.fixture.ts";
import { openVault } from "../git/vault.ts";
import { commitView } from "./commit-view.ts";

test("a commit's files, texts and changes do not depend on a checkout", async () => {
	const { user, vault, base, dir } = await scene({ "a.js": "one\n", "b.js": "one\n", empty: "" });
	writeFiles(user, { "a.js": "one\ntwo é\n" });
	symlinkSync("/etc/passwd", join(user, "link"));
	const view = commitView(vault, base, commitAll(user));
	writeFiles(dir, { "a.js": "other\n", "new.js": "new\n" });
	expect([...(await view.files())].sort()).toEqual(["a.js", "b.js", "empty", "link"]);
	const asked = ["a.js", "b.js", "a.js", "empty", "link", "new.js", "../a.js"];
	expect([...(await view.texts(asked))]).toEqual([
		["a.js", "one\ntwo é\n"],
		["b.js", "one\n"],
		["empty", ""],
	]);
	expect(await view.texts([])).toEqual(new Map());
	const changes = await view.changes();
	expect(changes.kind === "changes" && changes.files.get("a.js")?.lines).toEqual([2]);
	const same = await commitView(vault, base, base).changes();
	expect(same).toEqual({ kind: "changes", files: new Map() });
});

thorough("texts end after 64 MiB; a truncated one is left out", async () => {
	const { user, state, base } = await scene({ "a.txt": "a\n" });
	writeFiles(user, { "big.txt": Buffer.alloc(65 * 1024 * 1024, "x\n") });
	const commit = commitAll(user);
	const vault = await openVault(await openRepository(user), state);
	const view = commitView(vault, base, commit);
	expect([...(await view.texts(["a.txt", "big.txt", "a.txt"])).keys()]).toEqual(["a.txt"]);
});
