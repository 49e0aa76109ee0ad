import { expect, test } from "vitest";
import { fillTemplate } from "./fill-template.ts";

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

test("names without a value are told once each", () => {
	expect(filled(`\${A} \${TASK} \${B} \${A}`)).toEqual({ kind: "unknown", names: ["A", "B"] });
});

test("what only looks like a placeholder stays", () => {
	expect(filled(`$TASK \${1} \${} {TASK}`)).toMatchObject({ text: `$TASK \${1} \${} {TASK}` });
});
