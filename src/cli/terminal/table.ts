import { fits, wrapLine } from "./wrap-line.ts";

export const UNLIMITED = Number.POSITIVE_INFINITY;

const GAP = "  ";

// Narrower columns of text cannot be read.
const LEAST_CELL = 16;
const LEAST_TEXT = 20;

type Rows = readonly (readonly string[])[];

const widest = (cells: readonly string[]): number =>
	Math.max(0, ...cells.map((cell) => cell.length));

export function hanging(text: string, margin: number, columns: number): string {
	if (fits(text, columns - margin)) return text;
	return wrapLine(text, Math.max(1, columns - margin)).replaceAll("\n", `\n${" ".repeat(margin)}`);
}

function stacked(row: readonly string[], heading: readonly string[], columns: number): string {
	const [first = "", ...rest] = row;
	const margin = first.length - first.trimStart().length + GAP.length;
	const label = margin + widest(heading.slice(1)) + GAP.length;
	const lines = rest.flatMap((cell, index) => {
		const name = `${" ".repeat(margin)}${heading[index + 1] ?? ""}`;
		if (cell === "") return [];
		const isBeside = label + cell.length <= columns || columns - label >= LEAST_TEXT;
		return isBeside
			? [`${name.padEnd(label)}${hanging(cell, label, columns)}`]
			: [`${name}:`, `${" ".repeat(margin + 2)}${hanging(cell, margin + 2, columns)}`];
	});
	return [first, ...lines].join("\n");
}

function widthsOf(
	rows: Rows,
	columns: number,
): { readonly all: readonly number[]; readonly before: number; readonly areBeside: boolean } {
	const count = Math.max(0, ...rows.map((row) => row.length));
	const all = Array.from({ length: count }, (_, nth) => widest(rows.map((row) => row[nth] ?? "")));
	const before = all.slice(0, -1).reduce((sum, width) => sum + width + GAP.length, 0);
	const areBeside = before + Math.min(all.at(-1) ?? 0, LEAST_CELL) <= columns;
	return { all, before, areBeside };
}

export function fewerColumns(rows: Rows, firstToGo: readonly string[], columns: number): Rows {
	const [heading = []] = rows;
	for (let gone = 0; gone <= firstToGo.length; gone += 1) {
		const away = firstToGo.slice(0, gone);
		const some = rows.map((row) => row.filter((_, nth) => !away.includes(heading[nth] ?? "")));
		if (widthsOf(some, columns).areBeside) return some;
	}
	return rows;
}

// Where `columns` are too few the last column is wrapped, or each row is a block of lines and the heading is empty.
export function tableRows(rows: Rows, columns: number = UNLIMITED): string[] {
	const [heading = []] = rows;
	const { all, before, areBeside } = widthsOf(rows, columns);
	if (!areBeside) {
		return rows.map((row, nth) => (nth === 0 ? "" : stacked(row, heading, columns)));
	}
	const last = all.length - 1;
	return rows.map((row) =>
		row
			.map((cell, nth) =>
				nth === last ? hanging(cell, before, columns) : cell.padEnd(all[nth] ?? 0),
			)
			.join(GAP)
			.trimEnd(),
	);
}

export function table(rows: Rows, columns?: number): string {
	return tableRows(rows, columns)
		.filter((row) => row !== "")
		.join("\n");
}

// `margin`: where all texts of a list begin, behind the widest term.
export function described(term: string, text: string, margin: number, columns: number): string {
	if (columns - margin >= Math.max(LEAST_TEXT, columns / 4)) {
		return `${term.padEnd(margin)}${hanging(text, margin, columns)}`.trimEnd();
	}
	const indent = term.length - term.trimStart().length + 4;
	return `${term}\n${" ".repeat(indent)}${hanging(text, indent, columns)}`;
}

export function descriptions(
	terms: readonly (readonly [term: string, text: string])[],
	columns: number = UNLIMITED,
): string {
	const margin = widest(terms.map(([term]) => term)) + GAP.length;
	return terms.map(([term, text]) => described(term, text, margin, columns)).join("\n");
}
