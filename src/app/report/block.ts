/** A piece of text. All of it is data: whoever writes a format escapes it. */
export type Inline = string | { readonly code: string } | { readonly strong: string };

/** What stands in a cell of a table, or behind the mark of a list. */
export type Cell = Inline | readonly Inline[];

/** A part of a report, in any format that has headings, tables and lists. */
export type Block =
	| { readonly kind: "heading"; readonly level: 2 | 3 | 4; readonly text: readonly Inline[] }
	| { readonly kind: "paragraph"; readonly text: readonly Inline[] }
	| {
			readonly kind: "table";
			readonly head: readonly string[];
			readonly rows: readonly (readonly Cell[])[];
	  }
	| { readonly kind: "list"; readonly items: readonly Cell[] }
	/** Shown when the reader asks for it; left out where there is no room. */
	| { readonly kind: "details"; readonly summary: string; readonly blocks: readonly Block[] };

/** The pieces of a cell. */
export function pieces(cell: Cell): readonly Inline[] {
	return typeof cell === "string" || "code" in cell || "strong" in cell ? [cell] : cell;
}
