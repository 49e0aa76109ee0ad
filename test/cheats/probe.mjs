// Evaluates expressions on a module: `node probe.mjs MODULE INPUT OUTPUT`, both files JSON lists.
import { readFileSync, writeFileSync } from "node:fs";
import { resolve } from "node:path";
import process from "node:process";
import { pathToFileURL } from "node:url";
import { compileFunction } from "node:vm";

// Whatever the module does to its process, it finds these already taken.
const [module, input, output] = process.argv.slice(2);
const expressions = JSON.parse(readFileSync(input, "utf8"));
const { stringify } = JSON;

const names = await import(pathToFileURL(resolve(module)).href);
const values = [];
for (const text of expressions) {
	try {
		const evaluate = compileFunction(`return (${text});`, Object.keys(names));
		values.push((await evaluate(...Object.values(names))) ?? null);
	} catch (error) {
		values.push(`throws ${error.message}`);
	}
}
writeFileSync(output, stringify(values));
process.exit(0);
