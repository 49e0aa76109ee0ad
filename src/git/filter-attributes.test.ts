import { execFileSync } from "node:child_process";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { type AttributesFile, filterAttributes } from "./filter-attributes.ts";
import { type Files, git, scratchDirectory, writeFiles } from "./scratch.fixture.ts";

function attributeFiles(files: Files): AttributesFile[] {
	return Object.entries(files).map(([path, content]) => ({
		path: Buffer.from(path),
		content: Buffer.from(content),
	}));
}

/** What git says of `filter` for each path, as `path: value`. */
function said(dir: string, paths: readonly string[]): string[] {
	const output = execFileSync("git", ["check-attr", "-z", "--stdin", "filter"], {
		cwd: dir,
		input: paths.map((path) => `${path}\0`).join(""),
		stdio: ["pipe", "pipe", "ignore"],
	});
	const fields = output.toString("utf8").split("\0");
	return paths.map((path, index) => {
		const value = fields[index * 3 + 2] ?? "";
		return `${path}: ${value === "unspecified" ? "unset" : value}`;
	});
}

const PATHS = [
	"a.bin",
	"a.BIN",
	"#a.bin",
	"with space.bin",
	'quo"te.bin',
	"tab\there",
	"ä.bin",
	"sub/a.bin",
	"sub/deep/a.bin",
	"sub/deep/b.dat",
	"sub/b.dat",
	"b.dat",
	"s*b/a.bin",
	"s[b]/a.bin",
	"sxb/a.bin",
	"sub/x/y/z.psd",
	"x/y/z.psd",
	"doc/readme",
	"sub/doc/readme",
	"[attr]x",
	"!neg",
	"back\\slash",
];

const CASES: [name: string, files: Files][] = [
	["a plain pattern", { ".gitattributes": "*.bin filter=lfs diff=lfs merge=lfs -text\n" }],
	[
		"patterns with slashes",
		{ ".gitattributes": "/a.bin filter=one\nsub/*.bin filter=two\ndoc/ filter=no\n" },
	],
	[
		"nested files",
		{ "sub/.gitattributes": "*.bin filter=n\n/b.dat filter=top\ndeep/*.dat filter=deep\n" },
	],
	[
		"inner above outer",
		{
			".gitattributes": "*.bin filter=o\n",
			"sub/.gitattributes": "*.bin -filter\n",
			"sub/deep/.gitattributes": "a.bin filter=d\n",
		},
	],
	[
		"unset and unspecified",
		{ ".gitattributes": "* filter=all\n*.bin !filter\n*.dat -filter\n*.psd filter\n" },
	],
	[
		"later lines first",
		{ ".gitattributes": "*.bin filter=one\n*.bin filter=two -filter filter=three\n" },
	],
	[
		"macros",
		{
			".gitattributes":
				"[attr]big filter=lfs -text\n[attr]bigger big x=1\n*.bin bigger\n*.dat big\n",
			"sub/.gitattributes": "*.bin -big\n*.dat !big\n",
		},
	],
	["macros of one name", { ".gitattributes": "[attr]m filter=one\n*.bin m\n[attr]m filter=two\n" }],
	[
		"a macro that lost its filter",
		{ ".gitattributes": "[attr]m filter=one\n*.bin m\n[attr]m -text\n" },
	],
	[
		"macros that lead to each other",
		{ ".gitattributes": "[attr]m n filter=one\n[attr]n m\n*.bin n\n" },
	],
	["a macro in a nested file", { "sub/.gitattributes": "[attr]m filter=one\n*.bin m\n" }],
	["a macro with a value", { ".gitattributes": "[attr]m filter=one\n*.bin m=2\n*.dat m\n" }],
	[
		"quoted patterns",
		{
			".gitattributes":
				'"with space.bin" filter=q\n"quo\\"te.bin" filter=q\n"tab\\there" filter=t\n"#a.bin" filter=h\n"\\303\\244.bin" filter=u\n',
		},
	],
	["a quote without an end", { ".gitattributes": '"a.bin filter=q\n"\\q" filter=q\n' }],
	[
		"folders with pattern characters",
		{ "s*b/.gitattributes": "*.bin filter=star\n", "s[b]/.gitattributes": "*.bin filter=set\n" },
	],
	[
		"comments, blanks, negative patterns and a byte order mark",
		{
			".gitattributes":
				"\ufeff*.bin filter=bom\r\n# *.dat filter=x\n\n  \t*.psd\tfilter=blank \r\n!neg filter=neg\n\\!neg filter=escaped\n",
		},
	],
	[
		"stars across folders",
		{
			".gitattributes": "sub/** filter=all\n**/z.psd filter=z\n",
			"sub/.gitattributes": "**/deep/* filter=deep\n",
		},
	],
	[
		"names that are not valid",
		{ ".gitattributes": "*.bin filter=one in%valid\n*.dat -=x filter=two\n*.psd -filter=x\n" },
	],
	["lines that are too long", { ".gitattributes": `*.bin filter=one ${"x".repeat(2_100)}\n` }],
	["a backslash", { ".gitattributes": "back\\\\slash filter=b\n" }],
];

test.each(CASES)("%s: git treats the lines like the files", (_name, files) => {
	const dir = scratchDirectory();
	git(dir, "init", "-q");
	writeFiles(dir, files);
	const expected = said(dir, PATHS);
	const { lines } = filterAttributes(attributeFiles(files));
	for (const path of Object.keys(files)) rmSync(join(dir, path));
	mkdirSync(join(dir, ".git/info"), { recursive: true });
	writeFileSync(join(dir, ".git/info/attributes"), lines);
	expect(said(dir, PATHS)).toEqual(expected);
	// Whatever somebody writes afterwards has no say.
	writeFiles(dir, {
		".gitattributes":
			"[attr]sparring-base-m filter=evil\n[attr]sparring-base-big filter=evil\n* filter=evil\n*.bin -filter\n",
		"sub/.gitattributes": "* filter=evil\n",
	});
	expect(said(dir, PATHS)).toEqual(expected);
});

test("a filter is reported where it is first named", () => {
	const files = {
		"sub/.gitattributes": "*.x filter=b\n",
		".gitattributes": "# c\n*.y filter=a\n*.z filter=b\n",
	};
	expect(filterAttributes(attributeFiles(files)).filters).toEqual([
		{ name: "a", file: ".gitattributes", line: 2 },
		{ name: "b", file: ".gitattributes", line: 3 },
	]);
});
