import path from "node:path";

export interface ImportedName {
	readonly name: string;
	readonly module: string;
}

const MODULE_IMPORT = /\bimport\s+(?:type\s+)?([^;"'()]{0,2000}?)\s+from\s*["']([^"'\n]+)["']/g;
const MODULE_REQUIRE =
	/\b(?:const|let|var)\s+([^=;]{1,500}?)\s*=\s*(?:await\s+import|require|process\s*\.\s*getBuiltinModule)\s*\(\s*["']([^"'\n]+)["']/g;
const PYTHON_FROM = /^[ \t]*from[ \t]+([\w.]+)[ \t]+import[ \t]+(\([^)]*\)|[^\n#]+)/gm;
const PYTHON_IMPORT = /^[ \t]*import[ \t]+([\w.]+)(?:[ \t]+as[ \t]+(\w+))?[ \t]*$/gm;

export function pythonImports(text: string): ImportedName[] {
	const from = [...text.matchAll(PYTHON_FROM)].flatMap(([, module = "", list = ""]) =>
		namesIn(list).map((name) => ({ name, module })),
	);
	const whole = [...text.matchAll(PYTHON_IMPORT)].map(([, module = "", name]) => ({
		name: name ?? module.split(".")[0] ?? "",
		module,
	}));
	return [...from, ...whole];
}

export function moduleImports(text: string): ImportedName[] {
	return [MODULE_IMPORT, MODULE_REQUIRE].flatMap((pattern) =>
		[...text.matchAll(pattern)].flatMap(([, list = "", module = ""]) =>
			namesIn(list).map((name) => ({ name, module })),
		),
	);
}

function namesIn(list: string): string[] {
	return list
		.split(/[(){},\n]/)
		.flatMap((part) => /([\w$]+)\s*$/.exec(part)?.[1] ?? [])
		.filter((name) => name !== "type");
}

export function modulePlaces(file: string, module: string): string[] {
	return module.startsWith(".")
		? candidatesOf(path.posix.join(path.posix.dirname(file), module))
		: [];
}

export function pythonPlaces(file: string, module: string): string[] {
	const folder = path.posix.dirname(file);
	const dots = module.length - module.replace(/^\.+/, "").length;
	const name = module.slice(dots).replaceAll(".", "/");
	const up = Array.from({ length: Math.max(0, dots - 1) }, () => "..");
	const roots = dots > 0 ? [path.posix.join(folder, ...up)] : ["", folder, "tests", "test"];
	return roots.flatMap((root) =>
		[".py", "/__init__.py"].map((end) => path.posix.join(root, `${name}${end}`)),
	);
}

const LIBRARIES =
	/^(?:node:assert(?:\/strict)?|assert(?:\/strict)?|chai|uvu\/assert|expect|should|power-assert|tape|@std\/assert|jsr:@std\/assert)$/;

/**
 * Local names of assertion functions in a JavaScript or TypeScript file, from default, namespace and named imports and
 * from `require`.
 *
 * @example `import a, { equal as eq } from "node:assert"` gives `["a", "eq"]`
 */
export function assertionNames(text: string): string[] {
	const imported = moduleImports(text).filter(({ module }) => LIBRARIES.test(module));
	return [...new Set(imported.map(({ name }) => name))];
}

/** A module's name without the scheme of the runtime's own. */
export const plainModule = (module: string): string => module.replace(/^node:/, "");

const BINDS = [
	/^(?:export\s+)?(?:const|let|var|class|(?:async\s+)?(?:function\s*\*?|def))\s+([\w$]+)/,
	/^(?:const|let|var)\s*[{[]([^=]*)[}\]]\s*=/,
	/^([\w$]+)\s*=(?![=>])/,
	/^(?:function\s+)?([\w-]+)\s*\(\)\s*\{/,
];

export function boundBy(line: string): string[] {
	return BINDS.flatMap((pattern) => namesIn(pattern.exec(line)?.[1] ?? ""));
}

const SETS =
	/^([\w$]+)(?:\s*(?:\.\s*[\w$]+|\[[^\]]*\]))*?(?:\s*(?:\.\s*[\w$]+|\[[^\]]*\])\s*(?:\*\*|\|\||&&|\?\?|[-+*/|&])?=(?![=>])|\s*\.\s*(?:update|clear|pop|popitem|setdefault|set|extend)\s*\()|^(?:setattr|Object\s*\.\s*(?:assign|definePropert(?:y|ies)|setPrototypeOf)|Reflect\s*\.\s*(?:set|defineProperty))\s*\(\s*([\w$]+)/;

/** The name of which a line changes a part: `FACTORS` of `FACTORS.update(...)`; null when it changes none. */
export function changedBy(line: string): string | null {
	const [, changed, given] = SETS.exec(line) ?? [];
	return changed ?? given ?? null;
}

const ENDINGS = [".js", ".json", ".mjs", ".cjs", ".ts", ".mts", ".cts", ".tsx", ".sh", ".py"];
const INSIDE = ["/package.json", "/index.js", "/index.mjs", "/index.cjs", "/index.ts"];

const TARGETS =
	/(?:\bfrom\s*|\bimport\s*(?:\(\s*)?|\brequire\s*\(\s*|\bnew URL\(\s*)["'`](\.{1,2}\/[^"'`\n]+)["'`]/g;
const PYTHON_TARGETS = /^[ \t]*(?:from\s+(\.*[\w.]*)\s+import\b|import\s+([\w., \t]+))/gm;

/**
 * The files that a module name can refer to, in the order in which a runtime tries them: the name itself, with an
 * extension, then inside the directory with that name. In TypeScript `./a.js` may be `a.ts`.
 */
export function candidatesOf(name: string): string[] {
	const file = path.posix.normalize(name).replace(/\/$/, "");
	const typed = /\.[cm]?js$/.test(file) ? [file.replace(/js$/, "ts")] : [];
	return [file, ...typed, ...[...ENDINGS, ...INSIDE].map((ending) => `${file}${ending}`)];
}

export function moduleTargets(file: string, text: string): string[][] {
	return [...text.matchAll(TARGETS)].map(([, name = ""]) =>
		candidatesOf(path.posix.join(path.posix.dirname(file), name)),
	);
}

export function pythonTargets(file: string, text: string): string[][] {
	const names = [...text.matchAll(PYTHON_TARGETS)].flatMap(([, from, plain = ""]) =>
		from === undefined ? plain.split(",").map((name) => name.trim().replace(/\s.*$/, "")) : [from],
	);
	return names
		.filter((name) => name !== "")
		.map((name) => pythonFiles(path.posix.dirname(file), name));
}

function pythonFiles(directory: string, name: string): string[] {
	const dots = name.length - name.replace(/^\.+/, "").length;
	const up = Array.from({ length: Math.max(0, dots - 1) }, () => "..");
	const parts = name.slice(dots).split(".").filter(Boolean);
	const place = path.posix.join(directory, ...up, ...parts);
	return [`${place}/__init__.py`, `${place}.py`];
}
