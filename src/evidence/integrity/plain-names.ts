import { ConstantTexts } from "../../syntax/constant-texts.ts";
import { lineAt, nodesOf, type PlacedNode, type SyntaxNode } from "../../syntax/module-syntax.ts";
import { nodeIn, nodesIn, textIn } from "../../syntax/node-fields.ts";
import { chainOf } from "../test-shape/module-chain.ts";

/** A module whose names are written plainly. */
export interface PlainNames {
	/** Its text, with as many lines: `a["eq" + "ual"]` is `a.equal`. */
	readonly text: string;
	/** Lines, from 1, that take something from `process` by a name that only the running program knows. */
	readonly unknown: ReadonlySet<number>;
}

/** A place of the text and what stands there instead. */
interface Edit {
	readonly start: number;
	readonly end: number;
	readonly text: string;
}

const NAME = /^[\p{L}_$][\p{L}\p{N}_$]*$/u;
const MEMBER = /^(?:Optional)?MemberExpression$/;

/**
 * Writes the names of members and modules that a module puts together as whoever hides nothing would: what rules about
 * names look for is then found however it is spelled.
 */
export function plainNames(tree: SyntaxNode, text: string): PlainNames {
	const placed = [...nodesOf(tree)];
	const texts = new ConstantTexts(placed);
	const edits: Edit[] = [];
	const unknown = new Set<number>();
	for (const at of placed) {
		for (const name of namesAt(at)) edits.push(...plainName({ node: name, above: at }, texts, at));
		const property = MEMBER.test(at.node.type) ? nodeIn(at.node, "property") : null;
		if (property === null || at.node["computed"] !== true) continue;
		if (isOfProcess(at, texts) && !isKnown({ node: property, above: at }, texts) && isTaken(at))
			unknown.add(lineAt(text, property.start));
	}
	return { text: edited(text, edits), unknown };
}

/** The expressions of a node that name a member or a module. */
function namesAt({ node }: PlacedNode): readonly SyntaxNode[] {
	const name = nodeIn(node, "property") ?? nodeIn(node, "key") ?? nodeIn(node, "source");
	if (node.type === "ImportExpression") return name === null ? [] : alternatives(name);
	if (name !== null) return node["computed"] === true ? alternatives(name) : [];
	if (node.type !== "CallExpression") return [];
	const [first, second] = nodesIn(node, "arguments");
	const { links } = chainOf(node);
	const [{ name: root }] = links;
	const named = /^(?:Reflect|Object)$/.test(root) && links.length > 1 ? second : undefined;
	const loads = LOADS.test(links.at(-1)?.name ?? "") || root === "createRequire";
	return [
		...(loads && first !== undefined ? [first] : []),
		...(named === undefined ? [] : [named]),
	];
}

const LOADS = /^(?:require|resolve|getBuiltinModule|)$/;

/** The branches of a condition, each a name of its own. */
function alternatives(node: SyntaxNode): readonly SyntaxNode[] {
	const branches = [nodeIn(node, "consequent"), nodeIn(node, "alternate")];
	const [one, other] = branches;
	return node.type === "ConditionalExpression" && one != null && other != null
		? [...alternatives(one), ...alternatives(other)]
		: [node];
}

function plainName(name: PlacedNode, texts: ConstantTexts, { node, above }: PlacedNode): Edit[] {
	const value = texts.of(name);
	if (value === null) return [];
	const { start, end, type } = name.node;
	const object = nodeIn(node, "object");
	const isWhole = object !== null && nodeIn(node, "property") === name.node && NAME.test(value);
	const isProcess = isWhole && isOfProcess({ node, above }, texts);
	if (type === "StringLiteral" && !isProcess) return [];
	if (!isWhole) return [{ start, end, text: JSON.stringify(value) }];
	const from = isProcess ? node.start : object.end;
	return [{ start: from, end: node.end, text: `${isProcess ? "process" : ""}.${value}` }];
}

/** Whether a member is one of `process`, under whatever name. */
function isOfProcess(member: PlacedNode, texts: ConstantTexts, depth = 0): boolean {
	const object = nodeIn(member.node, "object");
	return object !== null && isProcess({ node: object, above: member }, texts, depth);
}

const PROCESS = /^(?:node:)?process$/;
/** Longest way from one name to another that is followed. */
const FARTHEST = 10;

function isProcess(at: PlacedNode, texts: ConstantTexts, depth: number): boolean {
	const { node } = at;
	if (depth > FARTHEST) return false;
	if (MEMBER.test(node.type)) {
		const { links } = chainOf(node);
		const [{ name: root }, second] = links;
		const property = nodeIn(node, "property");
		const isNamed =
			second?.name === "process" ||
			(property !== null && texts.of({ node: property, above: at }) === "process");
		return links.length === 2 && /^(?:globalThis|global)$/.test(root) && isNamed;
	}
	if (node.type === "CallExpression") {
		const [first] = nodesIn(node, "arguments");
		const isRequired = chainOf(node).links[0].name === "require" && first !== undefined;
		return isRequired && PROCESS.test(texts.of({ node: first, above: at }) ?? "");
	}
	if (/^Import(?:Default|Namespace)Specifier$/.test(node.type))
		return PROCESS.test(textIn(nodeIn(at.above?.node ?? node, "source"), "value"));
	if (node.type !== "Identifier") return false;
	const meaning = texts.meaningOf(at);
	if (meaning === undefined) return textIn(node, "name") === "process";
	return meaning !== null && isProcess(meaning, texts, depth + 1);
}

const isKnown = (name: PlacedNode, texts: ConstantTexts): boolean =>
	alternatives(name.node).every((node) => texts.of({ node, above: name }) !== null);

/** Whether a member is called or given away; of one that is only looked into, `process[stream].write`, nothing is taken. */
function isTaken({ node, above }: PlacedNode): boolean {
	const next = above?.node;
	if (next === undefined || !MEMBER.test(next.type) || next["object"] !== node) return true;
	const name = textIn(nodeIn(next, "property"), "name");
	return next["computed"] === true || /^(?:call|apply|bind)$/.test(name);
}

/** The text with its edits; of those that lie in each other the outer one counts. Lines keep their numbers. */
function edited(text: string, edits: readonly Edit[]): string {
	let [result, from] = ["", 0];
	for (const { start, end, text: plain } of [...edits].sort(byStart)) {
		if (start < from) continue;
		const lines = text.slice(start, end).split("\n").length - 1;
		result += text.slice(from, start) + plain + "\n".repeat(lines);
		from = end;
	}
	return result + text.slice(from);
}

const byStart = (one: Edit, other: Edit): number => one.start - other.start || other.end - one.end;
