import { linesIn, nodesOf, type PlacedNode, type SyntaxNode } from "../../syntax/module-syntax.ts";
import { nodeIn, nodesIn, textIn } from "../../syntax/node-fields.ts";
import { nodeProbe, probeName } from "../measure/node-probe.ts";
import type { MeasureRequest } from "./language.ts";
import { type Chain, calledBy, chainOf, isFunction } from "./module-chain.ts";
import { markersIn } from "./module-markers.ts";
import { productUses } from "./module-product.ts";
import { libraryIn, testName, testNamesIn } from "./module-tests.ts";
import { inserted, type Splice } from "./splice.ts";
import { HOOK } from "./test-names.ts";

/** Splices by which a file of the tests' side tells which answers of the product its cases notice. */
export function scriptMeasured(
	tree: SyntaxNode,
	text: string,
	request: MeasureRequest,
): readonly Splice[] | null {
	const placed = [...nodesOf(tree)];
	const program = nodeIn(tree, "program");
	if (program === null) return null;
	const probe = probeName(request.token);
	const uses = productUses(placed, probe, request.isProduct);
	const cases = casesIn(placed, text, { ...request, probe });
	if (uses.length === 0 && cases.length === 0) return null;
	const body = nodesIn(program, "body");
	const [start, end] = [body[0]?.start ?? program.end, body.at(-1)?.end ?? program.end];
	const isModule = program["sourceType"] === "module";
	const isTyped = /\.[cm]?tsx?$/.test(request.path);
	const library = cases.length === 0 ? null : libraryIn(placed);
	const imported =
		library !== null && isModule ? `import * as ${probe}_runner from "${library}";` : "";
	const given = imported === "" && library !== null ? `require("${library}")` : `${probe}_runner`;
	const ending = `;globalThis.${probe}.end(${library === null ? "" : given});`;
	const head = `/* eslint-disable */${imported}${nodeProbe(request.token, isModule)}`;
	// In the copy that is measured: a runner that checks types would refuse what calls pass through, and the file itself is
	// checked by the run that is not measured. A line separator ends the comment, as the compiler wants it, and starts no
	// line of the file for editors and reports.
	const unchecked = isTyped ? [inserted(0, "// @ts-nocheck\u2028")] : [];
	const { opening, closing } = markersIn(placed, text, { ...request, probe });
	const made = [...opening, ...uses, ...cases, ...closing];
	if (cases.length === 0) return [...unchecked, inserted(start, head), ...made];
	return [...unchecked, inserted(start, head + ending), ...made, inserted(end, ending)];
}

interface Named extends MeasureRequest {
	readonly probe: string;
}

/** Libraries whose assertions report to the runner themselves, instead of throwing. */
const REPORTING = /["'](?:ava|tape|tap|qunit|zora|@japa\/runner)["']/;
/** Words of a case that cannot run twice within one report. */
const ONCE =
	/napshot|\b(?:assertions|hasAssertions|plan|soft|poll|onTestFinished|onTestFailed|runOnly)\s*\(|\b(?:fast-check|fc\.)/;

interface Declared {
	readonly node: SyntaxNode;
	readonly fn: SyntaxNode;
	readonly links: Chain["links"];
	/** Null for what is no test. */
	readonly title: string | null;
}

function casesIn(placed: readonly PlacedNode[], text: string, request: Named): Splice[] {
	const names = new Map(testNamesIn(placed));
	const found: Declared[] = [];
	const holders = new Set<SyntaxNode>();
	for (const { node, above } of placed) {
		if (node.type !== "CallExpression") continue;
		const { links } = chainOf(node);
		const fn = links.at(-1)?.args?.findLast(isFunction);
		if (fn === undefined) continue;
		const title = testName(links, names);
		found.push({ node, fn, links, title });
		if (title === null) continue;
		// What a test is given declares those in it.
		const context = textIn(nodesIn(fn, "params")[0] ?? null, "name");
		if (context !== "") names.set(context, "library");
		for (let at = above; at !== null; at = at.above) holders.add(at.node);
	}
	const caseOf = caseReader(text, request.path);
	return found.flatMap((declared) => {
		const { fn, title } = declared;
		const isCase = title !== null && !holders.has(fn);
		const made = isCase ? caseOf(declared, title) : surroundings(declared, request.path);
		if (made === null) return [];
		return [inserted(fn.start, `${request.probe}.${made}, `), inserted(fn.end, ")")];
	});
}

function caseReader(text: string, path: string): (declared: Declared, title: string) => string {
	const lineOf = linesIn(text);
	const isReporting = REPORTING.test(text);
	return ({ node, fn, links }, title) => {
		const isFixed = isReporting || isCalledBack(fn) || ONCE.test(text.slice(fn.start, fn.end));
		const meta = {
			path,
			title,
			line: lineOf(node.start),
			body: lineOf(nodeIn(fn, "body")?.start ?? fn.start),
			...(isFixed ? { skip: true } : {}),
			...(links.some(({ name }) => /^(?:each|for)$/.test(name)) ? { isEach: true } : {}),
		};
		return `test(${JSON.stringify(meta)}`;
	};
}

/** Groups of cases, and what stands before or behind each case in them. */
function surroundings({ node, links }: Declared, path: string): string | null {
	const { name } = calledBy(node);
	const file = JSON.stringify(path);
	if (HOOK.test(name)) {
		const [order, times] = [/^(?:after|teardown)/i, EACH].map((word) => word.test(name));
		return `hook("${order ? "after" : "before"}${times ? "Each" : "All"}", ${file}`;
	}
	return /^(?:describe|suite|context)$/.test(links[0].name) ? `group(${file}` : null;
}

const EACH = /Each$|^setup$|^teardown$/;

const isCalledBack = (fn: SyntaxNode): boolean =>
	fn["generator"] === true ||
	nodesIn(fn, "params").some((each) => /^(?:done|cb|callback|next)$/.test(textIn(each, "name")));
