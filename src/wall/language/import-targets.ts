import path from "node:path";

const ENDINGS = [".js", ".json", ".mjs", ".cjs", ".ts", ".mts", ".cts", ".tsx", ".sh", ".py"];
const INSIDE = ["/package.json", "/index.js", "/index.mjs", "/index.cjs", "/index.ts"];

const IMPORTS =
	/(?:\bfrom\s*|\bimport\s*(?:\(\s*)?|\brequire\s*\(\s*|\bnew URL\(\s*)["'`](\.{1,2}\/[^"'`\n]+)["'`]/g;
const PYTHON_IMPORTS = /^[ \t]*(?:from\s+(\.*[\w.]*)\s+import\b|import\s+([\w., \t]+))/gm;

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
	return [...text.matchAll(IMPORTS)].map(([, name = ""]) =>
		candidatesOf(path.posix.join(path.posix.dirname(file), name)),
	);
}

export function pythonTargets(file: string, text: string): string[][] {
	const names = [...text.matchAll(PYTHON_IMPORTS)].flatMap(([, from, plain = ""]) =>
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
