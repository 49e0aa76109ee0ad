import { XMLParser, XMLValidator } from "fast-xml-parser";
import { plainText } from "../reports/parsed-report.ts";

/** Attributes of an element by name; undefined for one that it does not have. */
export type XmlAttributes = (name: string) => string | undefined;

/**
 * Visits an element at its start.
 *
 * @param place the names from the top to the element itself, such as `"report.package.sourcefile.line"`
 */
export type XmlVisitor = (name: string, place: string, attribute: XmlAttributes) => void;

/** A document type that only names its definition, which is never fetched, and declares nothing. */
const PLAIN_DOCTYPE = /^<!DOCTYPE\s+[\w:.-]+(?:\s+(?:"[^"<>[]*"|'[^'<>[]*'|SYSTEM|PUBLIC))*\s*>/;

/**
 * Visits every element of an XML text in document order; keeps none, so that a million of them take
 * no memory.
 *
 * A document type with declarations of its own, and with it every entity, is refused.
 *
 * @returns why the text is not read, or undefined when all elements were visited
 * @throws what the parser and `visit` throw
 */
export function walkXml(text: string, visit: XmlVisitor): string | undefined {
	const xml = plainText(text).trimStart();
	const problem = doctypeProblem(xml);
	if (problem !== undefined) return problem;
	const wellFormed = XMLValidator.validate(xml, { allowBooleanAttributes: false });
	if (wellFormed !== true) {
		const { msg, line } = wellFormed.err;
		return `not well-formed XML: ${msg} (line ${line})`;
	}
	let open: Readonly<Record<string, string>> = {};
	const attribute: XmlAttributes = (name) => open[`@${name}`];
	// Looking for references takes a third of the time, and few reports have one.
	const hasReferences = xml.includes("&");
	new XMLParser({
		ignoreAttributes: false,
		attributeNamePrefix: "@",
		parseTagValue: false,
		parseAttributeValue: false,
		processEntities: hasReferences,
		htmlEntities: hasReferences,
		maxNestedTags: 200,
		updateTag: (name, place, attributes: Readonly<Record<string, string>> | undefined) => {
			open = attributes ?? {};
			visit(name, String(place), attribute);
			return false;
		},
	}).parse(xml);
	return undefined;
}

function doctypeProblem(xml: string): string | undefined {
	if (/<!ENTITY/i.test(xml)) return "it declares an entity";
	const at = xml.search(/<!DOCTYPE/i);
	if (at === -1) return undefined;
	return PLAIN_DOCTYPE.test(xml.slice(at, at + 1_000))
		? undefined
		: "its document type declares something";
}
