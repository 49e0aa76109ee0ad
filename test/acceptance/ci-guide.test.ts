import { spawnSync } from "node:child_process";
import { cpSync, existsSync, readFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { expect, test } from "vitest";
import { parse } from "yaml";
import { z } from "zod";
import { loadWorkflow } from "../../src/workflow/load.ts";
import { thorough } from "../support/amount.ts";
import { PROGRAM } from "../support/program.ts";
import { repository } from "../support/repository.ts";

const PAGE = readFileSync("docs/user-guide/ci.md", "utf8");
const [ACTIONS = "", EXCERPT = ""] = [...PAGE.matchAll(/^```yaml\n([\s\S]*?)\n```$/gm)].map(
	([, text = ""]) => text,
);

const inputs = z.looseObject({ inputs: z.record(z.string(), z.unknown()) });

test("the workflow of the guide is ten lines, with the rights and the history that the action needs", () => {
	expect(ACTIONS.split("\n")).toHaveLength(10);
	const { version } = z
		.object({ version: z.string() })
		.parse(JSON.parse(readFileSync("package.json", "utf8")));
	expect(parse(ACTIONS)).toEqual({
		name: "Sparring",
		// With this event a fork's job has no secrets, and a token that reads.
		on: "pull_request",
		permissions: { contents: "read", "pull-requests": "write", "security-events": "write" },
		jobs: {
			check: {
				"runs-on": "ubuntu-latest",
				steps: [
					{
						uses: "actions/checkout@v5",
						with: { "fetch-depth": 0, "persist-credentials": false },
					},
					{ uses: `your-org/sparring@v${version}` },
				],
			},
		},
	});
});

test("the guide names every input of the action", () => {
	const known = inputs.parse(parse(readFileSync("action.yml", "utf8"))).inputs;
	const [, list = ""] = /Inputs:\n\n([\s\S]*?)\n\n/.exec(PAGE) ?? [];
	const told = [...list.matchAll(/(?:^- |, |; )((?:`\w+`(?:, )?)+):/gm)].flatMap(([, names = ""]) =>
		[...names.matchAll(/`(\w+)`/g)].map(([, name]) => name),
	);
	expect(new Set(told)).toEqual(new Set(Object.keys(known)));
});

test("the keys of the workflow file that the guide shows are known", () => {
	const content = `${EXCERPT}\nversion: 1\nname: x\ntasks: { a: { agent: dev, description: A. } }\n`;
	const { errors } = loadWorkflow({ content, file: "sparring.yaml", directory: "/repository" });
	expect(errors).toEqual([]);
});

thorough(
	"what the guide says of a run on a runner works, with recorded agents and a remote on this disk",
	() => {
		const repo = repository();
		try {
			cpSync("examples/01-rate-limiter", repo.root, { recursive: true });
			repo.commit("Start");
			const bare = join(repo.home, "bare.git");
			repo.git("init", "--quiet", "--bare", "--template=", bare);
			repo.git("remote", "add", "origin", bare);
			repo.git("push", "--quiet", "origin", "main");
			repo.write({ "../bin/spar": `#!/bin/sh\nexec node "${PROGRAM}" "$@"\n` });
			const summary = join(repo.home, "summary.md");
			const env = {
				...repo.env,
				PATH: [join(repo.home, "bin"), repo.env["PATH"]].join(delimiter),
				CI: "true",
				GITHUB_ACTIONS: "true",
				GITHUB_STEP_SUMMARY: summary,
			};
			const formats = ["junit", "sarif", "html"];
			const script = [
				"spar run",
				...formats.map((format) => `spar report --format ${format} --output out.${format}`),
				"spar land --pr",
			].join("\n");
			const args = ["--noprofile", "--norc", "-eo", "pipefail", "-c", script];
			const ran = spawnSync("bash", args, { cwd: repo.root, env, encoding: "utf8" });
			expect(ran.status, ran.stderr).toBe(0);
			expect(readFileSync(summary, "utf8")).toContain("## rate-limiter: completed");
			for (const format of formats)
				expect(existsSync(join(repo.root, `out.${format}`)), format).toBe(true);
			expect(ran.stdout).toMatch(/^pushed sparring\/.*\/integration to origin/m);
		} finally {
			repo.remove();
		}
	},
);
