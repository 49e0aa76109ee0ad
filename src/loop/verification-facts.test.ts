import { expect, test } from "vitest";
import { causeText } from "../verification/cause.ts";
import { scene, theFacts } from "./scene.contract.ts";
import { requirementFor } from "./verified-findings.ts";

type Texts = Readonly<Record<string, string>>;

/** Answer of the rule for a task whose turn made `after` of `before`. */
async function requirement(before: Texts, after: Texts, description = "Make it faster.") {
	const all: Texts = { ...before, ...after };
	const change = (path: string) => ({
		path,
		kind: before[path] === undefined ? ("added" as const) : ("modified" as const),
		oldMode: "100644",
		newMode: "100644",
		oldOid: "1",
		newOid: "2",
	});
	const { input } = scene({
		facts: theFacts({ task: { description, requiresVerification: "auto" } }),
	});
	const { required, causes } = await requirementFor({
		...input,
		commits: {
			...input.commits,
			changes: () => Promise.resolve(Object.keys(after).map(change)),
			texts: () =>
				Promise.resolve(
					Object.entries(after).map(([path, text]) => ({
						path,
						before: before[path] ?? null,
						after: text,
						isRead: true,
					})),
				),
			files: () => Promise.resolve(Object.keys(all)),
			textAt: (_commit, path) => Promise.resolve(all[path] ?? null),
			naming: (_commit, word) =>
				Promise.resolve(Object.keys(all).filter((path) => all[path]?.includes(word) === true)),
		},
	});
	return { required, causes: causes.map(causeText) };
}

const SHOP: Texts = {
	"package.json": '{ "name": "@acme/root" }',
	"till/package.json": '{ "name": "@acme/checkout" }',
	"till/pay.js": "export function pay(cents) {\n\treturn cents;\n}\n",
	"web/package.json": '{ "name": "@acme/web" }',
	"web/page.js": 'import { pay } from "@acme/checkout";\nexport const page = () => pay(1);\n',
	"web/cart.js": "export const cart = 1;\n",
};

test("a package is known by the name in its manifest, whatever its folder is called", async () => {
	const change = {
		"web/cart.js": 'import { pay } from "@acme/checkout";\nexport const cart = pay(1);\n',
	};
	expect(await requirement(SHOP, change)).toMatchObject({
		required: true,
		causes: ["it calls another component: web/cart.js -> till"],
	});
});

test("a declaration is looked up in the repository: who names it decides", async () => {
	const grown = { "till/pay.js": "export function pay(cents, tax) {\n\treturn cents;\n}\n" };
	expect(await requirement(SHOP, grown)).toMatchObject({
		required: true,
		causes: ["it touches a declaration that others use: till/pay.js (pay)"],
	});
	const { "web/page.js": _gone, ...alone } = SHOP;
	expect(await requirement(alone, grown)).toMatchObject({ required: false, causes: [] });
});

test("words of the task ask for it, unless the turn changed tests and texts for people alone", async () => {
	const words = "Describe the HTTP handlers.";
	const code = { "till/pay.js": "export function pay(cents) {\n\treturn cents + 1;\n}\n" };
	expect(await requirement(SHOP, code, words)).toMatchObject({ required: true });
	expect(await requirement(SHOP, { "README.md": "x\n" }, words)).toMatchObject({
		required: false,
		causes: [],
	});
	expect((await requirement(SHOP, {}, words)).required).toBe(true);
});
