import { describe, expect, test } from "vitest";
import { type Files, inspect } from "./inspect.fixture.ts";

const violations = async (base: Files, head: Files) => (await inspect(base, head)).violations;

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
			JSON.stringify({
				packages: {
					"": {},
					"node_modules/pad": {
						version,
						resolved: `https://${place}/pad/-/pad-${version}.tgz`,
						integrity: hash,
					},
				},
			}),
	},
	{
		file: "yarn.lock",
		manifest: "package.json",
		lock: (version, place, hash) =>
			`# yarn lockfile v1\n\n\npad@^1.0.0:\n  version "${version}"\n  resolved "https://${place}/pad/-/pad-${version}.tgz#${hash}"\n  integrity ${hash}\n`,
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
			`lockfileVersion: '9.0'\npackages:\n  pad@${version}:\n    resolution: {integrity: ${hash}, tarball: https://${place}/pad/-/pad-${version}.tgz}\n`,
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

describe.each(FORMATS)("$file", ({ file, manifest, lock }) => {
	const was = lock("1.0.0", HOME, "aaaa");
	const change = (now: string, more: Files = {}) =>
		violations({ [file]: was, [manifest]: "1" }, { [file]: now, [manifest]: "1", ...more });

	test("may follow its manifest to another version", async () => {
		expect(await change(lock("1.0.1", HOME, "bbbb"), { [manifest]: "2" })).toEqual([]);
	});

	test("may not name another version without its manifest", async () => {
		const [found] = await change(lock("1.0.1", HOME, "bbbb"));
		expect(found).toContain(`${file}: it was changed (`);
		expect(found).toContain("and no manifest was; restore it");
	});

	test("may not name another content for a version, whatever the manifest says", async () => {
		const [found] = await change(lock("1.0.0", HOME, "bbbb"), { [manifest]: "2" });
		expect(found).toContain("was replaced; restore its entry");
	});

	test("may not take a version from another place, whatever the manifest says", async () => {
		const [found] = await change(lock("1.0.1", OTHER, "bbbb"), { [manifest]: "2" });
		expect(found).toContain("comes from another place; restore its entry");
	});

	test("may be new, and may change in what names no package", async () => {
		expect(await violations({}, { [file]: was })).toEqual([]);
		expect(await change(`${was}\n`)).toEqual([]);
	});
});

test("a lock whose entries are not known may change with its manifest alone", async () => {
	const [base, head] = [{ "Gemfile.lock": "pad (1.0.0)" }, { "Gemfile.lock": "pad (1.0.1)" }];
	expect(await violations(base, head)).toEqual([
		"Gemfile.lock: it was changed, and no manifest was; restore it",
	]);
	const gems = { Gemfile: 'gem "pad"\n' };
	expect(
		await violations({ ...base, ...gems }, { ...head, Gemfile: 'gem "pad", "1.0.1"\n' }),
	).toEqual([]);
});

test("a lock that cannot be read is no reason to fail", async () => {
	const broken = { "package-lock.json": "{", "pnpm-lock.yaml": "a: [", "yarn.lock": "\0" };
	await expect(violations(broken, { ...broken, "yarn.lock": "x" })).resolves.toEqual([]);
});

describe("what an installation or a build runs", () => {
	const SETUP = 'from setuptools import setup\n\nsetup(\n    name="pad",\n)\n';

	test.each([
		["setup.py", SETUP, `${SETUP}\nimport os\n`],
		["setup.py", SETUP, SETUP.replace("name=", 'cmdclass={"install": Install},\n    name=')],
		["setup.py", SETUP, `${SETUP}exec(open("x").read())\n`],
		["build.rs", "fn main() {}\n", 'fn main() {\n    std::process::Command::new("sh");\n}\n'],
		["Gemfile", 'gem "pad"\n', 'gem "pad"\nsystem("sh x")\n'],
		["Gemfile", 'gem "pad"\n', 'gem "pad", path: "vendor/pad"\n'],
		["Gemfile", 'gem "pad"\n', 'gem "pad"\nsource "https://evil.example"\n'],
	])("%s may not run more", async (file, base, head) => {
		const [found] = await violations({ [file]: base }, { [file]: head });
		expect(found).toContain(`${file}: line `);
		expect(found).toContain("an installation or a build runs this code");
	});

	test.each([
		[
			"setup.py",
			SETUP,
			SETUP.replace(")", '    version="1.1.0",\n    install_requires=["a>=1"],\n)'),
		],
		["setup.py", SETUP, SETUP.replace(")", '    long_description=open("README.md").read(),\n)')],
		["setup.py", SETUP, SETUP.replace(")", "    packages=find_packages(),\n)")],
		["Gemfile", 'gem "pad"\n', 'gem "pad"\ngem "rake", "~> 13.0", require: false\n'],
		["pad.gemspec", "", 's.add_dependency "a", "~> 1.0"\n'],
	])("%s may describe more", async (file, base, head) => {
		expect(await violations({ [file]: base }, { [file]: head })).toEqual([]);
	});
});
