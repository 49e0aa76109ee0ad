import { expect, test } from "vitest";
import { causesIn, type Files, UNREAD } from "./boundaries.fixture.ts";

/** Two folders of a project, one file in each; a change adds a line to the first. */
const pair = (one: string, other: string, text = "one\n"): Files => ({
	[one]: text,
	[other]: "two\n",
});
const line = (path: string, added: string, text = "one\n"): Files => ({
	[path]: `${added}\n${text}`,
});

// Written before the rule was run on any of them; languages and frameworks that it was not made by.
const CROSSING: readonly (readonly [string, Files, Files])[] = [
	[
		"Phoenix: a resource",
		{ "mix.exs": "" },
		line("lib/shop_web/pages.ex", '  post "/orders", OrderController, :create'),
	],
	[
		"Elixir: an alias",
		pair("lib/shop/cart/total.ex", "lib/shop/billing/invoice.ex"),
		line("lib/shop/cart/total.ex", "  alias Shop.Billing.Invoice"),
	],
	[
		"Laravel: a route",
		{ "composer.json": "" },
		line("web.php", "Route::post('/orders', [Orders::class, 'store']);"),
	],
	[
		"PHP: a use",
		pair("app/Cart/Total.php", "app/Billing/Invoice.php"),
		line("app/Cart/Total.php", "use App\\Billing\\Invoice;"),
	],
	["ASP.NET: an action", { "Shop/Shop.csproj": "" }, line("Shop/Orders.cs", "    [HttpPost]")],
	[
		"ASP.NET: a minimal API",
		{ "Shop/Shop.csproj": "" },
		line("Shop/Program.cs", 'app.MapGet("/orders", () => 1);'),
	],
	[
		"C#: a record that another project names",
		{
			"Core/Core.csproj": "",
			"Core/Order.cs": "public record Order(int Id);\n",
			"Web/Web.csproj": "",
			"Web/Page.cs": "Order order;\n",
		},
		{ "Core/Order.cs": "public record Order(int Id, int Count);\n" },
	],
	[
		"C#: a using of another project",
		{ "Core/Core.csproj": "", "Core/Order.cs": "x\n", "Web/Web.csproj": "", "Web/Page.cs": "y\n" },
		line("Web/Page.cs", "using Core;", "y\n"),
	],
	["Ktor: a route", {}, line("src/Main.kt", '    get("/orders") { call.respond(1) }')],
	[
		"Kotlin: a data class of another module",
		{
			"core/build.gradle.kts": "",
			"core/src/main/kotlin/Order.kt": "data class Order(\n    val id: Int,\n)\n",
			"web/build.gradle.kts": "",
			"web/src/main/kotlin/Page.kt": "val order: Order\n",
		},
		{ "core/src/main/kotlin/Order.kt": "data class Order(\n    val id: Long,\n)\n" },
	],
	["Rails: routes", { Gemfile: "" }, line("config/routes.rb", "  resources :orders")],
	[
		"Rails: a column",
		{ Gemfile: "" },
		line("db/migrate/20260101_x.rb", "    add_column :orders, :name, :string"),
	],
	[
		"Ruby: a constant that is loaded by itself",
		pair("lib/cart/total.rb", "lib/billing/invoice.rb"),
		line("lib/cart/total.rb", "    Billing::Invoice.create(1)"),
	],
	[
		"Vapor: a route",
		{ "Package.swift": "" },
		line("Sources/App/configure.swift", 'app.get("orders") { req in 1 }'),
	],
	[
		"Swift: an import",
		pair("Sources/Cart/Total.swift", "Sources/Billing/Invoice.swift"),
		line("Sources/Cart/Total.swift", "import Billing"),
	],
	[
		"C++: an include",
		pair("src/cart/total.cpp", "src/billing/invoice.hpp"),
		line("src/cart/total.cpp", '#include "billing/invoice.hpp"'),
	],
	[
		"C: a struct in a header that others include",
		{ "net/net.h": "struct packet {\n  int id;\n};\n", "app/main.c": "struct packet p;\n" },
		{ "net/net.h": "struct packet {\n  long id;\n};\n" },
	],
	["Play: its routes", {}, { "conf/routes": "GET /orders controllers.Orders.all\n" }],
	[
		"Akka: a path",
		{ "build.sbt": "" },
		line("src/main/scala/Main.scala", '  val route = path("orders") { get { complete(1) } }'),
	],
	[
		"Haskell: an import",
		pair("src/Cart/Total.hs", "src/Billing/Invoice.hs"),
		line("src/Cart/Total.hs", "import Billing.Invoice (charge)"),
	],
	["Compojure: a route", {}, line("src/shop/core.clj", '  (GET "/orders" [] (all))')],
	[
		"Clojure: a require",
		pair("src/shop/cart/total.clj", "src/shop/billing/invoice.clj"),
		line("src/shop/cart/total.clj", "  (:require [shop.billing.invoice :as invoice])"),
	],
	[
		"Zig: an import",
		pair("src/cart/total.zig", "src/billing/invoice.zig"),
		line("src/cart/total.zig", 'const invoice = @import("../billing/invoice.zig");'),
	],
	[
		"Dart: a package's own import",
		{ ...pair("lib/cart/total.dart", "lib/billing/invoice.dart"), "pubspec.yaml": "name: shop\n" },
		line("lib/cart/total.dart", "import 'package:shop/billing/invoice.dart';"),
	],
	[
		"Lua: a require",
		pair("cart/total.lua", "billing/invoice.lua"),
		line("cart/total.lua", 'local invoice = require("billing.invoice")'),
	],
	[
		"Perl: a use",
		pair("lib/Cart/Total.pm", "lib/Billing/Invoice.pm"),
		line("lib/Cart/Total.pm", "use Billing::Invoice;"),
	],
	["Mojolicious: a route", {}, line("lib/Shop.pm", "  $r->get('/orders')->to('orders#all');")],
	[
		"Erlang: a call of another application",
		pair("apps/cart/src/cart.erl", "apps/billing/src/billing.erl"),
		line("apps/cart/src/cart.erl", "    billing:charge(1)."),
	],
	[
		"OCaml: an open",
		pair("lib/cart/total.ml", "lib/billing/invoice.ml"),
		line("lib/cart/total.ml", "open Billing"),
	],
	[
		"Julia: two top folders",
		pair("cart/total.jl", "billing/invoice.jl"),
		{ "cart/total.jl": "1\n", "billing/invoice.jl": "2\n" },
	],
	[
		"Solidity: two packages",
		pair("contracts/cart/Cart.sol", "contracts/billing/Billing.sol"),
		{ "contracts/cart/Cart.sol": "1\n", "contracts/billing/Billing.sol": "2\n" },
	],
	[
		"Flask: a blueprint's route",
		pair("shop/cart/total.py", "shop/billing/x.py"),
		line("shop/cart/total.py", '@bp.route("/orders/<id>")'),
	],
	["FastAPI: a router's route", {}, line("shop/total.py", '@shop.put("/orders/{id}")')],
	[
		"Django: a field of a model",
		{
			"manage.py": "",
			"shop/rows.py": "class Order(models.Model):\n    id = models.IntegerField()\n",
		},
		{ "shop/rows.py": "class Order(models.Model):\n    id = models.BigIntegerField()\n" },
	],
	[
		"gRPC in Python: a servicer",
		{},
		{
			"shop/orders.py":
				"class Orders(pb.OrdersServicer):\n    def All(self, r, c):\n        pass\n",
		},
	],
	[
		"Kafka in Java: a topic",
		{ "pom.xml": "" },
		line(
			"src/main/java/a/Send.java",
			'        producer.send(new ProducerRecord<>("orders.created", order));',
		),
	],
	["Celery: a task", {}, line("shop/work.py", "@celery.task(name='orders.pay')")],
	["tRPC: a procedure", {}, line("src/shop.ts", "\torders: publicProcedure.query(() => []),")],
	["socket.io: an event", {}, line("src/shop.ts", 'socket.on("order:created", take);')],
	[
		"SvelteKit: a server file",
		{},
		{ "src/routes/orders/+server.js": "export const GET = () => 1;\n" },
	],
	["Nuxt: a server file", {}, { "server/api/orders.get.ts": "export default () => 1;\n" }],
	[
		"Hot Chocolate: a query type",
		{},
		line("Shop/Query.cs", "    public Order Order(int id) => null;", "public class Query {\n}\n"),
	],
	["an environment variable in Ruby", {}, line("lib/tax.rb", 'RATE = ENV.fetch("TAX_RATE")')],
	[
		"an environment variable in Rust",
		{},
		line("src/tax.rs", 'let rate = std::env::var("TAX_RATE");'),
	],
	[
		"an environment variable in C#",
		{},
		line("Shop/Tax.cs", 'Environment.GetEnvironmentVariable("TAX_RATE");'),
	],
	["an environment variable in Elixir", {}, line("lib/tax.ex", 'System.get_env("TAX_RATE")')],
	["a call over HTTP in Rust", {}, line("src/tax.rs", "let body = reqwest::get(url).await?;")],
	[
		"a call over HTTP in Kotlin",
		{},
		line("src/Tax.kt", 'val body = client.get("https://tax.example/rate")'),
	],
	["a Helm chart", {}, { "chart/values.yaml": "replicas: 2\n" }],
	["nginx", {}, { "nginx.conf": "server {}\n" }],
	["Heroku", {}, { Procfile: "web: node .\n" }],
	["systemd", {}, { "orders.service": "[Service]\n" }],
	["Terraform", {}, { "infra/main.tf": 'resource "x" "y" {}\n' }],
	["Cloudflare", {}, { "wrangler.toml": 'name = "shop"\n' }],
	["an API's description", {}, { "openapi.yaml": "openapi: 3.1.0\n" }],
	["Thrift", {}, { "idl/shop.thrift": "struct A {}\n" }],
	["a module of WebAssembly", {}, { "src/shop.wasm": UNREAD }],
	["a language that nobody knows", {}, { "src/shop.qqq": "x\n" }],
];

test.each(CROSSING)("%s asks for verification", (_name, repository, changed) => {
	expect(causesIn(repository, changed)).not.toEqual([]);
});

const SWIFT = "struct Cart {\n    private func total() -> Int {\n        return 1\n    }\n}\n";

test.each<[string, Files, Files]>([
	[
		"Rust: the body of a function",
		{
			"Cargo.toml": "",
			"src/main.rs": "fn main() {\n    let a = 1;\n}\n",
			"src/cart/mod.rs": "pub fn total() -> u32 {\n    let a = 1;\n    a\n}\n",
			"src/tax/mod.rs": "",
		},
		{ "src/cart/mod.rs": "pub fn total() -> u32 {\n    let a = 2;\n    a\n}\n" },
	],
	[
		"Python: a message",
		{
			"shop/cart/total.py": "import logging\n\ndef total(a):\n    raise ValueError('no total')\n",
			"shop/billing/x.py": "",
		},
		{
			"shop/cart/total.py":
				"import logging\n\ndef total(a):\n    raise ValueError('there is no total')\n",
		},
	],
	[
		"Java: tests alone",
		{ "pom.xml": "" },
		{
			"src/test/java/a/CartTest.java": '@Test void a() { get("/x"); }\n',
			"src/test/resources/cart.yml": "a: 1\n",
		},
	],
	[
		"Cargo: a new version",
		{ "Cargo.toml": '[package]\nversion = "0.1.0"\n', "Cargo.lock": 'version = "0.1.0"\n' },
		{ "Cargo.toml": '[package]\nversion = "0.1.1"\n', "Cargo.lock": 'version = "0.1.1"\n' },
	],
	[
		"Go: a new patch of a dependency",
		{ "go.mod": "require github.com/a/b v1.2.3\n", "go.sum": "github.com/a/b v1.2.3 h1:x=\n" },
		{ "go.mod": "require github.com/a/b v1.2.4\n", "go.sum": "github.com/a/b v1.2.4 h1:y=\n" },
	],
	["a change log", {}, { "CHANGELOG.md": "## 1.0.1\n", "docs/guide.adoc": "text\n" }],
	[
		"a style sheet of one component",
		pair("web/page.css", "web/page.js"),
		line("web/page.css", "a { color: red; }"),
	],
	["a picture", {}, { "web/logo.png": UNREAD }],
	[
		"Elixir: a private function",
		{
			"mix.exs": "",
			"lib/shop/cart.ex": "defmodule Shop.Cart do\n  defp total(a) do\n    a\n  end\nend\n",
		},
		{ "lib/shop/cart.ex": "defmodule Shop.Cart do\n  defp total(a) do\n    a + 1\n  end\nend\n" },
	],
	[
		"C#: two files of one folder",
		{ "Shop/Shop.csproj": "", "Shop/A.cs": "class A {\n}\n", "Shop/B.cs": "class B {\n}\n" },
		{ "Shop/A.cs": "class A {\n    int a;\n}\n", "Shop/B.cs": "class B {\n    int b;\n}\n" },
	],
	[
		"Swift: a private function",
		{ "Package.swift": "", "Sources/Cart/Cart.swift": SWIFT },
		{ "Sources/Cart/Cart.swift": SWIFT.replace("return 1", "return 2") },
	],
	["files that git ignores", {}, { ".gitignore": "dist/\n" }],
])("%s does not", (_name, repository, changed) => {
	expect(causesIn(repository, changed)).toEqual([]);
});
