import { pathMatcher } from "../evidence/integrity/path-match.ts";
import { isTestFile } from "../evidence/integrity/test-files.ts";
import { folderOf } from "./component.ts";

/** A test of the project, as a pattern for new ones. */
export interface TestPattern {
	readonly path: string;
	readonly text: string;
}

/** A test framework: how it is recognised, and what an author has to know of it. */
interface Framework {
	readonly name: string;
	/** In a manifest. */
	readonly named: RegExp;
	/** By the paths of the repository. */
	readonly paths?: RegExp;
	readonly conventions: string;
}

const FRAMEWORKS: readonly Framework[] = [
	{
		name: "vitest",
		named: /"vitest"\s*:/,
		conventions:
			'Files end with .test.ts or .test.js. Import { test, expect } from "vitest". Run them with: npx vitest run FILE',
	},
	{
		name: "jest",
		named: /"jest"\s*:/,
		conventions:
			"Files end with .test.js or .test.ts. test and expect are global. Run them with: npx jest FILE",
	},
	{
		name: "mocha",
		named: /"mocha"\s*:/,
		conventions:
			"Files stand in test/. describe and it are global, assertions come from node:assert. Run them with: npx mocha FILE",
	},
	{
		name: "node:test",
		named: /"(?:test|check)"\s*:\s*"[^"]*\bnode\b[^"]*--test\b/,
		paths: /\.test\.[cm]?js$|(?:^|\/)package\.json$/,
		conventions:
			'Files end with .test.js or .test.mjs. Import test from "node:test" and assert from "node:assert/strict". Run them with: node --test FILE',
	},
	{
		name: "pytest",
		named: /\bpytest\b/,
		paths: /(?:^|\/)(?:test_[^/]*\.py|conftest\.py|pytest\.ini)$/,
		conventions:
			"Files are named test_*.py, functions test_*. Use plain assert. Run them with: python -m pytest FILE",
	},
	{
		name: "unittest",
		named: /\bunittest\b/,
		paths: /\.py$/,
		conventions:
			"Files are named test_*.py, classes derive from unittest.TestCase. Run them with: python -m unittest MODULE",
	},
	{
		name: "go test",
		named: /^module \S/m,
		paths: /\.go$/,
		conventions:
			"Files end with _test.go and stand beside the package, functions are func TestX(t *testing.T). Run them with: go test ./PACKAGE -run NAME -v",
	},
	{
		name: "cargo test",
		named: /^\[package\]/m,
		paths: /(?:^|\/)Cargo\.toml$/,
		conventions: "Integration tests stand in tests/*.rs. Run them with: cargo test --test NAME",
	},
];

/** Files in which a framework is named. */
const MANIFEST =
	/^(?:package\.json|pyproject\.toml|setup\.cfg|requirements[^/]*\.txt|tox\.ini|go\.mod|Cargo\.toml)$/;

/** Manifests at the top of a repository, in which a framework can be named. */
export const frameworkManifests = (paths: readonly string[]): string[] =>
	paths.filter((path) => MANIFEST.test(path));

/**
 * The test framework of a repository with its conventions, as one text: by what its manifests name, else by its files.
 *
 * @param manifests texts of {@link frameworkManifests}
 * @returns null where none is recognised
 */
export function frameworkOf(paths: readonly string[], manifests: readonly string[]): string | null {
	const named = FRAMEWORKS.find(({ named: pattern }) =>
		manifests.some((text) => pattern.test(text)),
	);
	const found =
		named ?? FRAMEWORKS.find((each) => paths.some((path) => each.paths?.test(path) === true));
	return found === undefined ? null : `${found.name}: ${found.conventions}`;
}

/** Any file below a folder of tests, data for them included. */
const BELOW = /(?:^|\/)(?:tests?|__tests__|specs?|e2e|integration[-_]tests?)\//i;
/** What configures a repository, wherever it stands. */
const CONFIGURES = /(?:^|\/)\.git|(?:^|\/)(?:package(?:-lock)?\.json|\.npmrc)$/;

/**
 * Whether a verifier may add a file.
 *
 * @param globs `verification.paths`; empty: where tests stand by common conventions
 */
export function testPathMatcher(globs: readonly string[]): (path: string) => boolean {
	const matches =
		globs.length > 0 ? pathMatcher(globs) : (path: string) => isTestFile(path) || BELOW.test(path);
	return (path) => !CONFIGURES.test(path) && matches(path);
}

/** Where new tests go, for the author: the workflow's globs, else the folders in which tests stand now. */
export function testPathsOf(globs: readonly string[], paths: readonly string[]): string[] {
	if (globs.length > 0) return [...globs];
	const folders = new Set(
		paths.filter(isTestFile).map((path) => {
			const folder = /^(.*?(?:^|\/)(?:tests?|__tests__|specs?|e2e))(?:\/|$)/i.exec(
				folderOf(path),
			)?.[1];
			return folder === undefined ? `${folderOf(path)}/*`.replace(/^\//, "") : `${folder}/**`;
		}),
	);
	const shown = [...folders].sort().slice(0, MAX_FOLDERS);
	return shown.length === 0 ? ["test/integration/**"] : shown;
}

const MAX_FOLDERS = 10;
const MAX_PATTERNS = 3;

/**
 * Tests to show as patterns: those nearest to what was changed, integration tests before others.
 *
 * @param paths of the start commit, so that no player's test is a pattern
 */
export function patternPaths(paths: readonly string[], changed: readonly string[]): string[] {
	const near = (path: string): number =>
		Math.max(0, ...changed.map((other) => commonParts(path, other)));
	const rank = (path: string): number => near(path) + (/integration|e2e/i.test(path) ? 100 : 0);
	return paths
		.filter(isTestFile)
		.map((path) => ({ path, rank: rank(path) }))
		.sort((a, b) => b.rank - a.rank || (a.path < b.path ? -1 : 1))
		.slice(0, MAX_PATTERNS)
		.map(({ path }) => path);
}

function commonParts(one: string, other: string): number {
	const [a, b] = [one.split("/"), other.split("/")];
	const at = a.findIndex((part, index) => part !== b[index]);
	return at === -1 ? a.length : at;
}
