import { ConstantTexts } from "../../syntax/constant-texts.ts";
import { linesIn, nodesOf, type PlacedNode, type SyntaxNode } from "../../syntax/module-syntax.ts";
import { nodeIn, nodesIn, textIn } from "../../syntax/node-fields.ts";
import { calledBy, memberNames } from "./module-chain.ts";
import { type Splice, spliced } from "./splice.ts";

export interface PlainNames {
	readonly text: string;
	/** Lines, from 1, that take something from `process` by a name that only the running program knows. */
	readonly unknown: ReadonlySet<number>;
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
	const edits: Splice[] = [];
	const unknown: number[] = [];
	for (const at of placed) {
		for (const name of namesAt(at)) edits.push(...plainName({ node: name, above: at }, texts, at));
		for (const taken of takenUnknown(at, texts)) unknown.push(taken.start);
	}
	return { text: edited(text, edits), unknown: new Set(unknown.map(linesIn(text))) };
}

/** Members of `process` that only the running program knows. */
function takenUnknown(at: PlacedNode, texts: ConstantTexts): readonly SyntaxNode[] {
	const { node } = at;
	if (MEMBER.test(node.type)) return unknownMember(at, texts);
	if (node.type === "CallExpression") return reflects(at, texts) ? [node] : [];
	// A name in brackets hides something, also where it is known.
	return node.type === "ObjectPattern" && isTakenFromProcess(at, texts)
		? nodesIn(node, "properties").filter((property) => property["computed"] === true)
		: [];
}

function unknownMember(at: PlacedNode, texts: ConstantTexts): readonly SyntaxNode[] {
	const property = at.node["computed"] === true ? nodeIn(at.node, "property") : null;
	if (property === null || !isOfProcess(at, texts) || !isTaken(at)) return [];
	return isKnown({ node: property, above: at }, texts) ? [] : [property];
}

function reflects(at: PlacedNode, texts: ConstantTexts): boolean {
	const { name, owner } = calledBy(at.node);
	const [first] = nodesIn(at.node, "arguments");
	const canTake = owner === "Reflect" || (owner === "Object" && name.startsWith("getOwn"));
	return canTake && first !== undefined && isProcess({ node: first, above: at }, texts, 0);
}

function isTakenFromProcess({ node, above }: PlacedNode, texts: ConstantTexts): boolean {
	if (above === null) return false;
	const parent = above.node;
	const value = nodeIn(parent, "init") ?? nodeIn(parent, "right");
	const isWhole = nodeIn(parent, "id") === node || nodeIn(parent, "left") === node;
	return isWhole && value !== null && isProcess({ node: value, above }, texts, 0);
}

function namesAt({ node }: PlacedNode): readonly SyntaxNode[] {
	const name = nodeIn(node, "property") ?? nodeIn(node, "key") ?? nodeIn(node, "source");
	if (node.type === "ImportExpression") return name === null ? [] : alternatives(name);
	if (name !== null) return node["computed"] === true ? alternatives(name) : [];
	if (node.type !== "CallExpression") return [];
	const [first, second] = nodesIn(node, "arguments");
	const { name: called, owner } = calledBy(node);
	return [
		...(LOADS.test(called) && first !== undefined ? [first] : []),
		...(/^(?:Reflect|Object)$/.test(owner) && second !== undefined ? [second] : []),
	];
}

/** Also what a call gave, or a member whose name nobody knows. */
const LOADS = /^(?:require|resolve|getBuiltinModule|)$/;

function alternatives(node: SyntaxNode): readonly SyntaxNode[] {
	const branches = [nodeIn(node, "consequent"), nodeIn(node, "alternate")];
	const [one, other] = branches;
	return node.type === "ConditionalExpression" && one != null && other != null
		? [...alternatives(one), ...alternatives(other)]
		: [node];
}

function plainName(name: PlacedNode, texts: ConstantTexts, { node, above }: PlacedNode): Splice[] {
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

function isOfProcess(member: PlacedNode, texts: ConstantTexts, depth = 0): boolean {
	const object = nodeIn(member.node, "object");
	return object !== null && isProcess({ node: object, above: member }, texts, depth);
}

const PROCESS = /^(?:node:)?process$/;
const FARTHEST = 10;

function isProcess(at: PlacedNode, texts: ConstantTexts, depth: number): boolean {
	const { node } = at;
	if (depth > FARTHEST) return false;
	if (MEMBER.test(node.type)) {
		const { name, owner } = memberNames(node);
		const property = nodeIn(node, "property");
		const isNamed =
			name === "process" ||
			(property !== null && texts.of({ node: property, above: at }) === "process");
		return /^(?:globalThis|global)$/.test(owner) && isNamed;
	}
	if (node.type === "CallExpression") {
		const [first] = nodesIn(node, "arguments");
		const isLoaded = first !== undefined && LOADS.test(calledBy(node).name);
		return isLoaded && PROCESS.test(texts.of({ node: first, above: at }) ?? "");
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

/** Tells whether a member is called or given away; of one that is only looked into, `process[stream].write`, nothing is taken. */
function isTaken({ node, above }: PlacedNode): boolean {
	const next = above?.node;
	if (next === undefined || !MEMBER.test(next.type) || next["object"] !== node) return true;
	const name = textIn(nodeIn(next, "property"), "name");
	return next["computed"] === true || /^(?:call|apply|bind)$/.test(name);
}

/** The text with its parts replaced, of those that overlap the first, each on as many lines as before. */
function edited(text: string, edits: readonly Splice[]): string {
	const kept: Splice[] = [];
	for (const edit of edits.toSorted(
		(one, other) => one.start - other.start || other.end - one.end,
	)) {
		const lines = text.slice(edit.start, edit.end).split("\n").length - 1;
		if (edit.start >= (kept.at(-1)?.end ?? 0))
			kept.push({ ...edit, text: edit.text + "\n".repeat(lines) });
	}
	return spliced(text, kept);
}
