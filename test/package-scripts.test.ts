import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { z } from "zod";

const read = (file: string): string => readFileSync(file, "utf8");

const { scripts } = z
	.object({ scripts: z.record(z.string(), z.string()) })
	.parse(JSON.parse(read("package.json")));

/**
 * Commands that fail in an empty clone on an older Node.js: a tool before anything is installed, and a `node` from the
 * memory of the shell, which has found the host's before the project's was there. Our files .mjs run on both.
 */
function failing(script: string): readonly string[] {
	const commands = script.split(/&&|\|\||[;|&\n]/).map((command) => command.trim());
	return commands.filter((command, index) => {
		const [program = "", file = ""] = command.replace(/^(?:\w+=\S+ )+/, "").split(" ");
		if (program === "node") return !/^scripts\/[\w-]+\.mjs$/.test(file);
		return index === 0 && program !== "npm";
	});
}

test("an npm script begins with bootstrap.mjs or another script, and its shell starts no other node than for our .mjs", () => {
	expect(Object.values(scripts).length).toBeGreaterThan(25);
	expect(Object.values(scripts).flatMap(failing)).toEqual([]);
});

test.each([
	[
		"node scripts/bootstrap.mjs && rm -rf dist && node scripts/bundle.ts",
		["node scripts/bundle.ts"],
	],
	["npm run -s build && A=1 node scripts/demo.ts", ["A=1 node scripts/demo.ts"]],
	["node scripts/bootstrap.mjs tsc; node --run x", ["node --run x"]],
	["biome check . && node scripts/bootstrap.mjs tsc", ["biome check ."]],
	["A=1 node scripts/bootstrap.mjs node a.ts && tsc && node scripts/install-spar.mjs", []],
])("of %j there fails %j", (script, commands) => {
	expect(failing(script)).toEqual(commands);
});

test("each npm script that README and CONTRIBUTING name exists", () => {
	const pages = read("README.md") + read("CONTRIBUTING.md");
	const named = [...pages.matchAll(/npm run (?:-s )?([\w:-]+)/g)].map(([, name = ""]) => name);
	expect(named.length).toBeGreaterThan(20);
	expect(named.filter((name) => scripts[name] === undefined)).toEqual([]);
});

test("CI begins with npm test, before anything is installed, and tries README's other scripts in empty clones", () => {
	const steps = [...read(".ci/run").matchAll(/^step ".*?" (.+)$/gm)].map(([, command]) => command);
	expect(steps[0]).toBe("recorded tests npm test -- --coverage");
	expect(steps).toContain("first_commands");
});
