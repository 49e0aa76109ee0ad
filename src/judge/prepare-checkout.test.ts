import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { treeOf } from "../git/changes.ts";
import { type Scene, scene } from "../git/scratch.fixture.ts";
import { noMasker } from "../masking/masking.ts";
import type { ProcessRequest } from "../process/process.ts";
import type { KeptSetups } from "../setups/kept/kept-setups.ts";
import { evidenceInMemory } from "./evidence-in-memory.ts";
import { setUp, setupKeyAt } from "./prepare-checkout.ts";
import type { Stand } from "./stand.ts";

/** What becomes of a checkout whose setup is kept: as one of `tree`, or as one of every tree for null. */
async function setUpFrom(place: Scene, tree: string | null): Promise<"copied" | "made"> {
	const kept: KeptSetups = {
		obtain: () =>
			Promise.resolve({
				kind: "kept",
				directory: "",
				madeAt: 0,
				tree,
				paths: [],
				bytes: 0,
				digest: "",
				moves: { files: [], folders: [], checkout: "", home: "" },
			}),
		copyInto: (_entry, checkout) => {
			writeFileSync(join(checkout, "copied"), "");
			return Promise.resolve(true);
		},
	};
	const runs: ProcessRequest[] = [];
	const ground = {
		run: { runId: "r1", baseCommit: place.base },
		task: { id: "one" },
		workflow: { setup: ["make"], setupInputs: [] },
		places: { work: place.state, clean: place.checkout, coach: place.checkout },
		vault: place.vault,
		masker: noMasker,
		environment: () => ({}),
		host: {
			run: (request: ProcessRequest) => {
				runs.push(request);
				return Promise.resolve({ started: true, timedOut: false, exitCode: 0, output: "", ms: 1 });
			},
		},
		setups: { kept, shelf: place.state, platform: () => Promise.resolve("p") },
		clock: { now: () => 0 },
		signal: new AbortController().signal,
		evidence: evidenceInMemory(place.base),
	} as unknown as Stand; // Only what a checkout is set up with; the rest has no part in it.
	const own = { checkout: place.checkout, name: "coach", commit: place.base };
	const { status, ran } = await setUp(ground, own);
	expect(status).toBe("pass");
	expect([runs.length > 0, existsSync(join(place.dir, "copied"))]).toEqual([ran, !ran]);
	return ran ? "made" : "copied";
}

test("what a setup built from another tree is not copied: the commands run", async () => {
	const place = await scene();
	expect(await setUpFrom(place, "0".repeat(40))).toBe("made");
});

test.each([
	["fits this tree", (place: Scene) => treeOf(place.vault, place.base)],
	["fits every tree", () => Promise.resolve(null)],
])("what is kept is copied where it %s", async (_when, tree) => {
	const place = await scene();
	expect(await setUpFrom(place, await tree(place))).toBe("copied");
});

test("a setup runs again where other files were copied", async () => {
	const { vault, base } = await scene({ "package.json": "{}\n" });
	const keyWith = (digest: string | null, setup = ["npm ci"]): Promise<string> => {
		const copied = digest === null ? null : { dir: "/run/copied", files: [], digest };
		// Only what a key is made of.
		const workflow = { setup, setupInputs: [] } as unknown as Parameters<
			typeof setupKeyAt
		>[0]["workflow"];
		return setupKeyAt({ workflow, vault: { ...vault, copied } }, base);
	};
	const [none, one, again, other] = await Promise.all(
		["", "a", "a", "b"].map((digest) => keyWith(digest || null)),
	);
	expect(one).toBe(again);
	expect(new Set([none, one, other]).size).toBe(3);
	expect(await keyWith("a", [])).toBe("none");
});
