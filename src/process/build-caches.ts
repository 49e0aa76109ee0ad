import { spawnSync } from "node:child_process";
import { existsSync, readdirSync } from "node:fs";
import { isAbsolute, join } from "node:path";
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
}

// Tools whose caches many executions can read from at once: what is there is found by its name, and not written again.
const TOOLS = [
	{
		program: "go",
		ask: ["env", "GOCACHE", "GOMODCACHE", "GOFLAGS"],
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
		const flags = program === "go" ? { GOFLAGS: `${said[caches.length] ?? ""} ${RUN_TESTS}` } : {};
		return caches.flatMap(([variable, own], at): BuildCache[] => {
			const folder = said[at] ?? "";
			return isAbsolute(folder) ? [{ variable, own, folder, flags }] : [];
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

// A module's folder is never written again, and a lock is of who holds it.
const treat = (path: string): "default" | "link" | "leave" =>
	/(?:^|[./])lock$/.test(path) ? "leave" : /[^/]@[^/]*$/.test(path) ? "link" : "default";

/** Shows the user's cache in a folder to which an execution can write. What is beyond the limit is built again. */
export const showCache = ({ folder: from }: Pick<BuildCache, "folder">, to: string): Mirror =>
	mirror({ from, to, limit: MOST_ENTRIES, leaveRest: true, treat });
