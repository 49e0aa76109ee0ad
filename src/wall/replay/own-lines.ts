import {
	isModulePath,
	nodesOf,
	type PlacedNode,
	type SyntaxNode,
} from "../../syntax/module-syntax.ts";
import { nodeIn, nodesIn, textIn } from "../../syntax/node-fields.ts";
import { isPythonPath } from "../../syntax/source-trees.ts";
import { importedNames, placesOf } from "../reading/bound-names.ts";
import { calledBy, chainOf, endsChain, isFunction } from "../test-shape/module-chain.ts";
import { type TestNames, testName, testNamesIn } from "../test-shape/module-tests.ts";
import { isCollected } from "../test-shape/python-shape.ts";
import { unspaced } from "../test-shape/test-shape.ts";

export interface AllowedFile {
	readonly path: string;
	readonly base: string;
	readonly head: string;
	readonly trees: readonly [SyntaxNode | null, SyntaxNode | null];
	/** Text of a file of the player's; null where there is none. */
	readonly readHead: (path: string) => Promise<string | null>;
}

/** Changes of a test file that an allowance excuses. */
export interface OwnChanges {
	/** Names of the base's cases of which the lines changed or are gone, or that use a helper or an import of which they did. */
	readonly cases: readonly string[];
	/** The base's text in which these cases are empty, and in which nothing is imported that the product has no longer. */
	readonly text: string;
}

interface Part {
	readonly kind: "case" | "helper" | "hook";
	readonly name: string;
	readonly text: string;
	readonly span: TextRange;
	readonly body: TextRange | null;
}

type TextRange = readonly [number, number];

/** Finds what an allowed change of a test file excuses, by its syntax trees; null where they show no cases. */
export async function ownChanges(file: AllowedFile): Promise<OwnChanges | null> {
	const { path, base, head, trees } = file;
	const [before, after] = trees;
	if (before === null || after === null) return null;
	const read = isPythonPath(path) ? pythonParts : isModulePath(path) ? moduleParts : () => [];
	const parts = read(before, base);
	const kept = new Set(read(after, head).map(keyOf));
	const changed = new Set(parts.filter((part) => !kept.has(keyOf(part))));
	const gone = await goneImports(file);
	const uses = usersOf(parts, [...gone, ...[...changed].filter(({ kind }) => kind === "helper")]);
	const isTouched = (part: Part): boolean => changed.has(part) || uses(part);
	const cases = parts.filter(({ kind }) => kind === "case");
	if (cases.length === 0) return null;
	const isHooked = parts.some((part) => part.kind === "hook" && isTouched(part));
	const touched = cases.filter((part) => isHooked || isTouched(part));
	// With the body of a case those go that it holds.
	const excused = cases.filter((part) => touched.some(({ span }) => isIn(part.span, span)));
	const bodies = touched.flatMap(({ body }) => (body === null ? [] : [body]));
	const emptied = replaced(base, bodies, isPythonPath(path) ? "pass" : "{}");
	const bound = new Set(cases.filter((part) => !excused.includes(part)).map(({ name }) => name));
	// One that is merely empty passes; its name does not excuse another one's failure.
	const isPlain = (part: Part): boolean => touched.includes(part) && !(isHooked || uses(part));
	const lost = excused.filter((part) => !(bound.has(part.name) && isPlain(part)));
	return { cases: lost.map(({ name }) => name), text: withoutImports(path, emptied, gone) };
}

/**
 * A test file without these cases; null where its tree does not show each of them once, or shows no other.
 *
 * @param names titles as the file spells them
 */
export function withoutCases(
	{ path, text, tree }: { readonly path: string; readonly text: string; readonly tree: SyntaxNode },
	names: readonly string[],
): string | null {
	const parts = isPythonPath(path) ? pythonParts(tree, text) : moduleParts(tree, text);
	const cases = parts.filter(({ kind }) => kind === "case");
	const gone = names.map((name) => cases.filter((each) => each.name === name));
	if (gone.some(({ length }) => length !== 1)) return null;
	const spans = gone.flat().map(({ span }) => span);
	const rest = cases.filter(({ span }) => !spans.some((outer) => isIn(span, outer)));
	// A group is no test of its own.
	const isTest = ({ span }: Part) =>
		!cases.some((one) => one.span !== span && isIn(one.span, span));
	return rest.some(isTest) ? replaced(text, spans, "") : null;
}

const isIn = ([start, end]: TextRange, [from, to]: TextRange): boolean =>
	from <= start && end <= to;

/** Tells what uses one of these names, also by way of a helper. */
function usersOf(
	parts: readonly Part[],
	changed: readonly { readonly name: string }[],
): (part: Part) => boolean {
	const names = new Set(changed.map(({ name }) => name));
	const uses = ({ text }: Part): boolean =>
		(text.match(/[\w$]+/g) ?? []).some((word) => names.has(word));
	const helpers = parts.filter(({ kind }) => kind === "helper");
	for (let size = -1; size !== names.size; ) {
		size = names.size;
		for (const helper of helpers) if (uses(helper)) names.add(helper.name);
	}
	return uses;
}

const keyOf = ({ kind, name, text }: Part): string => `${kind} ${name}\n${unspaced(text)}`;

const HOOK = /^(?:before|after)(?:Each|All)?$|^(?:setup|teardown|setUp|tearDown)/;

function moduleParts(tree: SyntaxNode, text: string): Part[] {
	const placed = [...nodesOf(tree)];
	const names = new Map(testNamesIn(placed));
	const parts = placed.flatMap((at): Part[] => {
		const part = { text: "", span: spanOf(at), body: null };
		const helper = helperName(at);
		if (helper !== "") return [{ ...part, kind: "helper", name: helper }];
		return endsChain(at) ? callIn(at, part, names) : [];
	});
	const cases = parts.filter(({ kind }) => kind === "case");
	const holds = (outer: Part, { span }: Part): boolean =>
		outer.span !== span && isIn(span, outer.span);
	return parts
		.filter((part) => part.kind !== "hook" || !cases.some((outer) => holds(outer, part)))
		.map((part) => {
			const [start, end] = part.span;
			const inner = cases.filter((each) => holds(part, each)).map(({ span }) => span);
			return { ...part, text: replaced(text.slice(0, end), inner, "").slice(start) };
		});
}

function callIn(
	{ node }: PlacedNode,
	part: Pick<Part, "text" | "span" | "body">,
	names: Map<string, NonNullable<ReturnType<TestNames["get"]>>>,
): Part[] {
	const { links } = chainOf(node);
	const name = testName(links, names);
	const fn = links.at(-1)?.args?.find(isFunction) ?? null;
	const body = fn === null ? null : nodeIn(fn, "body");
	if (fn === null || name === null || body === null) {
		const isHook = HOOK.test(links.at(-1)?.name ?? "");
		return isHook ? [{ ...part, kind: "hook", name: "" }] : [];
	}
	// What a test is given declares those in it: `async (context) => context.test(...)`.
	const context = textIn(nodesIn(fn, "params")[0] ?? null, "name");
	if (context !== "") names.set(context, "library");
	return [{ ...part, kind: "case", name, body: [body.start, body.end] }];
}

function spanOf(placed: PlacedNode): TextRange {
	let { node, above } = placed;
	while (
		above !== null &&
		/^(?:Await|Unary)Expression$|^ExpressionStatement$/.test(above.node.type)
	)
		({ node, above } = above);
	return [node.start, node.end];
}

function helperName(at: PlacedNode): string {
	const isDeclared = /^(?:VariableDeclarator|\w+Declaration)$/.test(at.node.type);
	return isDeclared && !isInFunction(at) ? textIn(nodeIn(at.node, "id"), "name") : "";
}

function isInFunction({ above }: PlacedNode): boolean {
	for (let at = above; at !== null; at = at.above) {
		const isGroup =
			at.above?.node.type === "CallExpression" &&
			/^(?:describe|suite|context|each)$/.test(calledBy(at.above.node).name);
		if (isFunction(at.node) && !isGroup) return true;
	}
	return false;
}

function pythonParts(tree: SyntaxNode, text: string): Part[] {
	return [...nodesOf(tree)].flatMap((at): Part[] => {
		const { node } = at;
		if (!isCollected(at)) return [];
		const start = nodesIn(node, "decorator_list")[0]?.start ?? node.start;
		const span = [start, node.end] as const;
		const own = { text: text.slice(...span), span, body: null };
		const helper = (name: string): Part => ({ ...own, kind: "helper", name });
		if (/^(?:Ann)?Assign$/.test(node.type)) {
			const targets = [...nodesIn(node, "targets"), nodeIn(node, "target")];
			return targets.flatMap((target) => textIn(target, "id") || []).map(helper);
		}
		if (!/^(?:Async)?FunctionDef$/.test(node.type)) return [];
		const name = textIn(node, "name");
		const [first] = nodesIn(node, "body");
		if (!/^test/.test(name) || first === undefined)
			return [HOOK.test(name) ? { ...helper(""), kind: "hook" } : helper(name)];
		return [{ ...own, kind: "case", name, body: [first.start, node.end] }];
	});
}

/** A text with something else in the place of these parts; of those within another only the outer counts. */
function replaced(text: string, spans: readonly TextRange[], by: string): string {
	return spans
		.filter((span) => !spans.some((other) => other !== span && isIn(span, other)))
		.sort(([one], [other]) => other - one)
		.reduce((now, [start, end]) => now.slice(0, start) + by + now.slice(end), text);
}

/** A name that the base's tests take from a module of the project that no longer has it. */
interface GoneImport {
	readonly name: string;
	readonly module: string;
	readonly isWhole: boolean;
}

async function goneImports({ path, base, head, readHead }: AllowedFile): Promise<GoneImport[]> {
	const still = new Set(importedNames(path, head).map(({ name, module }) => `${module} ${name}`));
	const found: GoneImport[] = [];
	for (const { name, module } of importedNames(path, base)) {
		if (still.has(`${module} ${name}`)) continue;
		const texts = await Promise.all(placesOf(path, module).map(readHead));
		const text = texts.find((each) => each !== null) ?? null;
		const isOwn = module.startsWith(".") || (isPythonPath(path) && text !== null);
		if (!isOwn) continue;
		if (text === null || !offers(text, name)) found.push({ name, module, isWhole: text === null });
	}
	return found;
}

function offers(text: string, name: string): boolean {
	const declares = new RegExp(
		`\\b(?:function\\s*\\*?|class|const|let|var|def|as|type|interface|enum)\\s+${name}\\b|^${name}\\s*[:=]|(?:export|import)[^;'"]*\\b${name}\\b`,
		"m",
	);
	return /\b(?:export|import)\s*\*/.test(text) || declares.test(text);
}

/** The text with undefined names for what cannot be imported; only cases that are empty use them. */
function withoutImports(path: string, text: string, gone: readonly GoneImport[]): string {
	const list = gone.map(({ name }) => name).filter((name, at, all) => all.indexOf(name) === at);
	if (list.length === 0) return text;
	const cut = gone.reduce((now, { name, module, isWhole }) => {
		const quoted = module.replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&");
		const whole = isPythonPath(path)
			? new RegExp(`^from[ \\t]+${quoted}[ \\t]+import[ \\t]+(?:\\([^)]*\\)|[^\\n#]+)`, "gm")
			: new RegExp(`\\bimport\\s+[^;"'()]*?\\s+from\\s*["']${quoted}["'];?`, "g");
		return now.replaceAll(whole, (statement) =>
			isWhole
				? ""
				: statement
						.replace(new RegExp(`(?:\\w+\\s+as\\s+)?\\b${name}\\b\\s*,?`), "")
						// Python allows no comma at the end of a list without brackets.
						.replace(/,\s*$/, ""),
		);
	}, text);
	// A list of names of which none is left.
	const tidy = cut.replaceAll(/^from[ \t]+[\w.]+[ \t]+import[ \t]*(?:\([\s,]*\))?[ \t]*$/gm, "");
	return isPythonPath(path)
		? `${tidy}\n${list.map((name) => `${name} = None`).join("\n")}\n`
		: `${tidy}\n${list.map((name) => `var ${name};`).join("\n")}\n`;
}
