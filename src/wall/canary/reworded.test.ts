import { expect, test } from "vitest";
import { loadModuleParser } from "../../syntax/module-syntax.ts";
import { reworded } from "./reworded.ts";

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
