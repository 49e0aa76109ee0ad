import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { treeOf } from "../git/changes.ts";
import { type Scene, scene } from "../git/scratch.fixture.ts";
import { noMasker } from "../masking/masking.ts";
import { notStarted } from "../process/ended-result.ts";
import type { ProcessRequest } from "../process/process.ts";
import type { KeptSetups } from "../setups/kept/kept-setups.ts";
import { platformOf } from "../setups/kept/platform.ts";
import { evidenceInMemory } from "./evidence-in-memory.ts";
import { setUp, setupKeyAt } from "./prepare-checkout.ts";
import type { Stand } from "./stand.ts";

interface Given {
	readonly kept: KeptSetups;
	readonly setup?: readonly string[];
	readonly inputs?: readonly string[];
	readonly platform?: object;
}

/** Sets up the coach's checkout at the base. */
async function setUpAt(
	place: Scene,
	{ kept, setup = ["make"], inputs = [], platform = {} }: Given,
): Promise<"copied" | "made"> {
	const runs: ProcessRequest[] = [];
	const ground = {
		run: { runId: "r1", baseCommit: place.base },
		task: { id: "one" },
		workflow: { setup, setupInputs: inputs },
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
		setups: { kept, shelf: place.state, platform: () => Promise.resolve(platform) },
		clock: { now: () => 0 },
		signal: new AbortController().signal,
		evidence: evidenceInMemory(place.base),
	} as unknown as Stand; // Only what a checkout is set up with; the rest has no part in it.
	const own = { checkout: place.checkout, name: "coach", commit: place.base };
	const { status, ran } = await setUp(ground, own);
	expect(status).toBe("pass");
	expect(runs.length > 0).toBe(ran);
	return ran ? "made" : "copied";
}

/** Sets a checkout up where its setup is kept: as one of `tree`, or as one of every tree for null. */
async function setUpFrom(
	place: Scene,
	tree: string | null,
	given: Partial<Given> = {},
): Promise<"copied" | "made"> {
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
				texts: [],
				madeIn: [],
			}),
		copyInto: (_entry, checkout) => {
			writeFileSync(join(checkout, "copied"), "");
			return Promise.resolve(true);
		},
	};
	const became = await setUpAt(place, { kept, ...given });
	expect(existsSync(join(place.dir, "copied"))).toBe(became === "copied");
	return became;
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

test("a virtual environment is made where it is used, though a result would fit", async () => {
	const place = await scene();
	expect(await setUpFrom(place, null, { setup: ["uv sync"] })).toBe("made");
});

/** Name of the entry for these files, commands and programs. */
async function entryOf(
	given: Partial<Given> & {
		readonly files?: Readonly<Record<string, string>>;
		readonly versions?: Readonly<Record<string, string>>;
	} = {},
): Promise<string> {
	const { setup = ["npm ci", "python3 tools/fetch.py"], inputs = [], platform } = given;
	const versions = { node: "v24.1.0", npm: "11.0.0", python3: "3.11.7", ...given.versions };
	const seen = await platformOf(setup, { PATH: "/bin" }, ([program]) =>
		Promise.resolve({
			...notStarted("ENOENT", 0),
			exitCode: 0,
			stdout: Object.entries(versions).find(([name]) => name === program)?.[1] ?? "",
		}),
	);
	let entry = "";
	const kept: KeptSetups = {
		obtain: ({ id }) => {
			entry = id;
			return Promise.resolve({ kind: "unkept" });
		},
		copyInto: () => Promise.resolve(false),
	};
	const files = { "package-lock.json": "{}\n", "tools/fetch.py": "\n", "a.txt": "a\n" };
	const place = await scene({ ...files, ...given.files });
	await setUpAt(place, { kept, setup, inputs, platform: { ...seen, ...platform } });
	return entry;
}

let before: Promise<string> | undefined;
const first = (): Promise<string> => {
	before ??= entryOf();
	return before;
};

test("the same files, commands and programs name the same entry", async () => {
	expect(await first()).toMatch(/^[0-9a-f]{64}$/);
	expect(await entryOf({ files: { "a.txt": "b\n" } })).toBe(await first());
});

test.each<[string, Parameters<typeof entryOf>[0]]>([
	["lock file", { files: { "package-lock.json": "{ }\n" } }],
	["lock file in a folder", { files: { "web/yarn.lock": "\n" } }],
	["file that a command names", { files: { "tools/fetch.py": "# 2\n" } }],
	["command", { setup: ["npm ci --omit=dev", "python3 tools/fetch.py"] }],
	["Node", { versions: { node: "v25.0.0" } }],
	["package manager", { versions: { npm: "12.0.0" } }],
	["Python", { versions: { python3: "3.12.0" } }],
	["architecture", { platform: { arch: "other" } }],
	["system", { platform: { os: "other" } }],
	["distribution", { platform: { release: "other" } }],
	["variable", { platform: { env: { PATH: "/other" } } }],
])("another %s: the setup is made again", async (_what, after) => {
	expect(await entryOf(after)).not.toBe(await first());
});

test("another named input: the setup is made again", async () => {
	const inputs = ["a.txt"];
	const named = await entryOf({ inputs });
	expect(await entryOf({ inputs, files: { "a.txt": "b\n" } })).not.toBe(named);
});
