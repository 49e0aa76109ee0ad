import type { PlacedNode, SyntaxNode } from "../../syntax/module-syntax.ts";
import { nodeIn, nodesIn, textIn } from "../../syntax/node-fields.ts";
import type { MeasureRequest } from "./language.ts";
import { calledBy, isFunction, isMoved } from "./module-chain.ts";
import { inserted, type Splice } from "./splice.ts";

/** Splices by which a file gets hold of the product through the runtime of the measure. */
export function productUses(
	placed: readonly PlacedNode[],
	probe: string,
	isProduct: MeasureRequest["isProduct"],
): Splice[] {
	const isOf = (source: SyntaxNode | null): boolean =>
		source?.type === "StringLiteral" && isProduct(textIn(source, "value"));
	const imported = placed.flatMap(({ node }) => {
		const source = moduleOf(node);
		const isOwn = isOf(source);
		// Helpers of the tests may hand on what they got from the product.
		if (!(isOwn || textIn(source, "value").startsWith("."))) return [];
		return importedIn(node).map(([local, name]) => ({ local, name, end: node.end, isOwn }));
	});
	const names = new Set(imported.map(({ local }) => local));
	const loads = placed.filter((at) => isLoad(at.node) && isOf(sourceOf(at.node)) && !isMoved(at));
	const uses = placed.filter(
		(at) => at.node.type === "Identifier" && names.has(textIn(at.node, "name")) && isValue(at),
	);
	const exported = placed.filter(({ node }) => node.type === "ExportSpecifier");
	const used = new Set([
		...uses.map(({ node }) => textIn(node, "name")),
		...exported.map(({ node }) => textIn(nodeIn(node, "local"), "name")),
	]);
	// A name that only types use is not there when the file runs.
	const owned = imported.flatMap(({ local, name, end, isOwn }) =>
		isOwn && used.has(local)
			? [inserted(end, `;${probe}.own(${local},${JSON.stringify(name)});`)]
			: [],
	);
	return [
		...loads.flatMap((at) => loadedBy(at, probe)),
		...owned,
		...placed.flatMap(({ node }) => (isOf(nodeIn(node, "source")) ? handedOn(node, probe) : [])),
		...uses.filter((at) => !isMoved(at)).flatMap((at) => useBy(at, probe)),
	];
}

/** Exports of the product for which a file has no name of its own. */
function handedOn(node: SyntaxNode, probe: string): Splice[] {
	if (!/^Export(?:All|Named)Declaration$/.test(node.type) || node["exportKind"] === "type")
		return [];
	const source = JSON.stringify(textIn(nodeIn(node, "source"), "value"));
	const space = `${probe}_${node.start}`;
	return [
		inserted(
			node.end,
			`;import * as ${space} from ${source};globalThis.Object.entries(${space}).forEach(([name, value]) => ${probe}.own(value, name));`,
		),
	];
}

/** The module that a statement imports under names; null for types. */
function moduleOf(node: SyntaxNode): SyntaxNode | null {
	if (node["importKind"] === "type") return null;
	if (node.type === "ImportDeclaration") return nodeIn(node, "source");
	if (node.type !== "TSImportEqualsDeclaration") return null;
	return nodeIn(nodeIn(node, "moduleReference") ?? node, "expression");
}

function importedIn(node: SyntaxNode): [local: string, name: string][] {
	const id = nodeIn(node, "id");
	if (id !== null) return [[textIn(id, "name"), textIn(id, "name")]];
	return nodesIn(node, "specifiers").flatMap((each): [string, string][] => {
		if (each["importKind"] === "type") return [];
		const local = textIn(nodeIn(each, "local"), "name");
		if (each.type === "ImportNamespaceSpecifier") return [[local, ""]];
		const imported = nodeIn(each, "imported");
		const name = textIn(imported, "name") || textIn(imported, "value");
		return [[local, name === "" || name === "default" ? local : name]];
	});
}

const isLoad = (node: SyntaxNode): boolean =>
	node.type === "ImportExpression" ||
	(node.type === "CallExpression" &&
		/^(?:import|require|requireActual|importActual)$/.test(calledBy(node).name));

const sourceOf = (node: SyntaxNode): SyntaxNode | null =>
	nodeIn(node, "source") ?? nodesIn(node, "arguments")[0] ?? null;

/** A call that loads a module, with what awaits it; the name is that under which its value is kept. */
function loadedBy({ node, above }: PlacedNode, probe: string): Splice[] {
	const isAwaited = above?.node.type === "AwaitExpression";
	const isRequire = node.type === "CallExpression" && calledBy(node).name.startsWith("require");
	if (!(isAwaited || isRequire)) return [];
	const whole = isAwaited ? above.node : node;
	const holder = isAwaited ? above.above : above;
	const name =
		holder?.node.type === "VariableDeclarator" ? textIn(nodeIn(holder.node, "id"), "name") : "";
	return [inserted(whole.start, `${probe}.of(`), inserted(whole.end, `,"${name}")`)];
}

function useBy(at: PlacedNode, probe: string): Splice[] {
	const { node, above } = at;
	const isShort = above?.node.type === "ObjectProperty" && above.node["shorthand"] === true;
	const [open, close] = isConstructed(at) ? ["(", "))"] : ["", ")"];
	const key = isShort ? `${textIn(node, "name")}: ` : "";
	return [inserted(node.start, `${key}${open}${probe}.use(`), inserted(node.end, close)];
}

function isConstructed(placed: PlacedNode): boolean {
	let { node, above } = placed;
	while (
		above !== null &&
		/MemberExpression$/.test(above.node.type) &&
		above.node["object"] === node
	)
		({ node, above } = above);
	return above?.node.type === "NewExpression" && above.node["callee"] === node;
}

const CASTS =
	/^TS(?:As|Satisfies|NonNull|Instantiation)Expression$|^TSTypeAssertion$|^TSExportAssignment$/;

/** Tells whether an identifier reads a value: it is no declaration, no name of a property, no type, no target. */
function isValue({ node, above }: PlacedNode): boolean {
	if (above === null) return false;
	const parent = above.node;
	if (/^TS/.test(parent.type)) return CASTS.test(parent.type) && parent["expression"] === node;
	if (
		/^(?:Import|Export)\w*Specifier$|^Labeled|^(?:Break|Continue)Statement$|^(?:Rest|Catch)|Pattern$|^Decorator$|^UpdateExpression$/.test(
			parent.type,
		)
	)
		return parent.type === "AssignmentPattern" && parent["right"] === node;
	if (/MemberExpression$/.test(parent.type))
		return parent["object"] === node || parent["computed"] === true;
	if (/Property$|Method$/.test(parent.type)) return isValueOfProperty(node, above);
	if (isFunction(parent)) return parent["body"] === node;
	if (/^(?:VariableDeclarator|Class\w*|EnumMember)$/.test(parent.type))
		return parent["id"] !== node;
	return !(
		/^(?:AssignmentExpression|For(?:In|Of)Statement)$/.test(parent.type) && parent["left"] === node
	);
}

function isValueOfProperty(node: SyntaxNode, { node: parent, above }: PlacedNode): boolean {
	if (/Method$/.test(parent.type)) return parent["computed"] === true && parent["key"] === node;
	if (parent["key"] === node && parent["computed"] === true) return true;
	return parent["value"] === node && above?.node.type !== "ObjectPattern";
}
