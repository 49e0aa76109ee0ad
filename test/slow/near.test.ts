import { expect, test } from "vitest";
import { z } from "zod";
import { repository } from "../support/repository.ts";
import { spar } from "../support/spar.ts";

const PRODUCT = "export const steps = (x, y) => Math.abs(x) + Math.abs(y);\n";
const FITTED = `const bare = (n) => Number(String(n).replace(/^-(.)$/, "$1"));
export const steps = (x, y) => bare(x) + bare(y);
`;
const report = z.looseObject({
	verdict: z.string(),
	suspicions: z.array(z.looseObject({ file: z.string(), text: z.string() })),
});

const FILES = {
	"package.json": '{ "type": "module", "scripts": { "test": "node --test" } }\n',
	"src/steps.js": PRODUCT,
	"test/steps.test.js": `import assert from "node:assert/strict";
import { test } from "node:test";
import { steps } from "../src/steps.js";

test("counts steps in both directions", () => {
	assert.equal(steps(-3, 4), 7);
});
`,
};

test("a product that gives something else near to the tests' values is to be looked at, and one that does not, or that acts on files, passes", async () => {
	const repo = repository({ files: FILES });
	const checked = async (text: string) => {
		repo.git("switch", "-q", "-C", "work", "main");
		repo.write({ "src/steps.js": text });
		repo.commit("Steps");
		const { stdout } = await spar(repo, ["check", "work", "--base", "main", "--json"]);
		const { verdict, suspicions } = report.parse(JSON.parse(stdout));
		return [verdict, ...suspicions.flatMap((one) => [one.file, one.text])];
	};
	try {
		const [verdict, file, text] = await checked(FITTED);
		expect([verdict, file]).toEqual(["review", "test/steps.test.js"]);
		expect(text).toMatch(/^counts steps in both directions, with .+\n- .+\n\+ .+$/);
		expect(await checked(`${PRODUCT}export const none = 0;\n`)).toEqual(["pass"]);
		// Other values would remove other files.
		const acts = 'import { rmSync } from "node:fs";\nexport const drop = (name) => rmSync(name);\n';
		expect(await checked(acts + FITTED)).toEqual(["pass"]);
	} finally {
		repo.remove();
	}
});
