import { isTestFile } from "../../evidence/test-files.ts";
import { isCode } from "../replay/test-places.ts";
import type { TreePair } from "./tree-pair.ts";
import { edited, type Violation } from "./violation.ts";

const EXCLUDES =
	/\b(?:c8|v8|istanbul)[ \t]+ignore\b|\bnode:coverage[ \t]+(?:disable|ignore)\b|\bpragma:[ \t]*no[ \t]*(?:cover|branch)\b|\bLCOV_EXCL_|\bGCOVR?_EXCL|\bnocov\b|\bcoverage:ignore\b|\bcoverage\(off\)|@codeCoverageIgnore|\bExcludeFromCodeCoverage\b/i;

/** Lines that are never run by tests in any project. */
const USUAL = /__name__[ \t]*==|\bTYPE_CHECKING\b/;

const CONFIGURED: readonly string[] = [
	".c8rc.json",
	".nycrc",
	".nycrc.json",
	".coveragerc",
	"package.json",
	"setup.cfg",
	"pyproject.toml",
	"tox.ini",
	"pytest.ini",
	"jest.config.json",
].concat(
	["vitest", "vite", "jest"].flatMap((name) =>
		["ts", "js", "mts", "mjs", "cjs"].map((ending) => `${name}.config.${ending}`),
	),
);

/**
 * New comments that exclude product code from the coverage, where the checks measure it.
 *
 * @param measures whether a check is of kind `coverage` or its command says so
 */
export async function exclusionChanges(pair: TreePair, measures: boolean): Promise<Violation[]> {
	const found: Violation[] = [];
	for (const { path, kind } of pair.changes) {
		if (kind === "deleted" || !isCode(path) || isTestFile(path)) continue;
		const head = exclusionsIn(await pair.readHead(path));
		if (head.length === 0) continue;
		const added = head.length - exclusionsIn(await pair.readBase(path)).length;
		if (added <= 0) continue;
		const [line = 0] = head.slice(-added);
		found.push(edited(path, `line ${line} excludes code from the coverage; remove the comment`));
	}
	return found.length === 0 || measures || (await isConfigured(pair)) ? found : [];
}

function exclusionsIn(text: string | null): number[] {
	return (text ?? "")
		.split("\n")
		.flatMap((line, index) => (EXCLUDES.test(line) && !USUAL.test(line) ? [index + 1] : []));
}

async function isConfigured(pair: TreePair): Promise<boolean> {
	for (const file of CONFIGURED) {
		if (/\bcov(?:erage)?\b/i.test((await pair.readBase(file)) ?? "")) return true;
	}
	return false;
}
