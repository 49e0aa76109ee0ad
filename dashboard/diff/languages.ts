const BY_ENDING: Readonly<Record<string, string>> = {
	ts: "typescript",
	tsx: "typescript",
	mts: "typescript",
	cts: "typescript",
	js: "typescript",
	jsx: "typescript",
	mjs: "typescript",
	cjs: "typescript",
	py: "python",
	pyi: "python",
	go: "go",
	rs: "rust",
	java: "java",
	kt: "kotlin",
	kts: "kotlin",
	rb: "ruby",
	php: "php",
	c: "cpp",
	h: "cpp",
	cc: "cpp",
	cpp: "cpp",
	hpp: "cpp",
	cs: "csharp",
	sh: "bash",
	bash: "bash",
	sql: "sql",
	json: "json",
	jsonc: "json",
	yaml: "yaml",
	yml: "yaml",
	toml: "ini",
	ini: "ini",
	html: "xml",
	xml: "xml",
	svg: "xml",
	md: "markdown",
};

/** The language of a file by its ending; null: it stays without colours. */
export function languageOf(path: string): string | null {
	const ending = path.slice(path.lastIndexOf(".") + 1).toLowerCase();
	return Object.hasOwn(BY_ENDING, ending) ? (BY_ENDING[ending] ?? null) : null;
}
