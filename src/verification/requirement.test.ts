import fc from "fast-check";
import { expect, test } from "vitest";
import { thorough } from "../../test/support/amount.ts";
import { causeText, type VerificationCause } from "./cause.ts";
import { componentMap } from "./component.ts";
import {
	type ChangedText,
	type ChangeSurroundings,
	causesOfDiff,
	causesOfPaths,
	changedDeclarations,
} from "./diff-causes.ts";
import { namedPaths, requirementOf } from "./requirement.ts";

const kinds = (causes: readonly VerificationCause[]): string[] => [
	...new Set(causes.map(({ kind }) => kind)),
];

test.each([
	[["processor/planner/run.go", "processor/task-generator/run.go"], "several_packages"],
	[["packages/a/src/x.ts", "packages/b/src/y.ts"], "several_packages"],
	[["src/api/users.ts"], "api_contract"],
	[["src/UserController.java"], "api_contract"],
	[["proto/user.proto"], "api_contract"],
	[["graph/schema.graphql"], "api_contract"],
	[["shop/urls.py"], "api_contract"],
	[["workflow/types.go"], "shared_type"],
	[["shared/money.py"], "shared_type"],
	[["db/migrations/002_users.sql"], "migration"],
	[["prisma/schema.prisma"], "migration"],
	[["shop/models.py"], "migration"],
	[["src/user.entity.ts"], "migration"],
	[["configs/semspec.json"], "shared_configuration"],
	[["settings.py"], "shared_configuration"],
	[[".env.example"], "shared_configuration"],
])("the paths %j alone ask for verification: %s", (paths, kind) => {
	expect(kinds(causesOfPaths(paths))).toContain(kind);
});

test.each([
	[["README.md", "docs/api/usage.md"]],
	[["src/limiter.js", "test/limiter.test.js"]],
	[["pkg/limit/limit.go", "pkg/limit/limit_test.go"]],
	[["tests/api/test_users.py"]],
	[["work.txt", "results.tap"]],
	[["package.json", "package-lock.json"]],
	[["index.js", "src/limiter.js"]],
	[["src/__tests__/api.test.ts"]],
])("nothing in the paths %j asks for it", (paths) => {
	expect(causesOfPaths(paths)).toEqual([]);
});

test.each([
	["src/limiter.js", ["index.js"], ""],
	["web/src/a.ts", ["web/package.json", "api/a.ts"], "web"],
	["src/db/store.ts", ["src/index.ts", "scripts/build.ts"], "src/db"],
	["src/db/rows/a.ts", ["src/index.ts", "src/db/a.ts"], "src/db"],
	["index.ts", ["src/db/store.ts"], ""],
	["tools/deep/down/x.py", ["tools/a.py", "web/b.py"], "tools"],
	["packages/api/x.py", ["web/b.py"], "packages/api"],
	["shop/cart/x.py", ["shop/__init__.py", "shop/tax/y.py", "scripts/b.py"], "shop/cart"],
	[
		"src/main/java/com/acme/cart/A.java",
		["src/main/java/com/acme/Main.java", "pom.xml"],
		"src/main/java/com/acme/cart",
	],
	[
		"web/ui/src/page/a.ts",
		["package.json", "web/ui/package.json", "web/ui/src/b.ts"],
		"web/ui/src/page",
	],
])("%s beside %j is of the component `%s`", (path, others, component) => {
	expect(componentMap([path, ...others]).of(path)).toBe(component);
});

const NOTHING: ChangeSurroundings = { files: [], names: [], users: new Map() };
const change = (path: string, before: string | null, after: string | null): ChangedText => ({
	path,
	before,
	after,
	isRead: true,
});

test.each([
	["src/server.js", 'app.get("/users", list);', "api_contract"],
	["src/cats.ts", '@Controller("cats")', "api_contract"],
	["src/cats.ts", "export async function POST(request) {", "api_contract"],
	["src/bus.ts", 'nats.publish("task.done", data);', "api_contract"],
	["src/users.ts", "@Entity()", "migration"],
	["src/users.ts", "const users = pgTable('users', {});", "migration"],
	["src/client.ts", "await fetch(url);", "cross_component_call"],
	["src/a/x.ts", 'import { y } from "../b/y.ts";', "cross_component_call"],
	["packages/a/x.ts", 'import { y } from "@acme/b";', "cross_component_call"],
	["shop/app.py", '@app.post("/users")', "api_contract"],
	["shop/app.py", "class Users(APIView):", "api_contract"],
	["shop/rows.py", "id = Column(Integer)", "migration"],
	["shop/call.py", "requests.get(url)", "cross_component_call"],
	["lib/a/x.py", "from ..b import y", "cross_component_call"],
	["cmd/main.go", 'mux.HandleFunc("/users", list)', "api_contract"],
	["graph/users.go", "func (r *queryResolver) Users() {", "api_contract"],
	["store/user.go", 'Name string `gorm:"column:name"`', "migration"],
	["store/user.go", 'db.Exec("ALTER TABLE users ADD x")', "migration"],
	["client/call.go", "http.Get(url)", "cross_component_call"],
])("in %s the line `%s` is a cause: %s", (path, line, kind) => {
	const files = ["package.json", "packages/a/package.json", "packages/b/package.json"];
	const code = ["packages/b/y.ts", "src/a/x.ts", "src/b/y.ts", "lib/a/x.py", "lib/b/y.py"];
	const around = { ...NOTHING, files: [...files, ...code] };
	expect(kinds(causesOfDiff([change(path, "", `${line}\n`)], around))).toContain(kind);
	expect(kinds(causesOfDiff([change(path, `${line}\n`, "")], around))).toEqual(
		/import|from/.test(line) ? [] : expect.arrayContaining([kind]),
	);
});

test.each([
	["src/server.js", '// app.get("/users", list);'],
	["src/limiter.js", "export function limit(n) { return n > 3; }"],
	["src/a/x.ts", 'import { y } from "./y.ts";'],
	["src/a/x.ts", 'import { readFile } from "node:fs/promises";'],
	["shop/app.py", "return total + 1"],
	["limit/limit.go", "func Allow(n int) bool { return n < 3 }"],
])("in %s the line `%s` is none", (path, line) => {
	expect(causesOfDiff([change(path, "", `${line}\n`)], NOTHING)).toEqual([]);
});

const TASK_TYPE = "export interface Task {\n\tid: string;\n}\nexport const a = 1;\n";

test("a type counts where another component names it, and where nobody could look", () => {
	const grown = change("src/model/task.ts", TASK_TYPE, TASK_TYPE.replace("id", "key"));
	expect(changedDeclarations(grown)).toEqual(["Task"]);
	const causesWith = (users: ReadonlyMap<string, readonly string[]>) =>
		kinds(causesOfDiff([grown], { ...NOTHING, users }));
	expect(causesWith(new Map([["Task", ["src/model/task.ts", "src/model/list.ts"]]]))).toEqual([]);
	expect(causesWith(new Map([["Task", ["src/model/task.ts", "src/web/page.ts"]]]))).toEqual([
		"shared_type",
	]);
	expect(causesWith(new Map())).toEqual(["shared_type"]);
	const beside = change("src/model/task.ts", `${TASK_TYPE}a();\n`, `${TASK_TYPE}b();\n`);
	expect(changedDeclarations(beside)).toEqual([]);
});

test("types of Python and Go are found by their declaration and by their fields", () => {
	const go = "package w\n\ntype Task struct {\n\tID string\n}\n";
	expect(changedDeclarations(change("w/task.go", go, go.replace("ID", "Key")))).toEqual(["Task"]);
	const python = "class Task(Base):\n    id: str\n\ndef f():\n    pass\n";
	expect(changedDeclarations(change("w/task.py", python, python.replace("id", "key")))).toEqual([
		"Task",
	]);
	expect(changedDeclarations(change("w/task.py", python, python.replace("pass", "x")))).toEqual([]);
});

test("files that only go are no second package; what they were may still be a cause", () => {
	const gone = (path: string) => change(path, "x\n", null);
	const kept = change("src/a/x.js", "x\n", "y\n");
	expect(causesOfDiff([kept, gone("src/b/y.js"), gone("src/c/z.js")], NOTHING)).toEqual([]);
	expect(kinds(causesOfDiff([kept, gone("db/migrations/1.sql")], NOTHING))).toEqual(["migration"]);
	expect(kinds(causesOfDiff([kept, change("src/b/y.js", null, "x\n")], NOTHING))).toEqual([
		"several_packages",
	]);
});

test("doubt means yes: a code file that could not be read is a cause", () => {
	const big = { path: "src/big.js", before: null, after: null, isRead: false };
	expect(causesOfDiff([big], NOTHING)).toEqual([{ kind: "unreadable", path: "src/big.js" }]);
	expect(causesOfDiff([{ ...big, path: "logo.png" }], NOTHING)).toEqual([]);
});

const TASK = {
	requiresVerification: "auto",
	contextFiles: [],
	description: "Make it faster.",
} as const;

test("the description and the listed files are looked at as well as the diff", () => {
	expect(requirementOf(TASK)).toMatchObject({ required: false, by: "heuristic", causes: [] });
	const named = { ...TASK, description: "Add the table in db/migrations/002.sql." };
	expect(requirementOf(named)).toMatchObject({
		required: true,
		causes: [{ kind: "migration", path: "db/migrations/002.sql" }],
	});
	expect(requirementOf({ ...TASK, contextFiles: ["src/api/users.ts"] }).required).toBe(true);
	const found: VerificationCause = { kind: "api_contract", path: "src/a.ts" };
	expect(requirementOf(TASK, [found, found]).causes).toEqual([found]);
});

test.each([
	["Change files in `processor/planner/` and `processor/task-generator/`.", "several_packages"],
	["Add HTTP handlers for the cart.", "api_contract"],
	["Publish NATS subjects.", "api_contract"],
	["GraphQL resolvers for orders", "api_contract"],
	["Write the migrations.", "migration"],
	["Change the entity structures.", "migration"],
	["Read the limit from a new environment variable.", "shared_configuration"],
	["Change types in `workflow/types.go`.", "shared_type"],
	["A call between two services", "cross_component_call"],
	["Edit compose.yaml.", "shared_configuration"],
	["Change src/api/.", "api_contract"],
])("the words `%s` ask for verification: %s", (description, kind) => {
	const { required, causes } = requirementOf({ ...TASK, description });
	expect([required, kinds(causes)]).toEqual([true, expect.arrayContaining([kind])]);
});

test.each([
	"Token bucket with burst and refill.",
	"Fix the rounding in src/limiter.js; see https://example.org/api/routes.",
	"Describe it in README.md and docs/api.md.",
	"Bump the version.",
	"Test it in test/limiter.test.js.",
])("the words `%s` do not", (description) => {
	expect(requirementOf({ ...TASK, description }).causes).toEqual([]);
});

test("what the file says wins over every cause, with its reason", () => {
	const found: VerificationCause = { kind: "migration", path: "a.sql" };
	const off = { ...TASK, requiresVerification: "false", verificationReason: "docs only" } as const;
	expect(requirementOf(off, [found])).toEqual({
		required: false,
		by: "file",
		said: "docs only",
		causes: [],
	});
	expect(requirementOf({ ...TASK, requiresVerification: "true" })).toMatchObject({
		required: true,
		by: "file",
	});
});

test("paths are found in prose, and sentences, addresses and versions are none", () => {
	expect(namedPaths("Change ./src/a.ts, and the folder `db/` too.")).toEqual(["src/a.ts", "db/"]);
	expect(namedPaths("It refuses e.g. the 4th call. See https://example.org/a/b.ts")).toEqual([]);
	expect(namedPaths("config.yaml. Node 24.1")).toEqual(["config.yaml"]);
});

test("a cause reads as one line that names its place", () => {
	expect(causeText({ kind: "migration", path: "db/1.sql" })).toBe(
		"it touches a migration or a stored structure: db/1.sql",
	);
	expect(causeText({ kind: "several_packages", packages: ["a", "b", "c", "d", "e"] })).toBe(
		"it touches several components: a, b, c, d, and 1 more",
	);
	expect(causeText({ kind: "cross_component_call", path: "a/x.ts", to: "b" })).toContain("-> b");
	expect(causeText({ kind: "shared_type", path: "a.ts", name: "Task" })).toContain("(Task)");
	expect(causeText({ kind: "shared_type", path: "a.ts", name: null })).not.toContain("(");
});

thorough("no file makes a cause of another file go away", () => {
	const paths = fc.array(
		fc.constantFrom("src/a.ts", "src/api/b.ts", "db/1.sql", "README.md", "pkg/x/y.go"),
	);
	fc.assert(
		fc.property(paths, paths, (some, more) => {
			const before = kinds(causesOfPaths(some));
			expect(kinds(causesOfPaths([...some, ...more]))).toEqual(expect.arrayContaining(before));
		}),
	);
});
