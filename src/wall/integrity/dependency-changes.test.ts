import { describe, expect, test } from "vitest";
import { asked, type Files } from "./inspect.fixture.ts";

const refused = async (base: Files, head: Files) =>
	(await asked(base, { ...base, ...head })).filter((one) => one.startsWith("dependency_replaced"));

/** A lock file of a format with one package: its version, the place that it comes from, and its hash. */
interface Format {
	readonly file: string;
	readonly manifest: string;
	readonly lock: (version: string, place: string, hash: string) => string;
}

const FORMATS: readonly Format[] = [
	{
		file: "package-lock.json",
		manifest: "package.json",
		lock: (version, place, hash) =>
			JSON.stringify(
				{
					packages: {
						"": {},
						"node_modules/pad": {
							version,
							resolved: `https://${place}/pad/-/pad-${version}.tgz`,
							integrity: `sha512-${hash}`,
						},
					},
				},
				null,
				2,
			),
	},
	{
		file: "yarn.lock",
		manifest: "package.json",
		lock: (version, place, hash) =>
			`# yarn lockfile v1\n\n\npad@^1.0.0:\n  version "${version}"\n  resolved "https://${place}/pad/-/pad-${version}.tgz#${hash}"\n  integrity sha512-${hash}\n`,
	},
	{
		file: "web/yarn.lock",
		manifest: "web/package.json",
		lock: (version, place, hash) =>
			`__metadata:\n  version: 8\n\n"pad@npm:^1.0.0":\n  version: ${version}\n  resolution: "pad@https://${place}/pad/-/pad-${version}.tgz"\n  checksum: ${hash}\n`,
	},
	{
		file: "pnpm-lock.yaml",
		manifest: "package.json",
		lock: (version, place, hash) =>
			`lockfileVersion: '9.0'\npackages:\n  pad@${version}:\n    resolution: {integrity: sha512-${hash}, tarball: https://${place}/pad/-/pad-${version}.tgz}\n`,
	},
	{
		file: "Cargo.lock",
		manifest: "Cargo.toml",
		lock: (version, place, hash) =>
			`version = 3\n\n[[package]]\nname = "pad"\nversion = "${version}"\nsource = "registry+https://${place}/index"\nchecksum = "${hash}"\n`,
	},
	{
		file: "uv.lock",
		manifest: "pyproject.toml",
		lock: (version, place, hash) =>
			`version = 1\n\n[[package]]\nname = "pad"\nversion = "${version}"\nsource = { registry = "https://${place}/simple" }\nwheels = [\n  { url = "https://${place}/pad.whl", hash = "sha256:${hash}" },\n]\n`,
	},
];

const [HOME, OTHER] = ["registry.example", "evil.example"];
const [SEAL, OTHER_SEAL] = ["a".repeat(64), "b".repeat(64)];

describe.each(FORMATS)("$file", ({ file, manifest, lock }) => {
	const was = lock("1.0.0", HOME, SEAL);
	const follows = { [manifest]: '[project]\nversion = "2.0.0"\n' };
	const change = (now: string, more: Files = {}) =>
		refused({ [file]: was, [manifest]: "1" }, { [file]: now, ...more });
	const told = [`dependency_replaced ${file}`];

	test("may follow its manifest to another version", async () => {
		expect(await change(lock("1.0.1", HOME, OTHER_SEAL), follows)).toEqual([]);
	});

	test("is asked about where it names another version without its manifest", async () => {
		expect(await change(lock("1.0.1", HOME, OTHER_SEAL))).toEqual(told);
	});

	test("is asked about where it names another content for a version, whatever the manifest says", async () => {
		expect(await change(lock("1.0.0", HOME, OTHER_SEAL), follows)).toEqual(told);
	});

	test("is asked about where a version comes from another place, whatever the manifest says", async () => {
		expect(await change(lock("1.0.1", OTHER, OTHER_SEAL), follows)).toEqual(told);
	});

	test("may be new, and may be laid out in another way", async () => {
		expect(await refused({}, { [file]: was })).toEqual([]);
		expect(await change(`${was}\n`)).toEqual([]);
	});
});

test("a lock that cannot be read is no reason to fail", async () => {
	const broken = { "package-lock.json": "{", "pnpm-lock.yaml": "a: [", "yarn.lock": "\0" };
	expect(await refused(broken, { "yarn.lock": "x" })).toEqual(["dependency_replaced yarn.lock"]);
});

describe("what a project depends on", () => {
	const of = (devDependencies: Files, more: object = {}) =>
		JSON.stringify({ scripts: { test: "vitest run" }, devDependencies, ...more });
	const base = { "package.json": of({ vitest: "^1.0.0", own: "workspace:*", alias: "npm:a@1" }) };
	const change = (dependencies: Files, more = {}) =>
		refused(base, {
			"package.json": of({ own: "workspace:*", alias: "npm:a@1", ...dependencies }, more),
		});
	const told = ["dependency_replaced package.json"];

	test.each([
		"file:./fake",
		"link:../x",
		"portal:x",
		"workspace:*",
		"git+https://example.org/x.git",
		"https://example.org/x.tgz",
		"npm:other@1",
		"someone/fork#main",
		"./fake",
	])("a known package that now comes from %s is asked about", async (place) => {
		expect(await change({ vitest: place })).toEqual(told);
		expect(await change({ vitest: "^1.0.0" }, { overrides: { vitest: place } })).toEqual(told);
		const pnpm = { pnpm: { overrides: { "a>vitest": place } } };
		expect(await change({ vitest: "^1.0.0" }, pnpm)).toEqual(told);
	});

	test("new packages, other versions and addresses of the project are not", async () => {
		expect(await change({ vitest: "^2.0.0", more: "1.0.0", mine: "workspace:*" })).toEqual([]);
		const described = { homepage: "https://example.org", repository: { url: "git+https://x.org" } };
		expect(await change({ vitest: "^1.0.0" }, described)).toEqual([]);
		const toml = { "pyproject.toml": '[project]\nname = "a"\n' };
		const more = { "pyproject.toml": '[project]\nname = "a"\ndependencies = ["b>=1"]\n' };
		expect(await refused(toml, more)).toEqual([]);
	});

	test.each([
		["requirements.txt", "a==1\n", "a==1\n--index-url https://evil.example/simple\n"],
		["requirements.txt", "a==1\n", "a @ git+https://example.org/a\n"],
		["Cargo.toml", 'a = "1"\n', 'a = { git = "https://example.org/a" }\n'],
		["Gemfile", 'gem "pad"\n', 'gem "pad"\nsource "https://evil.example"\n'],
	])("%s: another place is asked about", async (file, had, has) => {
		expect(await refused({ [file]: had }, { [file]: has })).toEqual([
			`dependency_replaced ${file}`,
		]);
	});

	test("code that an installation runs is asked about", async () => {
		const setup = "from setuptools import setup\n\nsetup()\n";
		const head = { "setup.py": `${setup}import os\n` };
		expect(await refused({ "setup.py": setup }, head)).toEqual(["dependency_replaced setup.py"]);
	});

	test("a program of a package of the repository is asked about where a command runs its name", async () => {
		const nested = (more: object) => refused(base, { "fake/package.json": JSON.stringify(more) });
		expect(await nested({ name: "fake", bin: { node: "x.js" } })).toHaveLength(1);
		expect(await nested({ name: "@x/vitest", bin: "x.js" })).toHaveLength(1);
		expect(await nested({ name: "own", bin: { own: "x.js" } })).toEqual([]);
	});
});
