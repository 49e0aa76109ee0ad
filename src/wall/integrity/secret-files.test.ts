import { expect, test } from "vitest";
import { type Files, inspectWhole } from "./inspect.fixture.ts";

const suspected = async (
	head: Files,
	{
		base = {},
		told = [],
		allow = [],
	}: {
		readonly base?: Files;
		readonly told?: readonly string[];
		readonly allow?: readonly string[];
	} = {},
) => {
	const rules = {
		told,
		allow: allow.map((path) => ({ path, change: "edit" as const, reason: "asked for" })),
	};
	const { suspicions } = await inspectWhole(base, head, { rules });
	return suspicions.filter(({ rule }) => rule === "secret_file").map(({ file }) => file);
};

test.each([
	".env",
	"app/.env.production",
	".env.test",
	".envrc",
	"prod.env",
	"keys/server.pem",
	"server.KEY",
	"a.p12",
	"a.pfx",
	"id_rsa",
	".ssh/id_ed25519",
	".netrc",
	".git-credentials",
	"secrets.json",
	"client_secret_1.json",
	"credentials",
	"aws/credentials.json",
	"service-account-prod.json",
])("a new file %s is suspected by its name, and its content is not shown", async (file) => {
	const { suspicions } = await inspectWhole({}, { [file]: "hunter2" });
	expect(suspicions).toMatchObject([{ rule: "secret_file", file, line: null }]);
	expect(suspicions[0]?.text).not.toContain("hunter2");
});

test.each([
	".env.example",
	".env.local.sample",
	"env.js",
	"src/id_map.ts",
	"id_rsa.pub",
	"src/secrets.ts",
	"keyboard.js",
	"src/credentials.ts",
])("a new file %s is none", async (file) => {
	expect(await suspected({ [file]: "x" })).toEqual([]);
});

test("settings of a package manager are suspected by the line that holds a token", async () => {
	const settings = (token: string) => ({ ".npmrc": `//registry.example/:_authToken=${token}` });
	expect(await suspected(settings("abc"))).toEqual([".npmrc"]);
	expect(await suspected(settings("\u0024{NPM_TOKEN}"))).toEqual([]);
	expect(await suspected({ ".npmrc": "save-exact=true" })).toEqual([]);
});

test("a file that was there, or that moved, is no new one", async () => {
	expect(await suspected({ ".env": "B=1" }, { base: { ".env": "A=1" } })).toEqual([]);
	expect(await suspected({ "config/.env": "A=1" }, { base: { ".env": "A=1" } })).toEqual([]);
});

test("a file that the task names is none: by its path, by its name alone, or in `allow`", async () => {
	const head = { "config/.env": "A=1" };
	for (const told of ["Write config/.env.", "Read `.env`, please", "see ./config/.env"])
		expect(await suspected(head, { told: [told] }), told).toEqual([]);
	for (const told of ["Use process.env", "Read .env.example", "Write other/.env", "the env"])
		expect(await suspected(head, { told: [told] }), told).toEqual(["config/.env"]);
	expect(await suspected(head, { allow: ["config/**"] })).toEqual([]);
});

test("a value of a copied file is suspected wherever it is added, and not quoted", async () => {
	const rules = { secrets: ["heron-4711-blue"] };
	const { suspicions } = await inspectWhole(
		{ "old.txt": "heron-4711-blue\n" },
		{ "old.txt": "heron-4711-blue\nmore\n", "notes.txt": "KEY=heron-4711-blue\n", "b.txt": "b\n" },
		{ rules },
	);
	const found = suspicions.filter(({ rule }) => rule === "copied_secret");
	expect(found.map(({ file }) => file)).toEqual(["notes.txt"]);
	expect(JSON.stringify(found)).not.toContain("4711");
});
