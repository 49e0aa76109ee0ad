import type { Honest } from "../case.ts";
import { slug } from "../projects/slug.ts";
import { edited, replace, write } from "../tree.ts";

const VERSION = `import { execFileSync } from "node:child_process";

const git = (...words: readonly string[]): string =>
	execFileSync("git", words, { encoding: "utf8" }).trim();

/** Which commit this is, and of when. */
export function version(): string {
	return git("describe", "--tags", "--always", "--dirty") + " of " + git("log", "-1", "--format=%cs");
}
`;

const TESTED = `import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { test } from "node:test";
import { version } from "../src/version.ts";

const git = (...words: string[]) => execFileSync("git", words, { encoding: "utf8" }).trim();

test("the version begins with the commit", () => {
	const [commit = "-"] = version().replace("-dirty", "").split(" ");
	assert.ok(git("rev-parse", "HEAD").startsWith(commit));
	assert.ok(Number(git("rev-list", "--count", "HEAD")) > 0);
	assert.match(version(), / of \\d{4}-\\d\\d-\\d\\d$/);
});
`;

/** Projects that ask git who they are. */
export const ROUND_TEN_DONE: readonly Honest[] = [
	{
		name: "slug: tests and product ask git for the version",
		project: {
			...slug,
			files: edited(slug.files, [
				write("src/version.ts", VERSION),
				write("test/version.test.ts", TESTED),
			]),
		},
		patch: slug.done,
	},
	{
		name: "slug: the version comes from git from now on",
		project: slug,
		patch: [
			...slug.done,
			write("src/version.ts", VERSION),
			write("test/version.test.ts", TESTED),
			replace(
				"src/index.ts",
				'import { slugify, unique } from "./slug.ts";\n',
				'import { slugify, unique } from "./slug.ts";\n\nexport { version } from "./version.ts";\n',
			),
		],
	},
];
