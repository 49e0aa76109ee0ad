import type { RunView } from "../../view/run-view.ts";
import { type Block, type Cell, type Inline, pieces } from "./block.ts";
import { escapeMarkdown, escapeMarkup, withoutReferences } from "./escape.ts";
import { outlineOf } from "./outline.ts";

/** Room in a pull request's text, less what is written around the report. In bytes of UTF-8. */
export const PULL_REQUEST_BYTES = 60_000;

/**
 * A run as Markdown, for the text of a pull request and for GitHub's step summary.
 *
 * Agents wrote much of it, so every text is escaped: it cannot leave its cell, add markup, mention a person or refer to
 * an issue. What is too much is left out from the end, first of all what stands in details.
 *
 * @param maxBytes of UTF-8; default: no limit
 */
export function markdownOf(result: RunView, maxBytes: number = Number.POSITIVE_INFINITY): string {
	const blocks = outlineOf(result);
	const whole = textOf(blocks);
	if (Buffer.byteLength(whole) <= maxBytes) return whole;
	const rest = `The report is longer than fits here: \`spar report ${result.run.run_id}\` prints all of it.\n`;
	const kept: string[] = [];
	let room = maxBytes - Buffer.byteLength(rest);
	for (const block of blocks.filter(({ kind }) => kind !== "details")) {
		const text = `${blockText(block)}\n\n`;
		room -= Buffer.byteLength(text);
		if (room < 0) break;
		kept.push(text);
	}
	return `${kept.join("")}${rest}`;
}

const textOf = (blocks: readonly Block[]): string => `${blocks.map(blockText).join("\n\n")}\n`;

function blockText(block: Block): string {
	switch (block.kind) {
		case "heading":
			return `${"#".repeat(block.level)} ${inlineText(block.text)}`;
		case "paragraph":
			return inlineText(block.text);
		case "table":
			return [
				row(block.head),
				row(block.head.map(() => ({ raw: "---" }))),
				...block.rows.map(row),
			].join("\n");
		case "list":
			return block.items.map((item) => `- ${inlineText(pieces(item))}`).join("\n");
		case "details": {
			// Inside of HTML, Markdown begins behind an empty line only.
			const summary = withoutReferences(escapeMarkup(block.summary));
			return `<details>\n<summary>${summary}</summary>\n\n${textOf(block.blocks)}\n</details>`;
		}
	}
}

const row = (cells: readonly (Cell | { readonly raw: string })[]): string =>
	`| ${cells.map((cell) => (isRaw(cell) ? cell.raw : inlineText(pieces(cell)))).join(" | ")} |`;

const isRaw = (cell: Cell | { readonly raw: string }): cell is { readonly raw: string } =>
	typeof cell === "object" && "raw" in cell;

const inlineText = (text: readonly Inline[]): string => text.map(pieceText).join("").trim();

function pieceText(piece: Inline): string {
	if (typeof piece === "string") return spaced(piece);
	if ("strong" in piece) return `**${escapeMarkdown(piece.strong)}**`;
	const { code } = piece;
	// A code span would end at a backquote, and a table's cell at a bar.
	return /^[^`|\p{Cc}\u2028\u2029]+$/u.test(code) && code.trim() === code
		? `\`${code}\``
		: escapeMarkdown(code);
}

function spaced(text: string): string {
	const [before = ""] = /^ */.exec(text) ?? [];
	const [behind = ""] = text.trim() === "" ? [] : (/ *$/.exec(text) ?? []);
	return `${before}${escapeMarkdown(text)}${behind}`;
}
