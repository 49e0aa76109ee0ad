import {
	cpSync,
	existsSync,
	lstatSync,
	mkdirSync,
	mkdtempSync,
	readdirSync,
	readFileSync,
	readlinkSync,
	realpathSync,
	renameSync,
	rmSync,
	symlinkSync,
	writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import {
	claimCheckouts,
	homeOutside,
	leftOverCheckouts,
	makeRunDirectory,
} from "./checkouts-home.ts";
import { knownCheckouts, type Places, placesOf, runDirectory } from "./places.ts";

let home: string;
let places: Places;
beforeEach(() => {
	home = realpathSync(mkdtempSync(join(tmpdir(), "spar-home-")));
	places = at("my repo");
});
afterEach(() => rmSync(home, { recursive: true }));

/** A repository of this name: the folder exists. */
function at(name: string): Places {
	mkdirSync(join(home, name), { recursive: true });
	return placesOf(join(home, name), { SPAR_CHECKOUTS: join(home, "checkouts") });
}

const id = ({ stateDir }: Places): string =>
	readFileSync(join(stateDir, "repository-id"), "utf8").trim();

test("a repository gets an id at its first claim, and keeps it", async () => {
	const { directory } = await claimCheckouts(places);
	expect(basename(directory)).toMatch(/^my_repo-[0-9a-z]{12}$/);
	expect(id(places)).toBe(basename(directory));
	expect((await claimCheckouts(places)).directory).toBe(directory);
	expect(knownCheckouts(places)).toBe(directory);
});

test("two repositories of the same name share nothing", async () => {
	const other = at(join("b", "my repo"));
	expect((await claimCheckouts(other)).directory).not.toBe(
		(await claimCheckouts(places)).directory,
	);
});

test("what was made before there is an id serves the first claim at the same place", async () => {
	const before = await homeOutside(places);
	expect(knownCheckouts(places)).toBeNull();
	expect(await homeOutside(places)).toBe(before);
	expect((await claimCheckouts(places)).directory).toBe(before);
	expect(await homeOutside(places)).toBe(before);
});

test("another repository at a place where one stood has nothing of the first", async () => {
	const first = await homeOutside(places);
	await claimCheckouts(places);
	renameSync(places.root, join(home, "moved"));
	const next = at("my repo");
	expect(await homeOutside(next)).not.toBe(first);
	expect((await claimCheckouts(next)).directory).not.toBe(first);
	const moved = at("moved");
	expect((await claimCheckouts(moved)).directory).toBe(first);
});

test("looking creates nothing", async () => {
	expect(knownCheckouts(places)).toBeNull();
	expect(await leftOverCheckouts(places)).toEqual([]);
	expect(() => runDirectory(places, "r1")).toThrow(
		expect.objectContaining({ code: "checkout-lost" }),
	);
	expect(readdirSync(home)).toEqual(["my repo"]);
	expect(readdirSync(places.root)).toEqual([]);
});

test("what claims at the same time agrees on one id", async () => {
	const claims = await Promise.all([1, 2, 3, 4].map(() => claimCheckouts(places)));
	expect(new Set(claims.map(({ directory }) => directory)).size).toBe(1);
});

test.each(["", "../../etc-000000000000\n", "x/y-000000000000", "short-1"])(
	"an id file that says %j is replaced",
	async (text) => {
		mkdirSync(places.stateDir);
		writeFileSync(join(places.stateDir, "repository-id"), text);
		const { directory } = await claimCheckouts(places);
		expect(basename(directory)).toMatch(/^my_repo-[0-9a-z]{12}$/);
		expect(id(places)).toBe(basename(directory));
	},
);

describe("a repository that was renamed", () => {
	test("finds its checkouts again", async () => {
		const directory = await makeRunDirectory(places, "r1");
		renameSync(places.root, join(home, "renamed"));
		const moved = at("renamed");
		expect(knownCheckouts(moved)).toBe(join(directory, ".."));
		expect(await leftOverCheckouts(moved)).toMatchObject([{ root: places.root }]);
		expect(await claimCheckouts(moved)).toMatchObject({ copiedFrom: null });
		expect(runDirectory(moved, "r1")).toBe(directory);
		expect(await leftOverCheckouts(moved)).toEqual([]);
	});

	test("gets links that lead to its checkouts, also where those were moved with it", async () => {
		const directory = await makeRunDirectory(places, "r1");
		symlinkSync("/nowhere", join(places.stateDir, "worktrees", "r2"));
		renameSync(places.root, join(home, "renamed"));
		renameSync(join(home, "checkouts"), join(home, "elsewhere"));
		const moved = placesOf(join(home, "renamed"), { SPAR_CHECKOUTS: join(home, "elsewhere") });
		await claimCheckouts(moved);
		const link = join(moved.stateDir, "worktrees", "r1");
		expect(readlinkSync(link)).toBe(directory.replace("/checkouts/", "/elsewhere/"));
		expect(lstatSync(link).isSymbolicLink() && existsSync(link)).toBe(true);
		expect(readdirSync(join(moved.stateDir, "worktrees"))).toEqual(["r1"]);
	});
});

describe("a copy of a repository", () => {
	test("shares no directory with its original, and says so once", async () => {
		const directory = await makeRunDirectory(places, "r1");
		cpSync(places.root, join(home, "copy"), { recursive: true, verbatimSymlinks: true });
		const copy = at("copy");
		const told: string[] = [];
		const own = await makeRunDirectory(copy, "r2", (text) => told.push(text));
		await makeRunDirectory(copy, "r2", (text) => told.push(text));
		expect(told).toEqual([expect.stringContaining(`is a copy of ${places.root}`)]);
		expect(own.startsWith(directory.slice(0, -"r1".length))).toBe(false);
		expect(readdirSync(join(copy.stateDir, "worktrees"))).toEqual(["r2"]);
		expect(runDirectory(places, "r1")).toBe(directory);
		expect((await claimCheckouts(places)).copiedFrom).toBeNull();
		expect(id(copy)).not.toBe(id(places));
	});

	test("whose original has another id by now takes over what nobody uses", async () => {
		const { directory } = await claimCheckouts(places);
		cpSync(places.root, join(home, "copy"), { recursive: true });
		rmSync(places.stateDir, { recursive: true });
		expect((await claimCheckouts(at("copy"))).directory).toBe(directory);
		expect((await claimCheckouts(places)).directory).not.toBe(directory);
	});
});

test("checkouts are left over when their repository is gone, and what is not Sparring's never is", async () => {
	const gone = at("gone");
	const { directory } = await claimCheckouts(gone);
	await claimCheckouts(places);
	mkdirSync(join(home, "checkouts", "mine-000000000000"));
	writeFileSync(join(home, "checkouts", "notes"), "");
	rmSync(gone.root, { recursive: true });
	expect(await leftOverCheckouts(places)).toEqual([{ directory, root: gone.root }]);
});
