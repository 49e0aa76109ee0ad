import { expect, test } from "vitest";
import { BRACES, fillTemplate } from "./fill-template.ts";

const values = new Map([
	["TASK", "one"],
	["REASON", `say \${TASK}`],
]);
const filled = (template: string) => fillTemplate(template, (name) => values.get(name));

test("each placeholder gets its value, and a value is not read as a template", () => {
	expect(filled(`\${TASK}: \${REASON}, \${TASK}`)).toEqual({
		kind: "filled",
		text: `one: say \${TASK}, one`,
	});
});

test("placeholders in braces have any name", () => {
	const told = (template: string) =>
		fillTemplate(template, (name) => (name === "a b" ? "x" : undefined), BRACES);
	expect(told("{a b} {{a b}}")).toEqual({ kind: "filled", text: "x {x}" });
	expect(told("{} {c}")).toEqual({ kind: "unknown", names: ["", "c"] });
});

test("names without a value are told once each", () => {
	expect(filled(`\${A} \${TASK} \${B} \${A}`)).toEqual({ kind: "unknown", names: ["A", "B"] });
});

test("what only looks like a placeholder stays", () => {
	expect(filled(`$TASK \${1} \${} {TASK}`)).toMatchObject({ text: `$TASK \${1} \${} {TASK}` });
});
