import { type Line, type Span, textOf } from "../test/support/screen.ts";

/** Sizes in the units of the picture. A column is as wide as a character of the usual fonts at this size. */
const COLUMN = 8.4;
const ROW = 19;
const FONT = 14;
const EDGE = 16;
const BAR = 30;

/** The terminal brings its own ground, so that the text can be read on a light and on a dark page. */
const GROUND = "#1b1f27";
const TEXT = "#d7dce4";
const QUIET = "#8b94a3";
const COLOURS: Readonly<Record<number, string>> = {
	1: "#ff7b72",
	2: "#7ee787",
	3: "#f2cc60",
	4: "#79c0ff",
	5: "#d2a8ff",
	6: "#76e3ea",
};

const ENTITIES: Readonly<Record<string, string>> = {
	"&": "&amp;",
	"<": "&lt;",
	">": "&gt;",
	'"': "&quot;",
};

const escaped = (text: string): string =>
	text.replaceAll(/[&<>"]/g, (character) => ENTITIES[character] ?? "");

function colourOf({ colour, dim }: Span): string {
	const own = colour === null ? TEXT : (COLOURS[colour % 8] ?? TEXT);
	return dim ? QUIET : own;
}

function spanText(span: Span, column: number, y: number): string {
	const { text, bold } = span;
	if (text.trim() === "") return "";
	const x = EDGE + column * COLUMN;
	const weight = bold ? ' font-weight="700"' : "";
	// The width is given, so that columns stay aligned in whatever font a reader has.
	const width = `textLength="${(text.length * COLUMN).toFixed(1)}" lengthAdjust="spacingAndGlyphs"`;
	return `<text x="${x.toFixed(1)}" y="${y}" fill="${colourOf(span)}"${weight} ${width}>${escaped(text)}</text>`;
}

/**
 * Lines of a terminal as a picture.
 *
 * @param alt what the picture shows, for those who do not see it
 */
export function terminalSvg(
	lines: readonly Line[],
	{
		columns,
		title,
		alt,
	}: { readonly columns: number; readonly title: string; readonly alt: string },
): string {
	const width = Math.ceil(columns * COLUMN + 2 * EDGE);
	const height = BAR + lines.length * ROW + 2 * EDGE;
	const texts = lines.flatMap((line, nth) => {
		const y = BAR + EDGE + nth * ROW + FONT;
		return line.flatMap((span, index) => {
			const before = textOf(line.slice(0, index)).length;
			const text = spanText(span, before, y);
			return text === "" ? [] : [text];
		});
	});
	const font = "ui-monospace, SFMono-Regular, Menlo, Consolas, 'DejaVu Sans Mono', monospace";
	return `${[
		`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" aria-labelledby="title desc">`,
		`<title id="title">${escaped(title)}</title>`,
		`<desc id="desc">${escaped(alt)}</desc>`,
		`<rect width="${width}" height="${height}" rx="8" fill="${GROUND}"/>`,
		...["#ff5f57", "#febc2e", "#28c840"].map(
			(colour, nth) =>
				`<circle cx="${EDGE + 6 + nth * 18}" cy="${BAR / 2 + 3}" r="5.5" fill="${colour}"/>`,
		),
		`<g font-family="${font}" font-size="${FONT}" xml:space="preserve">`,
		`<text x="${width / 2}" y="${BAR / 2 + 8}" fill="${QUIET}" text-anchor="middle">${escaped(title)}</text>`,
		...texts,
		"</g>",
		"</svg>",
	].join("\n")}\n`;
}
