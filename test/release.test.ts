import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { parse } from "yaml";
import { z } from "zod";

const read = (file: string): string => readFileSync(file, "utf8");
const RELEASE = read(".github/workflows/release.yml");

const step = z.strictObject({
	name: z.string().optional(),
	uses: z.string().optional(),
	run: z.string().optional(),
	with: z.record(z.string(), z.unknown()).optional(),
});
const job = z.strictObject({
	needs: z.string().optional(),
	"runs-on": z.string(),
	"timeout-minutes": z.number(),
	environment: z.string().optional(),
	permissions: z.record(z.string(), z.string()),
	steps: z.array(step),
});
const workflow = z.strictObject({
	name: z.string(),
	on: z.strictObject({ push: z.strictObject({ tags: z.array(z.string()) }) }),
	permissions: z.strictObject({}),
	jobs: z.strictObject({ package: job, publish: job }),
});
const { jobs } = workflow.parse(parse(RELEASE));

test("the job that may publish holds no secret, and runs nothing but npm on what the other one packed", () => {
	expect(jobs.package.permissions).toEqual({ contents: "read" });
	expect(jobs.publish).toMatchObject({ needs: "package", permissions: { "id-token": "write" } });
	const lines = jobs.publish.steps.flatMap(({ run = "" }) => run.split("\n").filter(Boolean));
	expect(lines.map((line) => line.split(" ").slice(0, 2).join(" "))).toEqual([
		"npm install",
		"npm publish",
	]);
	expect(lines.at(-1)).toContain("--provenance");
	expect(RELEASE).not.toMatch(/secrets\.|_TOKEN/);
});

test("npm is new enough to be trusted without a token, and each action is one exact commit", () => {
	const [, major = 0, minor = 0] = /npm@(\d+)\.(\d+)/.exec(RELEASE)?.map(Number) ?? [];
	expect(major * 1_000 + minor).toBeGreaterThan(11_005);
	const used = [jobs.package, jobs.publish].flatMap(({ steps }) =>
		steps.flatMap(({ uses }) => uses ?? []),
	);
	expect(used.length).toBeGreaterThan(3);
	expect(used.filter((action) => !/^actions\/[\w-]+@[0-9a-f]{40}$/.test(action))).toEqual([]);
});

test("the scripts that the workflow calls exist, and the tag is held against the version", () => {
	const scripts = [...RELEASE.matchAll(/npm run -s ([\w:-]+)/g)].map(([, name = ""]) => name);
	expect(scripts).toEqual(["check"]);
	expect(read("package.json")).toContain(`"${scripts[0]}": `);
	expect(RELEASE).toContain("GITHUB_REF_NAME");
});

test("the package brings what `spar init --agents` installs, and the plugin has its version", () => {
	const pack = ["pack", "--dry-run", "--json", "--ignore-scripts", "--offline"];
	const home = mkdtempSync(join(tmpdir(), "spar-pack-"));
	const env = { PATH: process.env["PATH"], HOME: home };
	const { stdout, stderr } = spawnSync("npm", pack, { encoding: "utf8", env });
	rmSync(home, { recursive: true });
	const listed = z.array(z.object({ files: z.array(z.object({ path: z.string() })) }));
	const [packed] = listed.parse(JSON.parse(stdout), { error: () => stderr });
	const paths = packed?.files.map(({ path }) => path);
	const wanted = ["skills/sparring/SKILL.md", "hooks/hooks.json", ".mcp.json"];
	expect(paths).toEqual(expect.arrayContaining(wanted.map((file) => `plugin/${file}`)));
	const version = z.object({ version: z.string() });
	const plugin = version.parse(JSON.parse(read("plugin/.claude-plugin/plugin.json")));
	expect(plugin).toEqual(version.parse(JSON.parse(read("package.json"))));
});

test("the changelog describes the version of the package first, and both locks name it", () => {
	const { version } = z.object({ version: z.string() }).parse(JSON.parse(read("package.json")));
	expect(/^## (\S+)$/m.exec(read("CHANGELOG.md"))?.[1]).toBe(version);
	const { packages } = z
		.object({ packages: z.record(z.string(), z.object({ version: z.string().optional() })) })
		.parse(JSON.parse(read("package-lock.json")));
	expect(packages[""]?.version).toBe(version);
	expect(read("man/spar.1")).toContain(`"sparring ${version}"`);
});
