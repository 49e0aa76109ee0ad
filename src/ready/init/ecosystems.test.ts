import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { projectKind } from "./project-kind.ts";

let root = "";
beforeEach(async () => {
	root = await mkdtemp(path.join(tmpdir(), "spar-ecosystem-"));
});
afterEach(async () => {
	await rm(root, { recursive: true, force: true });
});

type Files = Readonly<Record<string, string>>;

async function kindOf(files: Files) {
	for (const [name, text] of Object.entries(files)) {
		await mkdir(path.dirname(path.join(root, name)), { recursive: true });
		await writeFile(path.join(root, name), text);
	}
	return projectKind(root, "");
}

const BUNDLE = "BUNDLE_PATH=vendor/bundle bundle";
const SUREFIRE = { format: "junit", path: "**/target/surefire-reports/*.xml" };
const GRADLE = { format: "junit", path: "**/build/test-results/**/*.xml" };

test.each<[string, Files, string[], string, object?]>([
	["RSpec", { Gemfile: "", "spec/a_spec.rb": "" }, [`${BUNDLE} install`], `${BUNDLE} exec rspec`],
	["RSpec without bundler", { ".rspec": "" }, [], "rspec"],
	[
		"minitest",
		{ Gemfile: "", Rakefile: "Rake::TestTask.new" },
		[`${BUNDLE} install`],
		`${BUNDLE} exec rake test`,
	],
	[
		"a Rakefile's own task",
		{ Rakefile: 'task "spec" do\n  sh "ruby test/a.rb"\nend\n' },
		[],
		"rake spec",
	],
	["Minitest's task", { Rakefile: "Minitest::TestTask.create # :spec\n" }, [], "rake test"],
	["a named TestTask", { Rakefile: "Rake::TestTask.new(:spec) do |t|\n" }, [], "rake spec"],
	[
		"bats in its npm script",
		{ "package.json": '{"scripts":{"test":"bats test"}}', "test/a.bats": "" },
		[],
		"npm test",
	],
	[
		"Rails",
		{ Gemfile: "", Rakefile: "", "bin/rails": "" },
		[`${BUNDLE} install`],
		`${BUNDLE} exec rails test`,
	],
	[
		"PHPUnit",
		{ "composer.json": "{}", "phpunit.xml.dist": "" },
		["composer install --no-interaction"],
		"vendor/bin/phpunit",
	],
	[
		"Pest",
		{ "composer.json": '{"require-dev":{"pestphp/pest":"^3"}}' },
		["composer install --no-interaction"],
		"vendor/bin/pest",
	],
	[
		"composer's script",
		{ "composer.json": '{"scripts":{"test":"phpunit"}}' },
		["composer install --no-interaction"],
		"composer test",
	],
	[
		"Maven",
		{ "pom.xml": "" },
		["mvn -B -q -Dmaven.test.failure.ignore=true test"],
		"mvn -B test",
		SUREFIRE,
	],
	[
		"Gradle's wrapper",
		{ "build.gradle.kts": "", gradlew: "" },
		["./gradlew --no-daemon testClasses"],
		"./gradlew --no-daemon --console=plain --continue test",
		GRADLE,
	],
	[
		"CMake",
		{ "CMakeLists.txt": "enable_testing()\n" },
		[],
		"cmake -S . -B build && cmake --build build && ctest --test-dir build --output-on-failure",
	],
	["mix", { "mix.exs": "" }, ["mix local.hex --force --if-missing", "mix deps.get"], "mix test"],
	["dotnet", { "a.sln": "" }, ["dotnet restore"], "dotnet test"],
	["bats", { "test/a.bats": "" }, [], "bats test"],
])("a project with %s gets its commands", async (_name, files, setup, run, report) => {
	const kind = await kindOf(files);
	expect(kind.setup).toEqual(setup);
	expect(kind.checks).toEqual([
		{ name: "tests", kind: "acceptance", run, ...(report && { report }) },
	]);
});

test.each<[string, Files]>([
	["Gemfile of a site", { Gemfile: "" }],
	["composer.json without tests", { "composer.json": "{}" }],
	["CMakeLists.txt without tests", { "CMakeLists.txt": "# enable_testing()\nproject(a)\n" }],
	["Rakefile without a task for tests", { Rakefile: "task :clean do\n  rm_r 'test/out'\nend\n" }],
	["folder of other tests", { "test/a.sh": "" }],
])("a %s gets no check", async (_name, files) => {
	expect((await kindOf(files)).checks).toEqual([]);
});

test("in a folder its report's path begins with the folder", async () => {
	const kind = await kindOf({
		"server/pom.xml": "",
		"web/package.json": '{"scripts":{"test":"ava"}}',
	});
	expect(kind.checks).toMatchObject([
		{
			run: "cd server && mvn -B test",
			report: { path: "server/**/target/surefire-reports/*.xml" },
		},
		{ run: "cd web && npm test" },
	]);
});
