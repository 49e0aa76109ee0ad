import { expect, test } from "vitest";
import { readsOnlyInputs, saysHowToInstall } from "./reads-inputs.ts";

const manifest = (content: object) => [
	{ path: "packages/a/package.json", text: JSON.stringify(content) },
];

test.each([
	[["npm ci"]],
	[["npm ci --no-audit --cache=/tmp/c"]],
	[["cd web && npm install", "corepack enable && pnpm install --frozen-lockfile"]],
	[["yarn"]],
	[["bundle install"]],
])("%j installs what the inputs say", (commands) => {
	expect(readsOnlyInputs(commands, manifest({ scripts: { test: "vitest", build: "tsc" } }))).toBe(
		true,
	);
});

test.each([
	[["npm ci", "npx prisma generate"]],
	[["npm ci && npm run build"]],
	[["npm ci & cp a node_modules"]],
	[["npm ci > node_modules/log"]],
	[["npm install $(cat packages.txt)"]],
	[["sh install.sh"]],
	[["make deps"]],
])("%j may read anything", (commands) => {
	expect(readsOnlyInputs(commands, [])).toBe(false);
});

test.each(["preinstall", "install", "postinstall", "prepare", "postprepare", "prepublish"])(
	"a package of the project whose %s script runs may read anything",
	(name) => {
		const files = manifest({ scripts: { [name]: "patch-package" } });
		expect(readsOnlyInputs(["npm ci"], files)).toBe(false);
		expect(readsOnlyInputs(["npm ci --ignore-scripts"], files)).toBe(true);
	},
);

test("a folder of the project is copied by all but npm, which links it unless told otherwise", () => {
	const files = manifest({ dependencies: { dep: "file:../dep" } });
	expect(readsOnlyInputs(["npm ci"], files)).toBe(true);
	expect(readsOnlyInputs(["npm ci --install-links"], files)).toBe(false);
	expect(readsOnlyInputs(["yarn"], files)).toBe(false);
	const configured = [...files, { path: ".npmrc", text: "install-links=true\n" }];
	expect(readsOnlyInputs(["npm ci"], configured)).toBe(false);
});

test("a manifest that cannot be read says nothing", () => {
	expect(readsOnlyInputs(["npm ci"], [{ path: "package.json", text: "{" }])).toBe(false);
	expect(readsOnlyInputs(["npm ci"], [{ path: "package.json", text: "null" }])).toBe(true);
});

test("the files that are asked for", () => {
	const paths = ["a/package.json", ".npmrc", "package-lock.json", "src/a.ts"];
	expect(paths.filter(saysHowToInstall)).toEqual(["a/package.json", ".npmrc"]);
});
