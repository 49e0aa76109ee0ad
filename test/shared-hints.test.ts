import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

/** Rooms that `spar check` and `spar run` share, and the one file of them that only runs reach: refs on a remote. */
const ROOMS = ["git", "kernel", "process", "checks", "formats", "wall", "setups", "verdict"];
const OF_RUNS = "push-refs.ts";

test("no hint of what a check can meet says to resume: there is no run", () => {
	const found = ROOMS.flatMap((room) => {
		const folder = join(import.meta.dirname, "../src", room);
		return readdirSync(folder, { recursive: true, encoding: "utf8" })
			.filter((path) => /(?<!\.test)\.ts$/.test(path) && path !== OF_RUNS)
			.flatMap((path) => {
				const hints = readFileSync(join(folder, path), "utf8").match(/\bhint\b[^;]*?;|\bhint:.*/gi);
				return (hints ?? [])
					.filter((text) => /\bresume\b/i.test(text))
					.map(() => `${room}/${path}`);
			});
	});
	expect(found).toEqual([]);
});
