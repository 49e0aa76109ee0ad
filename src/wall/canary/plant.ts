import {
	ASSERT_CALLS,
	CHAI_CALLS,
	callsIn,
	EXPECT_CALLS,
	ownCalls,
	UNITTEST_CALLS,
} from "./failing-calls.ts";

/** A test file with canaries: tests that must fail, in the same process and with the same assertions as its own. */
export interface Planted {
	readonly text: string;
	/** Names of the canaries; each is part of the id that a report gives. */
	readonly names: readonly string[];
}

/** Words of the checks' commands: they tell the runner of a file whose globals come from it. */
export interface Runners {
	readonly words: ReadonlySet<string>;
}

/** Most canaries of one file. */
const MAX = 30;

/**
 * Adds canaries to a test file of a known runner: node:test, vitest, jest, mocha, pytest or unittest.
 *
 * @param token part of each name; random, so that no product can know it
 * @returns null for a file of no known runner
 */
export function plant(file: string, text: string, token: string, runners: Runners): Planted | null {
	if (/\.py$/.test(file)) return plantPython(text, token);
	return /\.[cm]?[jt]sx?$/.test(file) ? plantScript(text, token, runners) : null;
}

const importedIn = (text: string, name: string): boolean =>
	new RegExp(`["']${name.replaceAll("/", "\\/")}["']`).test(text);

/** Runners whose tests are declared by a function: the module that has it, or the program that makes it global. */
const SCRIPTED = [
	{ module: "node:test", program: null, declare: "test", own: null },
	{ module: "vitest", program: "vitest", declare: "test", own: "expect" },
	{ module: "@jest/globals", program: "jest", declare: "test", own: "expect" },
	{ module: "mocha", program: "mocha", declare: "it", own: null },
] as const;

type Scripted = (typeof SCRIPTED)[number];

const ASSERT_MODULES = ["node:assert/strict", "node:assert", "assert/strict", "assert"];

function plantScript(text: string, token: string, { words }: Runners): Planted | null {
	const runner =
		SCRIPTED.find(({ module }) => importedIn(text, module)) ??
		SCRIPTED.find(({ program }) => program !== null && words.has(program));
	if (runner === undefined) return null;
	const isModule = /^[ \t]*(?:import|export)\b/m.test(text);
	const bind = (name: string, module: string, member: string): string => {
		const from = JSON.stringify(module);
		if (!isModule)
			return `const ${name} = require(${from})${member === "default" ? "" : `.${member}`};`;
		const what = member === "default" ? name : `{ ${member} as ${name} }`;
		return `import ${what} from ${from};`;
	};
	const { bindings, calls } = assertionsOf(text, runner, token, bind);
	if (calls.length === 0) return null;
	const declare = `declare_${token}`;
	bindings.push(
		importedIn(text, runner.module)
			? bind(declare, runner.module, runner.declare)
			: `const ${declare} = globalThis.${runner.declare};`,
	);
	const names = calls.slice(0, MAX).map((_call, index) => `canary ${token} ${index}`);
	const tests = names.map(
		(name, index) => `${declare}(${JSON.stringify(name)}, () => { ${calls[index] ?? ""}; });`,
	);
	return { text: `${text}\n${[...bindings, ...tests].join("\n")}\n`, names };
}

type Bind = (name: string, module: string, member: string) => string;

/** Failing calls of every assertion library that a file uses. */
function assertionsOf(
	text: string,
	runner: Scripted,
	token: string,
	bind: Bind,
): { readonly bindings: string[]; readonly calls: string[] } {
	const bindings: string[] = [];
	const calls: string[] = [];
	const use = (name: string, binding: string, found: readonly string[], usual: string): void => {
		bindings.push(binding);
		const written = found.length === 0 ? [usual] : found;
		calls.push(...written.map((call) => call.replace("$", name)));
	};
	if (runner.own !== null && /\bexpect\b/.test(text)) {
		const name = `expect_${token}`;
		const binding = importedIn(text, runner.module)
			? bind(name, runner.module, "expect")
			: `const ${name} = globalThis.expect;`;
		const own = ownCalls(
			text,
			/\.(to[A-Z]\w*)\(/g,
			"$({ canary: 1 }).#({ canary: 2 })",
			EXPECT_CALLS,
		);
		use(name, binding, [...callsIn(text, EXPECT_CALLS), ...own], "$(1).toBe(2)");
	}
	for (const [index, module] of ASSERT_MODULES.entries()) {
		if (!importedIn(text, module)) continue;
		const name = `assert${index}_${token}`;
		use(name, bind(name, module, "default"), callsIn(text, ASSERT_CALLS), "$.equal(1, 2)");
	}
	if (importedIn(text, "chai")) {
		const [name, member] = /\bexpect\b/.test(text) ? ["expect", "expect"] : ["assert", "assert"];
		const own = `chai_${name}_${token}`;
		const table = member === "expect" ? CHAI_CALLS : ASSERT_CALLS;
		const usual = member === "expect" ? "$(1).to.equal(2)" : "$.equal(1, 2)";
		use(own, bind(own, "chai", member), callsIn(text, table), usual);
	}
	return { bindings, calls };
}

/** A class of tests; the first base that is one decides. */
const TEST_CLASS = /^class[ \t]+\w+\(([\w.]*(?:TestCase|Case))\)[ \t]*:/m;
const MAIN = /^if[ \t]+__name__[ \t]*==/m;

function plantPython(text: string, token: string): Planted | null {
	const base = TEST_CLASS.exec(text)?.[1];
	const isPlain = /^(?:async )?def test/m.test(text) || /^class Test\w*[ \t]*:/m.test(text);
	if (base === undefined && !isPlain) return null;
	const own = ownCalls(
		text,
		/\bself\.(assert\w*)\(/g,
		"self.#(object(), object())",
		UNITTEST_CALLS,
	);
	const calls = base === undefined ? [] : [...callsIn(text, UNITTEST_CALLS), ...own].slice(0, MAX);
	const names: string[] = [];
	const nameOf = (): string => {
		const name = `test_canary_${token}_${names.length}`;
		names.push(name);
		return name;
	};
	const lines: string[] = [];
	if (base !== undefined) {
		lines.push("", "", `class Canary_${token}(${base}):`);
		for (const call of calls.length === 0 ? ["self.assertEqual(1, 2)"] : calls)
			lines.push(`    def ${nameOf()}(self):`, `        ${call}`, "");
	} else {
		lines.push("", "", `def ${nameOf()}():`, "    assert 1 == 2", "");
		if (/\bpytest\.raises\b/.test(text))
			lines.push("", `def ${nameOf()}():`, "    pytest.raises(ValueError, int, 1)", "");
	}
	const at = MAIN.exec(text)?.index ?? text.length;
	return { text: `${text.slice(0, at)}${lines.join("\n")}\n${text.slice(at)}`, names };
}
