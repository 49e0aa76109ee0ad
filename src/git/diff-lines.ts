import { pathText, unquoteC } from "./parsing.ts";

/**
 * A line of a diff: of a hunk by its mark; `---` and `+++` with the path of that side, which is empty where it has none;
 * `head` for any other line; and `broken` with the reason why the rest cannot be read.
 */
export interface DiffLine {
	readonly mark: " " | "+" | "-" | "\\" | "---" | "+++" | "head" | "broken";
	/** Bytes as Latin-1, except of paths and reasons. */
	readonly text: string;
	/** Number of the line after the change, from 1. */
	readonly at: number;
}

const HUNK = /^@@ -\d{1,9}(?:,(\d{1,9}))? \+(\d{1,9})(?:,(\d{1,9}))? @@/;

/**
 * Reads a unified diff of git with the prefixes `a/` and `b/`. Hunk headers say how many lines follow, so content that
 * looks like a header is not misread; a hunk that ends early makes the diff invalid. Bytes, since the encodings of
 * paths and contents may differ.
 */
export function* diffLines(diff: Buffer): Generator<DiffLine, undefined, undefined> {
	let [old, fresh, at, file] = [0, 0, 0, ""];
	const cut = (): DiffLine => {
		return { mark: "broken", text: `a hunk of ${file || "a deleted file"} is truncated`, at };
	};
	for (const line of linesOf(diff)) {
		if (line.startsWith("\\")) yield { mark: "\\", text: line, at };
		else if (old > 0 || fresh > 0) {
			// Some settings of git leave out the space of an empty line.
			const mark = line === "" ? " " : line[0];
			if (mark !== "+" && mark !== "-" && mark !== " ") return yield cut();
			if (mark !== "+") old -= 1;
			if (mark !== "-") fresh -= 1;
			if (old < 0 || fresh < 0) return yield cut();
			yield { mark, text: line.slice(1), at };
			if (mark !== "-") at += 1;
		} else if (line.startsWith("@@")) {
			const [, olds = "1", start, freshs = "1"] = HUNK.exec(line) ?? [];
			if (start === undefined) {
				const text = `not a valid hunk header: ${line.slice(0, 80)}`;
				return yield { mark: "broken", text, at };
			}
			[old, fresh, at] = [Number(olds), Number(freshs), Number(start)];
		} else {
			const mark = (["---", "+++"] as const).find((side) => line.startsWith(`${side} `));
			if (mark !== undefined) file = sidePath(line.slice(4));
			yield { mark: mark ?? "head", text: mark === undefined ? line : file, at };
		}
	}
	if (old > 0 || fresh > 0) yield cut();
}

function* linesOf(diff: Buffer): Generator<string> {
	let start = 0;
	while (start < diff.length) {
		const end = diff.indexOf(10, start);
		const stop = end === -1 ? diff.length : end;
		yield diff.toString("latin1", start, stop);
		start = stop + 1;
	}
}

function sidePath(written: string): string {
	if (written === "/dev/null") return "";
	const path = writtenPath(written);
	return path.slice(path.indexOf("/") + 1);
}

/** A path as git prints it in Latin-1: it adds a tab after a name with a space, and quotes one with odd characters. */
export function writtenPath(written: string): string {
	const quoted = /^"(.*)"/.exec(written)?.[1];
	const name = quoted === undefined ? written.replace(/\t$/, "") : (unquoteC(quoted) ?? quoted);
	return pathText(Buffer.from(name, "latin1"));
}
