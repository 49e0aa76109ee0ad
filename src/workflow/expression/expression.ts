/** A part of the text, in UTF-16 units; `to` is exclusive. */
export interface Span {
	readonly from: number;
	readonly to: number;
}

export interface Mistake extends Span {
	readonly message: string;
	readonly suggestion: string | undefined;
}

export type LiteralNode = Span & { readonly kind: "literal" } & (
		| { readonly type: "bool"; readonly value: boolean }
		| { readonly type: "int" | "double"; readonly value: number }
		| { readonly type: "string"; readonly value: string }
	);

export type Logic = "&&" | "||";
export type Comparator = "==" | "!=" | "<" | "<=" | ">" | ">=";

/** A read expression: a tree without anything that can be called or repeated. */
export type Expression =
	| LiteralNode
	| (Span & { readonly kind: "variable"; readonly name: string })
	| (Span & { readonly kind: "not"; readonly operand: Expression })
	| (Span & {
			readonly kind: "pair";
			readonly operator: Logic | Comparator;
			readonly left: Expression;
			readonly right: Expression;
	  })
	| (Span & { readonly kind: "in"; readonly left: Expression; readonly list: Expression[] });

export interface Condition {
	readonly text: string;
	readonly expression: Expression;
}

export type Value = boolean | number | string;
