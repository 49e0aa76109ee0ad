import { expect, test } from "vitest";
import { formatDiagnostic } from "./diagnostic.ts";
import { loadWorkflow } from "./load.ts";

/** What is added stands on line 5; the agent's own keys on line 3. */
const load = (added: string, agent = "") =>
	loadWorkflow({
		content: `version: 1
agents:
  dev: { adapter: command, run: [sh]${agent} }
checks: { t: { kind: acceptance, run: npm test } }
${added}
tasks: { a: { agent: dev, description: x } }
`,
		file: "w.yaml",
		directory: "/repo",
	});
const errorsOf = (added: string, agent = ""): string[] =>
	load(added, agent).errors.map((each) => formatDiagnostic(each).replace("w.yaml:", ""));

test("a workflow without code, store and tags has none of them", () => {
	const { workflow } = load("");
	expect([workflow?.code, workflow?.store, workflow?.agents["dev"]?.tags]).toEqual([
		undefined,
		undefined,
		undefined,
	]);
	expect(load("", ", tags: []").workflow?.agents["dev"]?.tags).toBeUndefined();
});

test("the remote, the store and the tags of an agent are read", () => {
	const added =
		"code: { remote: origin }\nstore: postgres://spar@db.example.org:5433/sparring?schema=two";
	const { workflow } = load(added, ", tags: [gpu, linux-6.1]");
	expect(workflow?.code).toEqual({ remote: "origin" });
	expect(workflow?.store).toBe("postgres://spar@db.example.org:5433/sparring?schema=two");
	expect(workflow?.agents["dev"]?.tags).toEqual(["gpu", "linux-6.1"]);
});

test("a store with a password is an error that names the places for it and does not repeat it", () => {
	const errors = [
		"5:8 store must not contain a password\n    give it outside of the file: in SPAR_STORE, in PGPASSWORD, or in a passfile (~/.pgpass)",
	];
	expect(errorsOf("store: postgres://spar:opensesame@db.example.org/sparring")).toEqual(errors);
	expect(errorsOf("store: postgres://spar@db.example.org/sparring?password=opensesame")).toEqual(
		errors,
	);
});

test("a store that is no postgres address is an error", () => {
	const error =
		"5:8 store must be a postgres:// address\n    such as postgres://spar@db.example.org/sparring";
	expect(errorsOf("store: db.example.org")).toEqual([error]);
	expect(errorsOf("store: mysql://spar:opensesame@db.example.org/sparring")).toEqual([error]);
});

test("an address in place of the remote's name is an error", () => {
	const error =
		"5:17 code.remote must be the name of a git remote\n    such as origin; `git remote -v` lists the names";
	expect(errorsOf("code: { remote: https://git.example.org/x }")).toEqual([error]);
	expect(errorsOf("code: { remote: --upload-pack=x }")).toEqual([error]);
	expect(errorsOf("code: {}")).toEqual(["5:1 code.remote is missing"]);
});

test("a tag is a name like an id, is listed once, and is not the word for no tag", () => {
	expect(errorsOf("", ", tags: [a/b, gpu, gpu, any]")).toEqual([
		'3:46 tag "a/b" may only contain letters, digits, ".", "-" and "_" (it is part of branch and file names)',
		'3:56 tag "gpu" is listed twice',
		'3:61 a tag cannot be named "any"\n    agents that any machine can run have no tags: remove it',
	]);
});
