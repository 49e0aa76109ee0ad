import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { openRepository } from "../git/repository.ts";
import { placesOf } from "../places/places.ts";
import { confinedPlaces, withHost } from "./with-host.ts";

let root = "";
const at = (name: string): string => join(root, name);
const git = (...args: string[]): void => {
	const who = ["-c", "user.name=t", "-c", "user.email=t@t.invalid"];
	execFileSync("git", [...who, ...args], { cwd: at("home/project"), stdio: "ignore" });
};

beforeEach(() => {
	root = realpathSync(mkdtempSync(join(tmpdir(), "spar-confined-")));
	mkdirSync(at("home/project"), { recursive: true });
	git("init", "--initial-branch=main");
	writeFileSync(at("home/project/a.txt"), "a\n");
	git("add", ".");
	git("commit", "-m", "first");
	git("worktree", "add", "--detach", at("home/linked"));
});

afterEach(() => rmSync(root, { recursive: true }));

async function closedFor(directory: string, env: Readonly<Record<string, string>>) {
	const places = placesOf(directory, { PATH: process.env["PATH"], ...env });
	return confinedPlaces(await openRepository(directory), places);
}

test("a run in one work tree closes all of the repository, and leaves its objects", async () => {
	for (const name of ["home/project", "home/linked"]) {
		const { closed, never, shared } = await closedFor(at(name), { HOME: at("home") });
		const all = ["home/project", "home/linked", "home/.local/state/sparring", `${name}/.sparring`];
		expect(closed).toEqual(expect.arrayContaining(all.map(at)));
		expect(never).toEqual([at(name), at("home/project/.git"), at(`${name}/.sparring`)]);
		expect(shared).toEqual([at("home/project/.git/objects"), at("home/project/.git/lfs/objects")]);
	}
});

test("objects of submodules are shared, nested ones too", async () => {
	const stores = ["a", "libs/b", "libs/b/modules/c"].map(
		(name) => `home/project/.git/modules/${name}/objects`,
	);
	for (const store of stores) mkdirSync(at(store), { recursive: true });
	const { shared } = await closedFor(at("home/project"), { HOME: at("home") });
	expect(shared).toEqual(expect.arrayContaining(stores.map(at)));
});

test("a folder that holds the home directory stays open, and what Sparring has in it is closed", async () => {
	const ids = ["project-abcdefghijkl", "other-000000000000"];
	for (const id of [...ids, "home/project/.sparring", "notes"])
		mkdirSync(at(id), { recursive: true });
	const { closed } = await closedFor(at("home/project"), {
		HOME: at("home"),
		SPAR_CHECKOUTS: root,
	});
	expect(closed).toEqual(expect.arrayContaining([...ids, "home/project"].map(at)));
	expect(closed).not.toContain(root);
	expect(closed).not.toContain(at("notes"));
	const whole = await closedFor(at("home/project"), {
		HOME: at("home/project/home"),
		SPAR_CHECKOUTS: at("checkouts"),
	});
	expect(whole.closed).not.toContain(at("home/project"));
	expect(whole.closed).toEqual(expect.arrayContaining(["home/project/.git"].map(at)));
});

test("a machine without a sandbox is told so once", async () => {
	const env = { PATH: "/nowhere", HOME: at("home") };
	const places = placesOf(at("home/project"), env);
	const repository = await openRepository(at("home/project"));
	const told: string[] = [];
	const onNotice = (text: string): void => void told.push(text);
	const workflow = { agents: {}, setup: [], sandbox: { mode: "auto" } } as never;
	for (let run = 0; run < 2; run += 1)
		await withHost({ workflow, env, repository, places, onNotice }, () => Promise.resolve());
	expect(told).toEqual([expect.stringMatching(/^no sandbox here .*run with your own rights/)]);
});
