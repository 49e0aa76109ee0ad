import type { VariableName } from "./variables.ts";

/** Where a part of an expression stands in its text, in UTF-16 units; `to` is exclusive. */
export interface Span {
	readonly from: number;
	readonly to: number;
}

/** One thing that is wrong with an expression. */
export interface Problem extends Span {
	/** One line, without a final full stop. */
	readonly message: string;
	/** What to write instead, or the word that was probably meant. */
	readonly suggestion: string | undefined;
}

/** A constant. A whole number is kept as decimal digits, since JSON has no 64-bit integers. */
export type Literal = Span & { readonly kind: "literal" } & (
		| { readonly type: "bool"; readonly value: boolean }
		| { readonly type: "int"; readonly value: string }
		| { readonly type: "double"; readonly value: number }
		| { readonly type: "string"; readonly value: string }
	);

export type Logic = "&&" | "||";
export type Equality = "==" | "!=";
export type Order = "<" | "<=" | ">" | ">=";
export type Arithmetic = "+" | "-" | "*" | "/" | "%";

interface Pair<Operator> extends Span {
	readonly operator: Operator;
	readonly left: Expression;
	readonly right: Expression;
}

/** A read expression: plain JSON, without anything that can be called or repeated. */
export type Expression =
	| Literal
	| (Span & { readonly kind: "variable"; readonly name: VariableName })
	| (Span & { readonly kind: "not" | "negate"; readonly operand: Expression })
	| ({ readonly kind: "logic" } & Pair<Logic>)
	| ({ readonly kind: "equality" } & Pair<Equality>)
	| ({ readonly kind: "order" } & Pair<Order>)
	| ({ readonly kind: "arithmetic" } & Pair<Arithmetic>)
	| (Span & { readonly kind: "in"; readonly left: Expression; readonly list: Expression[] })
	| (Span & {
			readonly kind: "choice";
			readonly condition: Expression;
			readonly whenTrue: Expression;
			readonly whenFalse: Expression;
	  });

/** A checked condition: plain JSON. The text is enough to make it again. */
export interface Condition {
	readonly text: string;
	readonly expression: Expression;
}

/** What is known; whole numbers are bigints, so that they count as CEL's do. */
export type Value = boolean | bigint | number | string;
