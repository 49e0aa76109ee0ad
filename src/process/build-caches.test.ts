import {
	mkdirSync,
	mkdtempSync,
	readdirSync,
	readFileSync,
	rmSync,
	statSync,
	utimesSync,
	writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { thorough } from "../../test/support/amount.ts";
import { buildCaches, copyCache, showCache } from "./build-caches.ts";

let place = "";
let user = "";
let own = "";
beforeEach(() => {
	place = mkdtempSync(join(tmpdir(), "caches-"));
	[user, own] = [join(place, "user"), join(place, "own")];
	put(join(user, "ab/abc-d"), "built");
	put(join(user, "trim.txt"), "1");
});
afterEach(() => rmSync(place, { recursive: true }));

function put(path: string, text: string, mode = 0o644): void {
	mkdirSync(dirname(path), { recursive: true });
	writeFileSync(path, text, { mode });
}

/** A `go` that says what it is set to say. */
function go(said: string): Record<string, string> {
	put(join(place, "bin/go"), `#!/bin/sh\n${said}\n`, 0o755);
	put(join(place, "checkout/service/go.mod"), "module example.com/service\n");
	return { PATH: `${join(place, "bin")}:/usr/bin:/bin` };
}

test("a tool is asked for its caches, and only where a manifest of its is", () => {
	const env = go(`printf '%s\\n' ${user} /modules -mod=mod https://proxy.test`);
	expect(buildCaches(env, join(place, "checkout"))).toEqual([
		expect.objectContaining({
			variable: "GOCACHE",
			folder: user,
			flags: { GOFLAGS: "-mod=mod -count=1" },
			fetched: null,
		}),
		expect.objectContaining({
			variable: "GOMODCACHE",
			fetched: { GOPROXY: "file:///modules/cache/download,https://proxy.test" },
		}),
	]);
	expect(buildCaches(env, place)).toEqual([]);
});

test("a tool that fails, is missing or says no folder has no cache", () => {
	const checkout = join(place, "checkout");
	expect(buildCaches(go("exit 1"), checkout)).toEqual([]);
	expect(buildCaches(go("echo off; echo"), checkout)).toEqual([]);
	go("");
	expect(buildCaches({ PATH: join(place, "none") }, checkout)).toEqual([]);
});

test("what is written over a copy does not reach the user's, and what is there stays", async () => {
	put(join(own, "ab/abd-d"), "own");
	put(join(user, "ab/abd-d"), "user's");
	const remove = await copyCache({ folder: user }, own);
	expect(readFileSync(join(own, "ab/abd-d"), "utf8")).toBe("own");
	writeFileSync(join(own, "ab/abc-d"), "wrong");
	expect(readFileSync(join(user, "ab/abc-d"), "utf8")).toBe("built");
	await remove();
	expect(readdirSync(join(own, "ab"))).toEqual(["abd-d"]);
});

thorough("of many files those are copied that were used last", async () => {
	const at = Date.now() / 1_000 - 1_000;
	for (let one = 0; one < 4_050; one++) {
		put(join(user, `cd/${one}`), "");
		utimesSync(join(user, `cd/${one}`), at + (one % 2), at + (one % 2));
	}
	await copyCache({ folder: user }, own);
	expect(statSync(join(own, "ab/abc-d")).isFile()).toBe(true);
	const names = readdirSync(join(own, "cd"));
	expect(names).toHaveLength(3_999);
	expect(names.filter((name) => Number(name) % 2 === 1)).toHaveLength(2_025);
});

test("notes that a tool writes in place are no links", () => {
	showCache({ folder: user }, own);
	expect(readdirSync(own)).toEqual(["ab"]);
});

test("of a cache that is missing nothing is copied", async () => {
	await (await copyCache({ folder: join(place, "none") }, own))();
	expect(readdirSync(place)).not.toContain("own");
});
