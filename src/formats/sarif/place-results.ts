import { attempt } from "../../kernel/attempt.ts";
import { sha256 } from "../../kernel/json.ts";
import { placePath } from "../reports/report-path.ts";
import type { ReportedResult } from "./reported-result.ts";

/** A result in a file of the checkout, or without a file, with a fingerprint to find it in another run. */
export interface PlacedResult extends Omit<ReportedResult, "location" | "snippet" | "identity"> {
	/** Relative to the checkout's top; null when the result belongs to no file. */
	readonly path: string | null;
	/** 64 hexadecimal digits. Identical results share one. */
	readonly fingerprint: string;
}

/**
 * Maps results into the checkout and computes fingerprints from rule, path and one of: the tool's own fingerprint, the
 * text of the line without blanks, or the message. A line that moves keeps its fingerprint.
 *
 * @param roots absolute names of the checkout in which the tool ran
 * @param textOf content of a file of the commit, called once per file; undefined when there is none
 */
export function placeResults(
	reported: readonly ReportedResult[],
	roots: readonly string[],
	textOf: (path: string) => string | undefined,
): {
	readonly results: readonly PlacedResult[];
	/** Those in files outside of the checkout. */
	readonly ignored: number;
} {
	const lineText = lineReader(textOf);
	let ignored = 0;
	const results: PlacedResult[] = [];
	for (const one of reported) {
		const path = one.location === null ? null : placeUri(one.location, roots);
		if (path === undefined) {
			ignored += 1;
			continue;
		}
		const { rule, level, line, message, suppressed } = one;
		const said = line === null || path === null ? undefined : lineText(path, line);
		const what = one.identity ?? oneLine(said ?? one.snippet ?? message);
		const fingerprint = sha256(JSON.stringify([rule, path, what]));
		results.push({ rule, level, path, line, message, suppressed, fingerprint });
	}
	return { results, ignored };
}

/** The files whose text `placeResults` needs. */
export function pathsOfResults(
	reported: readonly ReportedResult[],
	roots: readonly string[],
): string[] {
	const paths = new Set<string>();
	for (const { location, line, identity } of reported) {
		if (location === null || line === null || identity !== null) continue;
		const path = placeUri(location, roots);
		if (path !== undefined) paths.add(path);
	}
	return [...paths];
}

// Several tools write a path in place of a URI.
function placeUri(uri: string, roots: readonly string[]): string | undefined {
	const [, scheme, rest = uri] =
		/^([a-z][a-z\d+.-]+):(?:\/\/(?:localhost)?(?=\/))?(.*)$/is.exec(uri) ?? [];
	if (scheme !== undefined && scheme.toLowerCase() !== "file") return undefined;
	// A path may contain a percent sign that encodes nothing.
	return placePath(
		attempt(() => decodeURIComponent(rest), rest),
		roots,
	);
}

function lineReader(
	textOf: (path: string) => string | undefined,
): (path: string, line: number) => string | undefined {
	const known = new Map<string, readonly string[] | undefined>();
	return (path, line) => {
		if (!known.has(path)) known.set(path, textOf(path)?.split("\n"));
		return known.get(path)?.[line - 1];
	};
}

// Minified code has lines of millions. In characters.
const MAX_TEXT = 2_000;

function oneLine(text: string): string {
	return text.slice(0, MAX_TEXT).replaceAll(/\s+/g, " ").trim();
}
