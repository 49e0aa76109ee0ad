import { expect, test } from "vitest";
import { loadModuleParser } from "../../syntax/module-syntax.ts";
import { renamed, reworded } from "./reworded.ts";

const parse = await loadModuleParser();

function changed(text: string): string {
	const tree = parse(text, "test/a.test.ts");
	if (tree === null) throw new Error(`cannot be read: ${text}`);
	const made = reworded(text, tree, "m");
	expect(parse(made, "test/a.test.ts"), made).not.toBeNull();
	return made;
}

test("functions of each form have another text, at its end too", () => {
	expect(changed("const now = () => time;")).toBe("const now = () => (/* m */time);");
	expect(changed("const at = () => ({ a: 1 });")).toBe("const at = () => ((/* m */{ a: 1 }));");
	expect(changed("function a(): void { b(); }")).toBe("function a(): void {/* m */ b(); /* m */}");
	expect(changed("class A { b() {} }")).toBe("class A { b() {/* m *//* m */} }");
	expect(changed("const add = (a) => (b) => a + b;")).toBe(
		"const add = (a) => (/* m */(b) => (/* m */a + b));",
	);
});

test("a function without a body, and what is no function, stays as it is", () => {
	const text = "declare function a(): void;\nconst b = 'x => y';\nclass C {}";
	expect(changed(text)).toBe(text);
});

test("a name of the tests becomes another one of the same length, in all texts that hold it", () => {
	const files = [
		[
			"a.test.js",
			`import { it } from "vitest";\nit("bob pays", () => throws(() => take("bob"), "no bob"));`,
		],
		["test_a.py", "import os\nassert take('bob') == 'x/bob' != 'Bob-bob'"],
	] as const;
	expect(renamed(files)).toEqual([
		{
			path: "a.test.js",
			text: `import { it } from "vitest";\nit("eys pays", () => throws(() => take("eys"), "no eys"));`,
		},
		{ path: "test_a.py", text: "import os\nassert take('eys') == 'x/bob' != 'Bob-bob'" },
	]);
	expect(renamed([["a.js", 'import a from "vitest";\nis(a("Bob"), 7);']])).toEqual([]);
});
