import path from "node:path";
import { isCode, isShell } from "./test-places.ts";

/** Names of files and directories: the last part of each path that some texts mention. */
export type Mentions = ReadonlySet<string>;

const LITERALS = /"([^"\n\\]{1,200})"|'([^'\n\\]{1,200})'|`([^`\n\\]{1,200})`/g;
const WORDS = /[\w.@/+-]{2,200}/g;

/**
 * What files mention: of code the string literals, of scripts and lists every word.
 *
 * @example `readFileSync(join(here, "../data/rates.json"))` mentions `rates.json`
 */
export function mentionsOf(texts: Iterable<readonly [path: string, text: string]>): Mentions {
	const found = new Set<string>();
	for (const [file, text] of texts) {
		for (const word of isCode(file) && !isShell(file)
			? literalsOf(text)
			: (text.match(WORDS) ?? [])) {
			const name = path.posix.basename(word.replace(/\/+$/, ""));
			if (name !== "" && name !== "." && name !== "..") found.add(name);
		}
	}
	return found;
}

function literalsOf(text: string): string[] {
	return [...text.matchAll(LITERALS)].map(
		([, double, single, back]) => double ?? single ?? back ?? "",
	);
}
