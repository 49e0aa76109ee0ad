import { type Block, type Inline, pieces } from "./block.ts";
import { escapeMarkup } from "./escape.ts";
import { outlineOf } from "./outline.ts";
import type { RunResult } from "./run-result.ts";

const STYLE = `
body { font: 16px/1.5 system-ui, sans-serif; max-width: 70rem; margin: 2rem auto; padding: 0 1rem; color: #1c1e21; background: #fff; }
table { border-collapse: collapse; margin: 0.5rem 0 1rem; width: 100%; }
th, td { border: 1px solid #c9ccd1; padding: 0.3rem 0.6rem; text-align: left; vertical-align: top; overflow-wrap: anywhere; }
th { background: #f2f3f5; }
code { font: 0.9em ui-monospace, monospace; }
h3 { margin-top: 2.5rem; border-top: 1px solid #c9ccd1; padding-top: 1rem; }
@media (prefers-color-scheme: dark) { body { color: #e4e6ea; background: #18191b; } th { background: #26282b; } }
`;

/** A run as one page of its own: no script, nothing that is loaded, every text escaped. */
export function htmlOf(result: RunResult): string {
	const { run } = result;
	return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<meta name="viewport" content="width=device-width">
<title>${escapeMarkup(`${run.workflow} ${run.run_id}`)}</title>
<style>${STYLE}</style>
</head>
<body>
${outlineOf(result).map(blockHtml).join("\n")}
</body>
</html>
`;
}

function blockHtml(block: Block): string {
	switch (block.kind) {
		case "heading":
			return `<h${block.level}>${inlineHtml(block.text)}</h${block.level}>`;
		case "paragraph":
			return `<p>${inlineHtml(block.text)}</p>`;
		case "table": {
			const head = block.head.map((name) => `<th scope="col">${escapeMarkup(name)}</th>`).join("");
			const rows = block.rows.map(
				(cells) =>
					`<tr>${cells.map((cell) => `<td>${inlineHtml(pieces(cell))}</td>`).join("")}</tr>`,
			);
			return `<table>\n<thead><tr>${head}</tr></thead>\n<tbody>\n${rows.join("\n")}\n</tbody>\n</table>`;
		}
		case "list": {
			const items = block.items.map((item) => `<li>${inlineHtml(pieces(item))}</li>`);
			return `<ul>\n${items.join("\n")}\n</ul>`;
		}
		case "details":
			return `<details>\n<summary>${escapeMarkup(block.summary)}</summary>\n${block.blocks.map(blockHtml).join("\n")}\n</details>`;
	}
}

function inlineHtml(text: readonly Inline[]): string {
	return text
		.map((piece) => {
			if (typeof piece === "string") return escapeMarkup(piece);
			return "code" in piece
				? `<code>${escapeMarkup(piece.code)}</code>`
				: `<strong>${escapeMarkup(piece.strong)}</strong>`;
		})
		.join("");
}
