import { spawnSync } from "node:child_process";
import {
	existsSync,
	lstatSync,
	mkdirSync,
	readdirSync,
	readFileSync,
	writeFileSync,
} from "node:fs";
import { readdir, rm } from "node:fs/promises";
import { dirname, isAbsolute, join } from "node:path";
import { setImmediate } from "node:timers/promises";
import { attempt } from "../kernel/attempt.ts";
import { type Mirror, mirror } from "./mirror.ts";

type Variables = Readonly<Record<string, string>>;

/** A folder in which a tool keeps what it has built or fetched. */
export interface BuildCache {
	/** Names the folder to the tool. */
	readonly variable: string;
	/** The user's, as the tool says; absolute. */
	readonly folder: string;
	/** Below a home of its own. */
	readonly own: string;
	/** Variables that keep results of runs out of it. */
	readonly flags: Variables;
	/** Variables by which the tool takes from it what it needs, with sums that it checks; null: there are none. */
	readonly fetched: Variables | null;
}

// Tools whose caches many executions can read from at once: what is there is found by its name, and not written again.
const TOOLS = [
	{
		program: "go",
		ask: ["env", "GOCACHE", "GOMODCACHE", "GOFLAGS", "GOPROXY"],
		manifests: ["go.mod", "go.work"],
		caches: [
			["GOCACHE", ".cache/go-build"],
			["GOMODCACHE", "go/pkg/mod"],
		],
	},
	{
		program: "ccache",
		ask: ["--get-config", "cache_dir"],
		manifests: ["CMakeLists.txt", "Makefile", "GNUmakefile", "meson.build", "configure.ac"],
		caches: [["CCACHE_DIR", ".cache/ccache"]],
	},
] as const;

const ASK_MS = 5_000;

const answers = new Map<string, readonly string[]>();

/** The user's caches of the tools that a project's manifests ask for. Each tool is asked once. */
export function buildCaches(env: Variables, checkout: string): readonly BuildCache[] {
	const files = manifestsOf(checkout);
	return TOOLS.flatMap(({ program, ask, manifests, caches }) => {
		if (!manifests.some((name) => files.has(name))) return [];
		const said = answerOf(program, ask, env);
		const [flagsOfGo = "", proxy = ""] = said.slice(caches.length);
		const flags = program === "go" ? { GOFLAGS: `${flagsOfGo} ${RUN_TESTS}`.trim() } : {};
		return caches.flatMap(([variable, own], at): BuildCache[] => {
			const folder = said[at] ?? "";
			const modules = { GOPROXY: `file://${folder}/cache/download,${proxy}` };
			const fetched = variable === "GOMODCACHE" ? modules : null;
			return isAbsolute(folder) ? [{ variable, own, folder, flags, fetched }] : [];
		});
	});
}

// Go keeps results of tests beside what it builds: those of an earlier run would answer for this one.
const RUN_TESTS = "-count=1";

const TELLING = /^(?:PATH|HOME|XDG_.*|GO.*|CCACHE_.*)$/;

// Not in a checkout, where a file could have another version of the tool fetched.
function answerOf(program: string, ask: readonly string[], env: Variables): readonly string[] {
	const key = JSON.stringify([program, Object.entries(env).filter(([name]) => TELLING.test(name))]);
	const known = answers.get(key);
	if (known !== undefined) return known;
	const { status, stdout } = spawnSync(program, ask, {
		cwd: "/",
		env,
		encoding: "utf8",
		timeout: ASK_MS,
		stdio: ["ignore", "pipe", "ignore"],
	});
	const said = status === 0 ? stdout.split("\n") : [];
	answers.set(key, said);
	return said;
}

// At the top and in its folders.
function manifestsOf(checkout: string): ReadonlySet<string> {
	const entries = attempt(() => readdirSync(checkout, { withFileTypes: true }), []);
	const names = TOOLS.flatMap(({ manifests }) => manifests);
	const folders = entries.filter((entry) => entry.isDirectory()).map(({ name }) => name);
	return new Set(
		names.filter((name) =>
			["", ...folders].some((folder) => existsSync(join(checkout, folder, name))),
		),
	);
}

const MOST_ENTRIES = 60_000;

// A lock is of who holds it, and Go must be able to write its notes on when it last removed something.
const NOTES = /(?:^|[./])lock$|^(?:trim|testexpire)\.txt$/;

// A module's folder is never written again.
const treat = (path: string): "default" | "link" | "leave" =>
	NOTES.test(path) ? "leave" : /[^/]@[^/]*$/.test(path) ? "link" : "default";

/**
 * Shows the user's cache in a folder to which an execution can write. What is beyond the limit is built again. A link
 * leads to the user's: not for an agent's work that could write there.
 */
export const showCache = ({ folder: from }: Pick<BuildCache, "folder">, to: string): Mirror =>
	mirror({ from, to, limit: MOST_ENTRIES, leaveRest: true, treat });

const MOST_COPIED = { files: 4_000, bytes: 512 * 1_048_576 };

/**
 * Copies what was used last of a cache, as tools set the time of what they use; for executions that could write through
 * a link. What is there stays.
 *
 * @returns what removes the copies
 */
export async function copyCache(
	{ folder: from }: Pick<BuildCache, "folder">,
	to: string,
): Promise<() => Promise<void>> {
	const copied: string[] = [];
	await forEach(await lastUsedIn(from), ({ path, mode }) => {
		const place = join(to, path);
		mkdirSync(dirname(place), { recursive: true, mode: 0o700 });
		// A system's own copy takes ten times as long for small files.
		writeFileSync(place, readFileSync(join(from, path)), { mode, flag: "wx" });
		copied.push(place);
	});
	return async () => {
		for (const place of copied) await rm(place, { force: true });
	};
}

interface CachedFile {
	readonly path: string;
	readonly size: number;
	readonly mode: number;
	readonly at: number;
}

async function lastUsedIn(folder: string): Promise<CachedFile[]> {
	const paths = await readdir(folder, { recursive: true }).catch(() => []);
	const files: CachedFile[] = [];
	await forEach(paths, (path) => {
		const stat = lstatSync(join(folder, path));
		if (!stat.isFile() || NOTES.test(path)) return;
		files.push({ path, size: stat.size, mode: stat.mode, at: stat.mtimeMs });
	});
	let left = MOST_COPIED.bytes;
	return files
		.toSorted((a, b) => b.at - a.at)
		.slice(0, MOST_COPIED.files)
		.filter(({ size }) => {
			left -= size;
			return left >= 0;
		});
}

// What fails is not in the cache, as after a removal by the user's own tools. Others get their turn in between.
async function forEach<T>(items: readonly T[], work: (item: T) => void): Promise<void> {
	for (const [at, item] of items.entries()) {
		attempt(() => work(item), undefined);
		if (at % 100 === 99) await setImmediate();
	}
}
