import { existsSync, globSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";

/**
 * Options of Node.js for a process that starts many others. Each start copies its page tables: a small young generation
 * halves them, and threads of V8 have memory of their own.
 */
export const SMALL_PROCESS: string[] = ["--max-semi-space-size=1", "--single-threaded"];

/** Limits for what hangs, wide enough for a machine that is many times slower than this one. In milliseconds. */
export const PATIENCE = {
	testTimeout: 900_000,
	hookTimeout: 900_000,
	expect: { poll: { timeout: 60_000 } },
};

/** Modules of Node.js that compute and reach neither the disk nor another process. */
const COMPUTING: ReadonlySet<string> = new Set([
	"node:assert",
	"node:async_hooks",
	"node:buffer",
	"node:crypto",
	"node:events",
	"node:os",
	"node:path",
	"node:perf_hooks",
	"node:stream",
	"node:string_decoder",
	"node:timers",
	"node:timers/promises",
	"node:url",
	"node:util",
	"node:zlib",
]);

/** What changes the process for all who share it. */
const OF_THE_PROCESS =
	/\bvi\.(?:use|stub|mock|spy|hoisted)|\bprocess\.(?:chdir|env|exit|kill|on|umask)\b/;

const IMPORT =
	/(?:^|[^.\w])(?:import|export)\s+(?!type\b)(?:[^"';]*?\bfrom\s*)?"([^"]+)"|\bimport\(\s*"([^"]+)"/g;

/** What a source imports, at once or lazily, without types. */
export function importsOf(source: string): string[] {
	return [...source.matchAll(IMPORT)].map(([, fixed, lazy]) => fixed ?? lazy ?? "");
}

interface Look {
	readonly computes: boolean;
	/** Relative to the root. */
	readonly imports: readonly string[];
}

/** Looks at one file alone. */
function lookAt(root: string, file: string): Look {
	const path = join(root, file);
	if (!existsSync(path)) return { computes: true, imports: [] };
	const source = readFileSync(path, "utf8");
	const names = importsOf(source);
	const builtIn = names.filter((name) => name.startsWith("node:"));
	return {
		computes: !OF_THE_PROCESS.test(source) && builtIn.every((name) => COMPUTING.has(name)),
		imports: names.filter((name) => name.startsWith(".")).map((name) => join(dirname(file), name)),
	};
}

/**
 * The test files below `src` and `dashboard` that touch neither a process nor the disk, however far their imports lead: they can
 * share threads and modules. A package is not looked into.
 */
export function pureTests(root: string): string[] {
	const looks = new Map<string, Look>();
	const look = (file: string): Look => {
		const known = looks.get(file) ?? lookAt(root, file);
		looks.set(file, known);
		return known;
	};
	const isPure = (test: string): boolean => {
		const reached = new Set([test]);
		// A set yields what is added while it is walked through.
		for (const file of reached) {
			const { computes, imports } = look(file);
			if (!computes) return false;
			for (const each of imports) reached.add(each);
		}
		return true;
	};
	return globSync("{src,dashboard}/**/*.test.ts", { cwd: root }).filter(isPure).sort();
}

/** Suites with a command of their own; all other tests are those of `npm test`. */
export const OTHER_SUITES: readonly string[] = [
	"test/slow/**",
	"test/faults/**",
	"test/chaos/**",
	"test/agents/**",
	"test/browser/**",
	"test/sandbox/**",
	"test/machines/**",
];

/** Tests that replace a module: one that is replaced would be known to other files before. */
export const MOCKED: readonly string[] = ["test/acceptance/new-verb.test.ts"];

const WITH_AMOUNTS = /from "fast-check"|support\/amount\.ts"/;

/** The test files that try more where there is time for it, by themselves or by a contract that they import. */
export function thoroughTests(root: string): string[] {
	const hasAmounts = (file: string): boolean => {
		const source = readFileSync(join(root, file), "utf8");
		const contracts = importsOf(source).filter((name) => name.endsWith(".contract.ts"));
		return (
			WITH_AMOUNTS.test(source) || contracts.some((name) => hasAmounts(join(dirname(file), name)))
		);
	};
	const exclude = [...OTHER_SUITES, ...MOCKED];
	return globSync("{src,test,dashboard}/**/*.test.ts", { cwd: root, exclude }).filter(hasAmounts);
}
