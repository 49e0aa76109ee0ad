import {
	isModulePath,
	loadModuleParser,
	nodesOf,
	type PlacedNode,
	type SyntaxNode,
} from "../../syntax/module-syntax.ts";
import { nodeIn, nodesIn, textIn } from "../../syntax/node-fields.ts";
import { moduleImports, modulePlaces, moduleTargets } from "./bound-names.ts";
import type { Language, TestPart } from "./language.ts";
import { calledBy, chainOf, endsChain, isFunction } from "./module-chain.ts";
import { moduleChoices } from "./module-choices.ts";
import { scriptCopies } from "./module-copies.ts";
import { scriptMeasured } from "./module-measured.ts";
import { type TestNames, testName, testNamesIn } from "./module-tests.ts";
import { wrongValues } from "./module-wrong-values.ts";
import { plainNames } from "./plain-names.ts";
import { isIn, replaced, type TextRange } from "./splice.ts";
import { HOOK } from "./test-names.ts";

/** JavaScript and TypeScript. */
export const javascript: Language = {
	isOf: isModulePath,
	trees: async (files) => {
		const parse = await loadModuleParser();
		return files.map(({ path, text }) => parse(text, path));
	},
	testsIn: moduleParts,
	wrongValues,
	copiesIn: scriptCopies,
	measured: scriptMeasured,
	choicesIn: moduleChoices,
	plainNames,
	importsIn: moduleImports,
	placesOf: modulePlaces,
	targetsIn: moduleTargets,
	without: {
		body: "{}",
		importOf: (module) => new RegExp(`\\bimport\\s+[^;"'()]*?\\s+from\\s*["']${module}["'];?`, "g"),
		nameOf: (name) => `var ${name};`,
	},
};

function moduleParts(tree: SyntaxNode, text: string): TestPart[] {
	const placed = [...nodesOf(tree)];
	const names = new Map(testNamesIn(placed));
	const parts = placed.flatMap((at): TestPart[] => {
		const part = { text: "", span: spanOf(at), body: null };
		const helper = helperName(at);
		if (helper !== "") return [{ ...part, kind: "helper", name: helper }];
		return endsChain(at) ? callIn(at, part, names) : [];
	});
	const cases = parts.filter(({ kind }) => kind === "case");
	const holds = (outer: TestPart, { span }: TestPart): boolean =>
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
	part: Pick<TestPart, "text" | "span" | "body">,
	names: Map<string, NonNullable<ReturnType<TestNames["get"]>>>,
): TestPart[] {
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
