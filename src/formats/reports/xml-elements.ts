import { XMLParser, XMLValidator } from "fast-xml-parser";
import { type InvalidReport, plainText, refuse } from "./parsed-report.ts";

export type Element = Readonly<Record<string, unknown>>;

const DOCTYPE = /^\s*(?:<\?[^>]*>\s*|<!--(?:[^-]|-(?!->))*-->\s*)*<!DOCTYPE/i;

/**
 * The root of a report in XML. A document type, and with it every entity, makes it invalid.
 *
 * @param lists names of the elements that `children` will be asked for
 */
export function readXml(
	text: string,
	lists: ReadonlySet<string>,
): { readonly kind: "root"; readonly root: Element } | InvalidReport {
	const xml = plainText(text);
	if (DOCTYPE.test(xml.slice(0, 10_000))) return refuse("it declares a document type");
	const wellFormed = XMLValidator.validate(xml, { allowBooleanAttributes: false });
	if (wellFormed !== true) {
		const { msg, line } = wellFormed.err;
		return refuse(`not well-formed XML: ${msg} (line ${line})`);
	}
	const parser = new XMLParser({
		ignoreAttributes: false,
		attributeNamePrefix: "@",
		parseTagValue: false,
		parseAttributeValue: false,
		htmlEntities: true,
		maxNestedTags: 200,
		isArray: (name) => lists.has(name),
	});
	// The parser gives an object by element name for every well-formed text.
	return { kind: "root", root: parser.parse(xml) as Element };
}

export function attribute(element: Element, name: string): string {
	const value = element[`@${name}`];
	return typeof value === "string" ? value : "";
}

/** Child elements. The parser gives an element with only text, or without content, as text. */
export function children(element: Element, name: string): Element[] {
	const found = element[name];
	if (!Array.isArray(found)) return [];
	// An object of the parser is an element: its keys are strings, its values are not trusted.
	return found.map((child: unknown) =>
		typeof child === "object" && child !== null ? (child as Element) : { "#text": child },
	);
}

export function textIn(element: Element): string {
	return typeof element["#text"] === "string" ? element["#text"] : "";
}
