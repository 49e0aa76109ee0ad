import { execFileSync } from "node:child_process";
import { expect, onTestFinished, test } from "vitest";
import { spread } from "../../test/support/amount.ts";
import { keepChildren } from "./kept-children.ts";
import { readBlobs, readObject, readObjects } from "./objects.ts";
import type { GitPlace } from "./run-git.ts";
import { git, sceneOf, userRepository } from "./scratch.fixture.ts";
import { vaultPlace } from "./vault.ts";

interface Stored {
	readonly user: string;
	readonly place: GitPlace;
	readonly base: string;
}

/** A repository whose git is started for each request, or kept. */
async function stored(way: string): Promise<Stored> {
	const { user, vault, base } = await sceneOf(userRepository({ "a b": "text\n", "d/e": "\0\n" }));
	const kept = way === "kept" ? keepChildren() : undefined;
	if (kept !== undefined) onTestFinished(() => kept.end());
	return { user, base, place: { ...vaultPlace(vault), kept } };
}

const blob = (user: string, input: string | Buffer): string =>
	execFileSync("git", ["hash-object", "-w", "--stdin"], { cwd: user, input }).toString().trim();

for (const way of spread(["kept", "started"], 1)) {
	test(`${way}: objects are read by id, by path and by what they lead to, in order`, async () => {
		const { user, place, base } = await stored(way);
		const tree = git(user, "rev-parse", "HEAD^{tree}");
		const names = [base, `${base}:a b`, `${base}^{tree}`, `${base}:d/e`, `${base}:d`];
		const found = await readObjects(place, names);
		expect(found.map((object) => object?.type)).toEqual(["commit", "blob", "tree", "blob", "tree"]);
		expect(found[1]?.content.toString()).toBe("text\n");
		expect(found[2]?.oid).toBe(tree);
		expect(found[3]?.content).toEqual(Buffer.from("\0\n"));
	});

	test(`${way}: what there is not is undefined, whatever its name looks like`, async () => {
		const { place, base } = await stored(way);
		const none = "1".repeat(40);
		const names = [none, `${base}:none blob 3`, `${base}:a b`, "HEAD", `${none}^{tree}`];
		const found = await readObjects(place, names);
		expect(found.map((object) => object?.type)).toEqual(
			Array.of(undefined, undefined, "blob", undefined, undefined),
		);
		expect(await readObjects(place, [])).toEqual([]);
	});

	test(`${way}: a name with a line end would be two requests, and is refused`, async () => {
		const { place, base } = await stored(way);
		await expect(readObjects(place, [`${base}\n${base}`])).rejects.toThrow("line end");
	});

	test(`${way}: an object that there must be is a fault that passes when there is none`, async () => {
		const { place } = await stored(way);
		const reading = readObject(place, "1".repeat(40));
		await expect(reading).rejects.toThrow("Not a valid object name 1111");
		await expect(reading).rejects.toMatchObject({ code: "git-failed", retryable: true });
	});

	test(`${way}: large contents come whole, and those of a batch are told apart`, async () => {
		const { user, place } = await stored(way);
		const large = Buffer.alloc(3_000_000, "0123456789\n");
		const oids = [large, Buffer.of(), Buffer.from("\n\n")].map((content) => blob(user, content));
		const found = await readObjects(place, oids);
		expect(found.map((object) => object?.content.length)).toEqual([3_000_000, 0, 2]);
		expect(found[0]?.content.equals(large)).toBe(true);
	});

	test(`${way}: blobs are read up to a limit; trees and missing ones are none`, async () => {
		const { user, place, base } = await stored(way);
		const oids = ["12", "345", "6789"].map((text) => blob(user, text));
		const read = async (ids: readonly string[], maxBytes: number) =>
			(await readBlobs(place, ids, maxBytes)).map((content) => content?.toString());
		expect(await read(oids, 9)).toEqual(["12", "345", "6789"]);
		expect(await read(oids, 8)).toEqual(["12", "345", undefined]);
		expect(await read(oids, 1)).toEqual([undefined, undefined, undefined]);
		expect(await read([base, "1".repeat(40), ...oids], 999)).toEqual(
			Array.of(undefined, undefined, "12", "345", "6789"),
		);
		expect(await read([], 9)).toEqual([]);
	});

	test(`${way}: an object that was written since is found`, async () => {
		const { user, place, base } = await stored(way);
		await readObject(place, base);
		const oid = blob(user, "new");
		git(user, "tag", "keep", oid);
		expect((await readObject(place, oid)).content.toString()).toBe("new");
		git(user, "gc", "--quiet", "--prune=now");
		const packed = blob(user, "newer");
		expect(
			(await readObjects(place, [oid, packed])).map((each) => each?.content.toString()),
		).toEqual(["new", "newer"]);
	});
}
