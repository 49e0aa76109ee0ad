import { describe, expect, test } from "vitest";
import { z } from "zod";
import { openSparring } from "../../src/library/open-sparring.ts";
import { sampled } from "../support/amount.ts";
import { mcpClient } from "../support/mcp.ts";
import { type Files, repository, type TestRepository } from "../support/repository.ts";
import { spar } from "../support/spar.ts";

/** The part of a report that is the same through whichever door it comes; `none` where nothing can be judged. */
const judgement = z.object({
	verdict: z.enum(["pass", "review", "fail", "none"]),
	base: z.string(),
	commit: z.string(),
	tree: z.string(),
	files: z.array(z.string()),
	checks: z.array(z.object({ name: z.string(), status: z.string(), failed: z.array(z.string()) })),
	integrity: z.object({ status: z.string(), violations: z.array(z.string()) }),
	suspicions: z.array(z.object({ id: z.string(), kind: z.string(), file: z.string() })),
	not_counted: z.array(z.object({ test: z.string(), why: z.string() })).optional(),
	next: z.array(z.string()),
});

type Judgement = z.infer<typeof judgement>;

/** What a door says of what is not committed in a repository: the judgement, or why there is none. */
type Door = (repo: TestRepository) => Promise<Judgement | string>;

/** The ways to `spar check`. Another one is a line here. */
const DOORS: Readonly<Record<string, Door>> = {
	"command line": async (repo) => {
		const { stdout, stderr } = await spar(repo, ["check", "--json"]);
		return stdout === "" ? stderr : judgement.parse(JSON.parse(stdout));
	},
	library: async (repo) => {
		const sparring = await openSparring({ directory: repo.root, env: repo.env });
		try {
			return judgement.parse(await sparring.check());
		} catch (error) {
			return String(error);
		} finally {
			sparring.close();
		}
	},
	"tool of an agent": async (repo) => {
		const { client, call } = await mcpClient(repo);
		try {
			const { isError, json, text } = await call("check");
			return isError ? text : judgement.parse(json);
		} finally {
			await client.close();
		}
	},
};

const stopAnswer = z.object({
	decision: z.literal("block").optional(),
	systemMessage: z.string().optional(),
});

/** What the Stop hook does where the command line says this: it blocks with a reason, shows, or is silent. */
async function stopHook(repo: TestRepository, said: Judgement | string): Promise<void> {
	const input = JSON.stringify({ session_id: "s", cwd: repo.root });
	const { stdout } = await spar(repo, ["check", "--hook", "stop"], { input });
	const { decision, systemMessage } = stdout === "" ? {} : stopAnswer.parse(JSON.parse(stdout));
	const verdict = typeof said === "string" ? "none" : said.verdict;
	expect(decision, `hook beside ${verdict}`).toBe(verdict === "fail" ? "block" : undefined);
	const isShown =
		typeof said === "string"
			? !/nothing/.test(said)
			: verdict === "review" || (verdict === "pass" && (said.not_counted ?? []).length > 0);
	expect(systemMessage === undefined, `hook beside ${verdict}`).toBe(!isShown);
}

const TEST = `import assert from "node:assert";
import test from "node:test";
import { add } from "../src/sum.js";
test("adds", () => {
	assert.equal(add(1, 2), 3);
	assert.equal(add(2, 2), 4);
});
`;
const OTHER = TEST.replace('"adds"', '"sums"');
const RUN = "node --test";

const workflow = (keys: object): string =>
	JSON.stringify({ version: 1, checks: { tests: RUN }, ...keys });

const BASE: Files = {
	"README.md": "# Sums\n",
	"package.json": '{ "type": "module", "scripts": { "test": "node --test" } }\n',
	"sparring.yaml": workflow({}),
	"src/sum.js": "export const add = (a, b) => a + b;\n",
	"test/sum.test.js": TEST,
	"test/other.test.js": OTHER,
};

interface Tree {
	/** In words for `none`: why nothing can be judged. */
	readonly verdict: Exclude<Judgement["verdict"], "none"> | RegExp;
	readonly work: Files;
	/** Files of the base beside or instead of the usual ones. */
	readonly base?: Files;
}

const broken = "export const add = (a, b) => a - b;\n";
const TREES: Readonly<Record<string, Tree>> = {
	"a feature with its test": {
		verdict: "pass",
		work: {
			"src/less.js": "export const less = (a, b) => a - b;\n",
			"test/less.test.js": TEST.replace("{ add }", "{ less }")
				.replace("sum.js", "less.js")
				.replace("add(1, 2), 3", "less(2, 1), 1")
				.replace("add(2, 2), 4", "less(2, 2), 0"),
		},
	},
	"a new file": { verdict: "pass", work: { "src/more.js": "export const one = 1;\n" } },
	"a text": { verdict: "pass", work: { "README.md": "# Sums of two\n" } },
	"a test that was red before": {
		verdict: "pass",
		base: { "test/red.test.js": TEST.replace('"adds"', '"knows"').replace("2), 3", "2), 5") },
		work: { "src/more.js": "export const one = 1;\n" },
	},
	"a red test": { verdict: "fail", work: { "src/sum.js": broken } },
	// It asks as exactly for something else: which of both is meant only a person can say.
	"a test that was fitted to broken work": {
		verdict: "review",
		work: {
			"src/sum.js": broken,
			"test/sum.test.js": TEST.replace("2), 3", "2), -1").replace("2), 4", "2), 0"),
			"test/other.test.js": OTHER.replace("2), 3", "2), -1").replace("2), 4", "2), 0"),
		},
	},
	"a skipped test": {
		verdict: "fail",
		work: { "test/sum.test.js": TEST.replace('test("adds"', 'test.skip("adds"') },
	},
	"a deleted test": { verdict: "fail", work: { "test/sum.test.js": null } },
	"another command behind the check": {
		verdict: "review",
		base: { "sparring.yaml": null },
		work: {
			"package.json":
				'{ "type": "module", "scripts": { "test": "node --test --test-timeout=9000" } }\n',
		},
	},
	"a checkout that cannot be set up": {
		verdict: /the setup/,
		base: { "sparring.yaml": workflow({ setup: ["false"] }) },
		work: { "src/more.js": "export const one = 1;\n" },
	},
	"no command that runs tests": {
		verdict: /no test command was found/,
		base: Object.fromEntries(
			Object.keys(BASE).map((path) => [path, path === "README.md" ? "# Text\n" : null]),
		),
		work: { "README.md": "# Another text\n" },
	},
	"no change": { verdict: /nothing to check/, work: {} },
};

const SAMPLE = ["a red test"];

describe("the command line, the library and an agent's tool say the same of", () => {
	test.each(Object.entries(sampled(TREES, SAMPLE)))("%s", async (_name, tree) => {
		const repo = repository({ files: { ...BASE, ...tree.base } });
		try {
			repo.write(tree.work);
			const told: (readonly [string, Judgement | string])[] = [];
			for (const [name, door] of Object.entries(DOORS)) told.push([name, await door(repo)]);
			const [first, ...others] = told;
			for (const [name, said] of told) {
				if (tree.verdict instanceof RegExp) expect(said, name).toMatch(tree.verdict);
				else expect(said, name).toMatchObject({ verdict: tree.verdict });
			}
			if (first !== undefined) await stopHook(repo, first[1]);
			if (typeof first?.[1] === "object")
				for (const [name, said] of others) expect(said, name).toEqual(first[1]);
		} finally {
			repo.remove();
		}
	});
});
