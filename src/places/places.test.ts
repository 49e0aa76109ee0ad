import {
	mkdirSync,
	mkdtempSync,
	readFileSync,
	readlinkSync,
	rmSync,
	symlinkSync,
	writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { makeRunDirectory } from "./checkouts-home.ts";
import { checkoutDirectory, makeStateDirectory, placesOf } from "./places.ts";

test("checkouts stand under SPAR_CHECKOUTS, else under the state home, else under the home", () => {
	const at = (env: Record<string, string>) => placesOf("/repos/my repo", env).checkoutsParent;
	expect(at({ HOME: "/h" })).toBe("/h/.local/state/sparring");
	expect(at({ HOME: "/h", XDG_STATE_HOME: "/s" })).toBe("/s/sparring");
	expect(at({ HOME: "/h", XDG_STATE_HOME: "", SPAR_CHECKOUTS: "/c" })).toBe("/c");
});

test.each(["/repo", "/repo/inside", "/repo/../repo/x"])(
	"checkouts inside the repository are refused: %s",
	(path) => {
		expect(() => placesOf("/repo", { HOME: "/h", SPAR_CHECKOUTS: path })).toThrow(
			"inside the repository",
		);
		expect(() => placesOf("/repo", { HOME: "/h", SPAR_CHECKOUTS: "/repository" })).not.toThrow();
	},
);

test("checkouts that a link leads into the repository, or out of it, are refused", () => {
	const home = mkdtempSync(join(tmpdir(), "spar-places-"));
	try {
		mkdirSync(join(home, "repo"));
		symlinkSync(join(home, "repo"), join(home, "link"));
		const at = (path: string) => placesOf(join(home, "repo"), { SPAR_CHECKOUTS: join(home, path) });
		expect(() => at("link/not/there/yet")).toThrow("inside the repository");
		// Its name lies in the repository, where git and everybody who cleans up finds it.
		mkdirSync(join(home, "outside"));
		symlinkSync(join(home, "outside"), join(home, "repo", "out"));
		expect(() => at("repo/out")).toThrow("inside the repository");
		expect(() => at("elsewhere")).not.toThrow();
	} finally {
		rmSync(home, { recursive: true });
	}
});

test("the state directory ignores itself and links to the checkouts", async () => {
	const home = mkdtempSync(join(tmpdir(), "spar-places-"));
	try {
		const places = placesOf(join(home, "repo"), { HOME: home });
		await makeStateDirectory(places);
		expect(readFileSync(join(places.stateDir, ".gitignore"), "utf8")).toBe("*\n");
		const directory = await makeRunDirectory(places, "r1");
		await makeRunDirectory(places, "r1");
		expect(readlinkSync(join(places.stateDir, "worktrees", "r1"))).toBe(directory);
	} finally {
		rmSync(home, { recursive: true });
	}
});

test("a file where the state directory belongs is a fault that names it", async () => {
	const home = mkdtempSync(join(tmpdir(), "spar-places-"));
	try {
		const places = placesOf(home, { HOME: "/h" });
		writeFileSync(places.stateDir, "");
		await expect(makeStateDirectory(places)).rejects.toMatchObject({
			code: "state-unwritable",
			message: expect.stringContaining(places.stateDir) as unknown,
		});
	} finally {
		rmSync(home, { recursive: true });
	}
});

test("a checkout keeps its name when the repository has another one, also beside what looks like it", () => {
	const home = mkdtempSync(join(tmpdir(), "spar-places-"));
	try {
		const at = (root: string) => checkoutDirectory(placesOf(root, { HOME: "/h" }), work, "player");
		const work = join(home, "run", "task");
		const first = at("/repos/old");
		expect(first).toMatch(/player\/old-[0-9a-f]{6}$/);
		mkdirSync(join(work, "player", "home"), { recursive: true });
		expect(at("/repos/new")).toMatch(/player\/new-[0-9a-f]{6}$/);
		mkdirSync(first);
		expect(at("/repos/new")).toBe(first);
		mkdirSync(join(work, "player", "aaa-000000"));
		expect(at("/repos/new")).toBe(first);
	} finally {
		rmSync(home, { recursive: true });
	}
});
