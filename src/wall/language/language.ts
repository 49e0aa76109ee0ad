import type { SyntaxNode } from "../../syntax/module-syntax.ts";
import type { PythonRunner } from "../../syntax/python-syntax.ts";
import type { ImportedName } from "./bound-names.ts";
import type { Choice } from "./choice.ts";
import type { PlainNames } from "./plain-names.ts";
import type { Splice, TextRange } from "./splice.ts";

/** A file with its text. */
export interface SourceText {
	readonly path: string;
	readonly text: string;
}

/** Gives the syntax trees of files, in their order; null for other languages and for texts that cannot be read. */
export type TreeReader = (files: readonly SourceText[]) => Promise<readonly (SyntaxNode | null)[]>;

/** Declaration in a file of the tests, outside of functions: a test, or what tests share. */
export interface TestPart {
	readonly kind: "case" | "helper" | "hook";
	/** Title of a case as the file spells it; empty for a hook. */
	readonly name: string;
	/** Its own text, without the cases that it holds. */
	readonly text: string;
	/** Its extent, decorators included. */
	readonly span: TextRange;
	/** Parts of a case; null for another part. */
	readonly body: TextRange | null;
}

/** A way to make one assertion of a test wrong. */
export interface Wrong {
	/** Assertion and call that it looks at; one of each kind tells enough. */
	readonly kind: string;
	readonly splice: Splice;
}

/** A test case that can be declared once more with another name. */
export interface TestCopy extends Readonly<Record<"start" | "end", number>> {
	/** Offset at which copies stand. */
	readonly at: number;
	/** The place of its name. */
	readonly title: Omit<Splice, "text">;
	readonly wrongs: readonly Wrong[];
	/** Text that makes it fail in any case, for a file without an assertion that can be made wrong. */
	readonly thrown: Splice | null;
}

export interface CopyRequest {
	readonly path: string;
	/** Part of each name; random, so that no product can know it. */
	readonly token: string;
	/** Words of the checks' commands. */
	readonly words: ReadonlySet<string>;
}

export interface MeasureRequest {
	readonly path: string;
	/** Random; name of the file into which notices are written. */
	readonly token: string;
	/** Tells whether a module, by the name by which this file imports it, is of the product. */
	readonly isProduct: (module: string) => boolean;
}

/** Tests of a file that can be copied, and what copies of its language look like. */
export interface Copies {
	readonly copies: readonly TestCopy[];
	/** Text that makes a value one that no call gives. */
	readonly helpers: Splice;
	/** Name of a copy by its number, as the runner reports it. */
	readonly nameOf: (at: number) => string;
	/** A copy as a statement of its own; `copy` gives its text with a title as it is written. */
	readonly apart: (copy: (title: string) => string, name: string) => string;
}

/** Reads one thing out of a text by the tree that the same language made of it. Pure. */
type InTree<Found> = (tree: SyntaxNode, text: string) => Found;

/**
 * Questions of the battery about a source text. Each language is one value of it, in the table `LANGUAGES`; files of all others
 * are read line by line, or not at all.
 */
export interface Language {
	/** By the name of a file. */
	readonly isOf: (path: string) => boolean;
	/** Syntax trees of its own files, in their order; null for each that cannot be read. Nothing of the texts is run. */
	readonly trees: (
		files: readonly SourceText[],
		run: PythonRunner,
	) => Promise<readonly (SyntaxNode | null)[]>;
	/** Cases of a test file, and the helpers and hooks outside of them, by their extents. */
	readonly testsIn: InTree<readonly TestPart[]>;
	/** Places of the values that assertions and comparisons expect, each with a value that is wrong there. */
	readonly wrongValues: InTree<readonly Splice[]>;
	/** Cases that can be declared once more, each with the ways to make one of its assertions wrong. */
	readonly copiesIn: (tree: SyntaxNode, text: string, request: CopyRequest) => Copies;
	/**
	 * Splices by which a file of the tests' side tells which answers of the product its cases notice; null where it has neither
	 * cases nor imports of the product.
	 */
	readonly measured?: (
		tree: SyntaxNode,
		text: string,
		request: MeasureRequest,
	) => readonly Splice[] | null;
	/** A file that measured ones need at the root of the checkout, by the token; left out: none. */
	readonly measuredBy?: (token: string) => SourceText;
	/** Places of product code that tell written values from others. */
	readonly choicesIn: InTree<readonly Choice[]>;
	/** The text with names that it puts together as they would be written; null where these are not read. */
	readonly plainNames: InTree<PlainNames | null>;
	/** Names that a text imports, each with the module as the text spells it. */
	readonly importsIn: (text: string) => ImportedName[];
	/** Files that may be meant by a module's name in a file, the likeliest first. */
	readonly placesOf: (path: string, module: string) => string[];
	/** Files of the checkout that a file imports by a literal name, each as the places at which its runtime looks, in order. */
	readonly targetsIn: (path: string, text: string) => string[][];
	/** Texts that put a part of a file out of use. */
	readonly without: {
		/** In the place of the body of a case. */
		readonly body: string;
		/** Finds what imports names from a module, whose name is given as a pattern. */
		readonly importOf: (module: string) => RegExp;
		/** Declares a name that has no value. */
		readonly nameOf: (name: string) => string;
	};
}
