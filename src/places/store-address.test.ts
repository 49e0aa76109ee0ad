import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { thorough } from "../../test/support/amount.ts";
import { repository, type TestRepository } from "../../test/support/repository.ts";
import { prepareRun } from "../drive/start-run.ts";
import { openSparring } from "../library/open-sparring.ts";
import { openMachines } from "../machines/open-machines.ts";
import { run } from "../store/record-builders.contract.ts";
import { namedStore, requireSameStore, usableStore } from "./store-address.ts";

const ADDRESS = "postgres://spar@db.example/sparring";
const SECRET = "postgres://spar:opensesame@db.example/sparring";

let root: string;
let repo: TestRepository | undefined;
beforeEach(() => {
	root = mkdtempSync(join(tmpdir(), "spar-store-address-"));
	repo = undefined;
});
afterEach(() => {
	rmSync(root, { recursive: true });
	repo?.remove();
});

const named = (text: string, env: Record<string, string> = {}): string | null => {
	writeFileSync(join(root, "sparring.yaml"), text);
	return namedStore(root, env).store;
};

test.each([
	`store: ${ADDRESS}\n`,
	`version: 1\nstore:\n  ${ADDRESS}\n`,
	`version: 1\nstore: # the team's\n  "${ADDRESS}"\n`,
	`"store": '${ADDRESS}'\n`,
	`'store' : ${ADDRESS} # shared\n`,
	`store: >-\n  ${ADDRESS}\n`,
	`name: &db ${ADDRESS}\nstore: *db\n`,
	`{ "version": 1, "store": "${ADDRESS}" }\n`,
	`version: 1\r\nstore: ${ADDRESS}\r\n`,
	`store: ${ADDRESS}\ntasks: { a: { description: half`,
])("the store is read from the file as YAML reads it: %j", (text) => {
	expect(named(text)).toBe(ADDRESS);
});

test.each([
	"version: 1\n",
	`name: |\n  store: ${ADDRESS}\n`,
	`# store: ${ADDRESS}\n`,
	"store: {}\n",
	"store:\n",
])("a file without the key names no store: %j", (text) => {
	expect(named(text)).toBeNull();
});

test("an address that YAML cannot read is refused, and no other store is used instead", () => {
	writeFileSync(join(root, "sparring.yaml"), `version: 1\nstore: ${ADDRESS}?name: x\n`);
	const refused = expect.objectContaining({ code: "usage" }) as Error;
	expect(() => usableStore(namedStore(root, {}))).toThrow(refused);
	expect(usableStore(namedStore(root, { SPAR_STORE: ADDRESS }))).toBe(ADDRESS);
});

test("SPAR_STORE takes precedence over the file, unless it is empty", () => {
	expect(named(`store: ${ADDRESS}\n`, { SPAR_STORE: "postgres://other/db" })).toBe(
		"postgres://other/db",
	);
	expect(named(`store: ${ADDRESS}\n`, { SPAR_STORE: "" })).toBe(ADDRESS);
});

test("no command uses a store whose password stands in the file", async () => {
	const yaml = `version: 1\nstore: ${SECRET}\n`;
	repo = repository({ files: { "work.txt": "x", "sparring.yaml": yaml } });
	const place = { directory: repo.root, env: repo.env };
	const machines = await openMachines(place);
	const work = { tags: [], slots: 1, signal: new AbortController().signal };
	const told = { onNotice: () => {}, onReady: () => {}, onTask: () => {} };
	const sparring = await openSparring(place);
	const refused = {
		code: "usage",
		message: "the store in sparring.yaml must not contain a password",
	};
	for (const use of [
		() => machines.migrateStore(),
		() => machines.workers(),
		() => machines.work({ ...work, ...told }),
		() => sparring.status(),
		() => sparring.items(),
	])
		await expect(use()).rejects.toMatchObject(refused);
	sparring.close();
});

thorough(
	"a run of a workflow whose store no command would use is refused with what to do",
	async () => {
		repo = repository({ files: { "work.txt": "x" } });
		const { root: directory, env } = repo;
		const workflow = { ...run().workflow, store: ADDRESS };
		const prepare = (store: string | null) =>
			prepareRun(workflow, {}, { directory, env, places: { store } });
		await expect(prepare(null)).rejects.toMatchObject({
			code: "usage",
			message: `the workflow names the store ${ADDRESS}, but sparring.yaml names no store`,
			hint: expect.stringContaining(`Set SPAR_STORE=${ADDRESS}`) as string,
		});
		await expect(prepare("postgres://other/db")).rejects.toMatchObject({ code: "usage" });
		await expect(prepare(ADDRESS)).resolves.toMatchObject({ workflow: { store: ADDRESS } });
	},
);

test("whoever sets SPAR_STORE has chosen", () => {
	expect(() => requireSameStore(ADDRESS, SECRET, { SPAR_STORE: SECRET })).not.toThrow();
	expect(() => requireSameStore(undefined, null, {})).not.toThrow();
});
