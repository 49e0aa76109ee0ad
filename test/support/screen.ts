import headless from "@xterm/headless";

/** Characters of one look, side by side. */
export interface Span {
	readonly text: string;
	/** Number of a colour of the palette, 0 to 15; null for the terminal's own. */
	readonly colour: number | null;
	readonly bold: boolean;
	readonly dim: boolean;
}

/** A line as a program wrote it, which a terminal may show in several rows. */
export type Line = readonly Span[];

const LAST_COLOUR = 15;

/** What a terminal of this width shows in the end, scrolled-off lines included, of what was written to it. */
export async function screenOf(written: string, columns: number): Promise<Line[][]> {
	const terminal = new headless.Terminal({
		cols: columns,
		rows: 24,
		scrollback: 10_000,
		convertEol: true,
		allowProposedApi: true,
	});
	await new Promise<void>((resolve) => terminal.write(written, resolve));
	const { active } = terminal.buffer;
	const lines: Line[][] = [];
	for (let y = 0; y < active.length; y += 1) {
		const row = active.getLine(y);
		if (row === undefined) continue;
		const spans = spansOf(row, columns);
		if (row.isWrapped) lines.at(-1)?.push(spans);
		else lines.push([spans]);
	}
	terminal.dispose();
	while (lines.at(-1)?.every((row) => row.length === 0) === true) lines.pop();
	return lines;
}

type Row = NonNullable<ReturnType<headless.Terminal["buffer"]["active"]["getLine"]>>;

function spansOf(row: Row, columns: number): Span[] {
	const spans: Span[] = [];
	const end = row.translateToString(true).length;
	for (let x = 0; x < Math.min(columns, row.length); x += 1) {
		const cell = row.getCell(x);
		if (cell === undefined || cell.getWidth() === 0 || x >= end) continue;
		const look = {
			colour: cell.isFgPalette() && cell.getFgColor() <= LAST_COLOUR ? cell.getFgColor() : null,
			bold: cell.isBold() !== 0,
			dim: cell.isDim() !== 0,
		};
		const text = cell.getChars() || " ";
		const last = spans.at(-1);
		const isSame = last?.colour === look.colour && last.bold === look.bold && last.dim === look.dim;
		if (last !== undefined && isSame) spans[spans.length - 1] = { ...look, text: last.text + text };
		else spans.push({ ...look, text });
	}
	return spans;
}

/** A line's characters. */
export const textOf = (line: Line): string => line.map(({ text }) => text).join("");

const COLOURS = ["black", "red", "green", "yellow", "blue", "magenta", "cyan", "white"];

/** A line with its looks written out: `<red>error:</red> no such run`. */
export const markedUp = (line: Line): string =>
	line
		.map(({ text, colour, bold, dim }) => {
			const names = [
				...(colour === null ? [] : [COLOURS[colour % 8] ?? ""]),
				...(bold ? ["bold"] : []),
				...(dim ? ["dim"] : []),
			];
			return names.reduceRight((inner, name) => `<${name}>${inner}</${name}>`, text);
		})
		.join("");
