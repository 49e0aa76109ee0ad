export type Inline = string | { readonly code: string } | { readonly strong: string };

export type Cell = Inline | readonly Inline[];

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

export function pieces(cell: Cell): readonly Inline[] {
	return typeof cell === "string" || "code" in cell || "strong" in cell ? [cell] : cell;
}
