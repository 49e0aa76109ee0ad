import { expect, test } from "vitest";
import { causesIn, type Files, UNREAD } from "./boundaries.fixture.ts";

const GO: Files = {
	"go.mod": "module github.com/acme/semspec\n",
	"workflow/types.go": "package workflow\n\ntype Task struct {\n\tID string\n}\n",
	"processor/planner/run.go":
		"package planner\n\nfunc Run(t workflow.Task) error {\n\treturn nil\n}\n",
	"processor/task-generator/run.go":
		"package taskgenerator\n\nfunc Run() error {\n\treturn nil\n}\n",
	"processor/context-builder/build.go":
		'package contextbuilder\n\nimport (\n\t"fmt"\n)\n\nfunc Build() string {\n\treturn fmt.Sprint(1)\n}\n',
	"processor/graph-gateway/ask.go":
		"package graphgateway\n\nfunc Ask(q string) string {\n\treturn q\n}\n",
};
const GATEWAY = '"github.com/acme/semspec/processor/graph-gateway"';
const BUILDER = "processor/context-builder/build.go";
const PYTHON: Files = {
	"pyproject.toml": '[project]\nname = "shop"\n',
	"shop/__init__.py": "",
	"shop/cart/total.py": "def total(items):\n    return sum(items)\n",
	"shop/billing/invoice.py": "def charge(cents):\n    return cents\n",
};
const TYPESCRIPT: Files = {
	"package.json": '{ "name": "shop", "version": "1.0.0" }\n',
	"package-lock.json": '{ "version": "1.0.0" }\n',
	"tsconfig.json":
		'{ "compilerOptions": { "paths": { "@/*": ["./src/*"], "@time/*": ["./src/clock/*"] } } }\n',
	"src/index.ts": 'export { total } from "./cart/total.ts";\n',
	"src/cart/total.ts": "export function total(items: number[]) {\n\treturn items.length;\n}\n",
	"src/billing/invoice.ts": "export const charge = 1;\n",
	"src/clock/now.ts": "export const now = 1;\n",
	"src/cart/root.ts": "export const root = {\n\tQuery: {\n\t\tcart: () => 1,\n\t},\n};\n",
	"src/cart/resolvers.js": "",
};
const RUST: Files = {
	"Cargo.toml": '[workspace]\nmembers = ["crates/*"]\n',
	"crates/context-builder/Cargo.toml": '[package]\nname = "context-builder"\nversion = "0.1.0"\n',
	"crates/context-builder/src/lib.rs": "mod cache;\n\npub fn build(t: &Task) -> u32 {\n    1\n}\n",
	"crates/context-builder/src/cache/mod.rs": "pub fn get() -> u32 {\n    1\n}\n",
	"crates/context-builder/src/rank/mod.rs": "pub fn rank() -> u32 {\n    1\n}\n",
	"crates/graph-gateway/Cargo.toml": '[package]\nname = "graph-gateway"\nversion = "0.1.0"\n',
	"crates/graph-gateway/src/lib.rs": "pub struct Task {\n    pub id: u32,\n}\n",
};
const LIB = "crates/context-builder/src/lib.rs";
const JAVA: Files = {
	"pom.xml": "<project><modules/></project>\n",
	"orders/pom.xml": "<project><artifactId>orders</artifactId></project>\n",
	"orders/src/main/java/com/acme/orders/Orders.java":
		"package com.acme.orders;\n\npublic class Orders {\n    int count() {\n        return 1;\n    }\n}\n",
	"billing/pom.xml": "<project><artifactId>billing</artifactId></project>\n",
	"billing/src/main/java/com/acme/billing/Invoice.java":
		"package com.acme.billing;\n\npublic class Invoice {\n}\n",
};
const ORDERS = "orders/src/main/java/com/acme/orders/Orders.java";

/** A line put behind another one of a file. */
const with_ = (files: Files, path: string, after: string, line: string): Files => {
	const text = files[path] ?? "";
	if (!text.includes(after)) throw new Error(`${path} has no ${after}`);
	return { [path]: text.replace(after, () => `${after}${line}`) };
};

const CROSSING: readonly (readonly [string, Files, Files])[] = [
	[
		"several Go packages",
		GO,
		{
			...with_(GO, "processor/planner/run.go", "error {\n", "\tlog()\n"),
			...with_(GO, "processor/task-generator/run.go", "error {\n", "\tlog()\n"),
		},
	],
	[
		"two modules of Maven",
		JAVA,
		{
			...with_(JAVA, ORDERS, "count() {\n", "        log();\n"),
			...with_(
				JAVA,
				"billing/src/main/java/com/acme/billing/Invoice.java",
				"Invoice {\n",
				"    int a;\n",
			),
		},
	],
	[
		"two folders below src",
		TYPESCRIPT,
		{
			"src/billing/invoice.ts": "export const charge = 2;\n",
			"src/clock/now.ts": "export const now = 2;\n",
		},
	],
	["a Go import by module path", GO, with_(GO, BUILDER, '"fmt"\n', `\t${GATEWAY}\n`)],
	[
		"a new call of a Go package that is imported",
		{ ...GO, ...with_(GO, BUILDER, '"fmt"\n', `\t${GATEWAY}\n`) },
		{
			[BUILDER]: `${with_(GO, BUILDER, '"fmt"\n', `\t${GATEWAY}\n`)[BUILDER]}\nfunc more() string {\n\treturn graphgateway.Ask("x")\n}\n`,
		},
	],
	[
		"a Python absolute import",
		PYTHON,
		with_(PYTHON, "shop/cart/total.py", "", "from shop.billing.invoice import charge\n"),
	],
	[
		"a Python import of another top folder",
		{ "planner/run.py": "x = 1\n", "gateway/ask.py": "y = 1\n" },
		{ "planner/run.py": "import gateway\nx = 1\n" },
	],
	[
		"an alias of tsconfig to a folder of that name",
		TYPESCRIPT,
		with_(TYPESCRIPT, "src/cart/total.ts", "", 'import { charge } from "@/billing/invoice";\n'),
	],
	[
		"an alias of tsconfig by another name",
		TYPESCRIPT,
		with_(TYPESCRIPT, "src/cart/total.ts", "", 'import { now } from "@time/now";\n'),
	],
	[
		"a use of another module in Rust",
		RUST,
		with_(RUST, "crates/context-builder/src/cache/mod.rs", "", "use crate::rank::rank;\n"),
	],
	["a use of another crate in Rust", RUST, with_(RUST, LIB, "", "use graph_gateway::Client;\n")],
	[
		"a route of axum",
		RUST,
		with_(RUST, LIB, "-> u32 {\n", '    let app = Router::new().route("/users", get(list));\n'),
	],
	[
		"a handler of Spring",
		JAVA,
		with_(JAVA, ORDERS, "Orders {\n", "    @GetMapping\n    int all() { return 1; }\n"),
	],
	[
		"a route of Sinatra",
		{ Gemfile: "", "app.rb": "require 'sinatra'\n" },
		{ "app.rb": "require 'sinatra'\nget '/users' do\n  1\nend\n" },
	],
	[
		"a route file of Next's app folder",
		TYPESCRIPT,
		{ "app/users/route.ts": "export const dynamic = 1;\n" },
	],
	[
		"a page of Next's API",
		TYPESCRIPT,
		{ "pages/api/users.ts": "export default (q, s) => s.json([]);\n" },
	],
	[
		"an Express app under another name",
		TYPESCRIPT,
		with_(TYPESCRIPT, "src/cart/total.ts", "", 'shop.get("/orders", list);\n'),
	],
	[
		"its route at the top",
		TYPESCRIPT,
		with_(TYPESCRIPT, "src/cart/total.ts", "", 'shop.get("/", list);\n'),
	],
	[
		"the body of a handler that stays",
		{ "src/a.js": 'shop.get("/orders", (q, s) => {\n\ts.send(1);\n});\n' },
		{ "src/a.js": 'shop.get("/orders", (q, s) => {\n\ts.send(2);\n});\n' },
	],
	[
		"a field of a resolver object",
		TYPESCRIPT,
		with_(TYPESCRIPT, "src/cart/root.ts", "cart: () => 1,\n", "\t\torders: () => 2,\n"),
	],
	[
		"a subject of NATS",
		GO,
		with_(GO, BUILDER, "string {\n", '\tnc.Publish("context.built", nil)\n'),
	],
	["a proto file", GO, { "proto/user.proto": 'syntax = "proto3";\n' }],
	[
		"a field of a type that other packages name",
		GO,
		{ "workflow/types.go": (GO["workflow/types.go"] ?? "").replace("ID", "Key") },
	],
	[
		"a field of a `pub struct`",
		RUST,
		with_(RUST, "crates/graph-gateway/src/lib.rs", "Task {\n", "    pub name: String,\n"),
	],
	[
		"a signature that another component calls",
		TYPESCRIPT,
		{
			"src/cart/total.ts":
				"export function total(items: number[], tax: number) {\n\treturn items.length;\n}\n",
		},
	],
	["a migration", GO, { "db/migrations/002.sql": "ALTER TABLE users ADD name text;\n" }],
	[
		"a column of an entity",
		TYPESCRIPT,
		with_(
			TYPESCRIPT,
			"src/cart/total.ts",
			"",
			"@Entity()\nclass Cart {\n\t@Column()\n\tid: string;\n}\n",
		),
	],
	["a compose file", GO, { "compose.yaml": "services: {}\n" }],
	["a deployment", GO, { "deploy/api.yaml": "kind: Deployment\n" }],
	["an image", GO, { Dockerfile: "FROM golang:1\n" }],
	["a configuration that several read", GO, { "configs/semspec.json": "{}\n" }],
	[
		"a new environment variable in code",
		TYPESCRIPT,
		with_(TYPESCRIPT, "src/cart/total.ts", "", "const rate = process.env.TAX_RATE;\n"),
	],
	["a new environment variable in its example", TYPESCRIPT, { ".env.example": "TAX_RATE=1\n" }],
	["a file of code that cannot be read", TYPESCRIPT, { "src/cart/big.js": UNREAD }],
];

test.each(CROSSING)("%s asks for verification", (_name, repository, changed) => {
	expect(causesIn(repository, changed)).not.toEqual([]);
});

test.each<[string, Files, Files]>([
	[
		"the body of a function",
		TYPESCRIPT,
		{
			"src/cart/total.ts": (TYPESCRIPT["src/cart/total.ts"] ?? "").replace(
				".length",
				".length + 1",
			),
		},
	],
	[
		"an address that is a value",
		TYPESCRIPT,
		with_(TYPESCRIPT, "src/cart/total.ts", "length;\n", "\treturn { address: `/carts/` + id };\n"),
	],
	[
		"tests alone",
		GO,
		{
			"processor/planner/run_test.go": 'func TestRun(t *testing.T) {\n\thttp.Get("/users")\n}\n',
			"workflow/testdata/task.json": "{}\n",
		},
	],
	[
		"texts for people",
		GO,
		{ "README.md": "HTTP handlers and migrations\n", "docs/api/usage.md": "`/users`\n" },
	],
	[
		"a new version",
		TYPESCRIPT,
		{
			"package.json": '{ "name": "shop", "version": "1.0.1" }\n',
			"package-lock.json": '{ "version": "1.0.1" }\n',
		},
	],
])("%s does not", (_name, repository, changed) => {
	expect(causesIn(repository, changed)).toEqual([]);
});
