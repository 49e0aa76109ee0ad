import type { SyntaxNode } from "../../syntax/module-syntax.ts";
import type { PythonRunner } from "../../syntax/python-syntax.ts";
import type { Copies, CopyRequest, Splice } from "../canary/test-copy.ts";
import type { PlainNames } from "../integrity/plain-names.ts";
import type { ImportedName } from "../reading/bound-names.ts";
import type { Choice } from "../special-cases/choice.ts";
import type { TestShape } from "../test-shape/test-shape.ts";
import type { TestPart } from "./test-part.ts";

/** A file with its text. */
export interface SourceText {
	readonly path: string;
	readonly text: string;
}

/** Gives the syntax trees of files, in their order; null for other languages and for texts that cannot be read. */
export type TreeReader = (files: readonly SourceText[]) => Promise<readonly (SyntaxNode | null)[]>;

/** Reads one thing out of a text by the tree that the same language made of it. Pure. */
type Reader<Found> = (tree: SyntaxNode, text: string) => Found;

/**
 * What the battery asks of a source text. Each language is one value of it, in the table `LANGUAGES`; files of all others
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
	readonly testsIn: Reader<readonly TestPart[]>;
	/** Cases with what they assert: which assertions can fail, how much they compare, by which helpers. */
	readonly shapeOf: Reader<TestShape>;
	/** Places of the values that assertions and comparisons expect, each with a value that is wrong there. */
	readonly wrongValues: Reader<readonly Splice[]>;
	/** Cases that can be declared once more, each with the ways to make one of its assertions wrong. */
	readonly copiesIn: (tree: SyntaxNode, text: string, request: CopyRequest) => Copies;
	/** Places of product code that tell written values from others. */
	readonly choicesIn: Reader<readonly Choice[]>;
	/** The text with names that it puts together as they would be written; null where these are not read. */
	readonly plainNames: Reader<PlainNames | null>;
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
