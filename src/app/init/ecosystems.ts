import type { ProjectCheck, ProjectFiles, ProjectPart } from "./project-part.ts";

/** Files and folders that the command line of a project is made from. */
interface Found {
	readonly files: ProjectFiles;
	readonly has: (name: string) => Promise<boolean>;
	/** The first folder of these with a file of such a name. */
	readonly folderWith: (name: RegExp, ...folders: readonly string[]) => Promise<string | undefined>;
}

/** Installation and test command of projects of one kind. */
interface Ecosystem {
	readonly name: string;
	/** Names of files at the top, the first of which counts. */
	readonly foundBy: RegExp;
	readonly setup: (found: Found) => Promise<readonly string[]>;
	/** The tests' command; undefined: the project has none. */
	readonly run: (found: Found) => Promise<string | undefined>;
	/** Path of the report that the runner leaves by itself; without one its output is read. */
	readonly report?: ProjectCheck["report"];
	readonly dependencies: readonly string[];
}

const wrapper = async ({ has }: Found, file: string, program: string): Promise<string> =>
	(await has(file)) ? `./${file}` : program;

/** Gems of the checkout's own, for setup and tests. */
const BUNDLE = "BUNDLE_PATH=vendor/bundle bundle";

/** The task of a Rakefile that runs tests: one of the usual names, or the default of a library. */
function rakeTask(rakefile: string): string | undefined {
	const named = /^[^#\n]*\b(?:TestTask\.(?:new|create)|task)[ (]+["':]?(test|spec)\b/m;
	const isDefault = /^[^#\n]*\bTestTask\.(?:new|create)\b(?![ (]+["':])/m.test(rakefile);
	return isDefault ? "test" : named.exec(rakefile)?.[1];
}

const CMAKE = "cmake -S . -B build && cmake --build build";

/** Beside Node, Python, Go, Rust and make. Another one is an entry here and a line of `docs/ecosystems.md`. */
const ECOSYSTEMS: readonly Ecosystem[] = [
	{
		name: "ruby",
		foundBy: /^(?:Gemfile|Rakefile|\.rspec)$/,
		setup: async ({ has }) => ((await has("Gemfile")) ? [`${BUNDLE} install`] : []),
		run: async ({ has, folderWith, files }) => {
			const start = (await has("Gemfile")) ? `${BUNDLE} exec ` : "";
			if ((await has(".rspec")) || (await folderWith(/_spec\.rb$|^spec_helper\.rb$/, "spec")))
				return `${start}rspec`;
			if (await has("bin/rails")) return `${start}rails test`;
			const task = rakeTask((await files.read("Rakefile")) ?? "");
			return task === undefined ? undefined : `${start}rake ${task}`;
		},
		dependencies: ["vendor/bundle"],
	},
	{
		name: "php",
		foundBy: /^composer\.json$/,
		setup: async () => ["composer install --no-interaction"],
		run: async ({ files, has }) => {
			const text = (await files.read("composer.json")) ?? "";
			if (/"scripts"\s*:\s*\{[^}]*"test"\s*:/.test(text)) return "composer test";
			if (text.includes('"pestphp/pest"')) return "vendor/bin/pest";
			const isPhpunit =
				text.includes('"phpunit/phpunit"') ||
				(await has("phpunit.xml")) ||
				(await has("phpunit.xml.dist"));
			return isPhpunit ? "vendor/bin/phpunit" : undefined;
		},
		dependencies: ["vendor"],
	},
	{
		name: "maven",
		foundBy: /^pom\.xml$/,
		// Surefire fetches what it runs tests with when it runs them, and a check may have no network.
		setup: async (found) => [
			`${await wrapper(found, "mvnw", "mvn")} -B -q -Dmaven.test.failure.ignore=true test`,
		],
		run: async (found) => `${await wrapper(found, "mvnw", "mvn")} -B test`,
		report: { format: "junit", path: "**/target/surefire-reports/*.xml" },
		dependencies: ["target"],
	},
	{
		name: "gradle",
		foundBy: /^(?:settings|build)\.gradle(?:\.kts)?$/,
		setup: async (found) => [
			`${await wrapper(found, "gradlew", "gradle")} --no-daemon testClasses`,
		],
		run: async (found) =>
			`${await wrapper(found, "gradlew", "gradle")} --no-daemon --console=plain --continue test`,
		report: { format: "junit", path: "**/build/test-results/**/*.xml" },
		dependencies: ["build", ".gradle"],
	},
	{
		name: "cmake",
		foundBy: /^CMakeLists\.txt$/,
		setup: async () => [],
		run: async ({ files }) => {
			const text = (await files.read("CMakeLists.txt")) ?? "";
			const isTested = /\b(?:enable_testing|add_test)\s*\(|\binclude\s*\(\s*CTest\b/i;
			return isTested.test(text.replaceAll(/#.*$/gm, ""))
				? `${CMAKE} && ctest --test-dir build --output-on-failure`
				: undefined;
		},
		dependencies: ["build"],
	},
	{
		name: "elixir",
		foundBy: /^mix\.exs$/,
		setup: async () => ["mix local.hex --force --if-missing", "mix deps.get"],
		run: async () => "mix test",
		dependencies: ["deps", "_build"],
	},
	{
		name: "dotnet",
		foundBy: /\.(?:slnx?|csproj|fsproj|vbproj)$/,
		setup: async () => ["dotnet restore"],
		run: async () => "dotnet test",
		dependencies: ["bin", "obj"],
	},
	{
		name: "bats",
		foundBy: /^(?:tests?|spec|bats)$|\.bats$/,
		setup: async () => [],
		run: async ({ files, folderWith }) => {
			const manifest = (await files.read("package.json")) ?? "";
			// Its own script runs them, with the bats that it depends on.
			if (/"test"\s*:\s*"[^"]*\bbats\b/.test(manifest)) return undefined;
			const folder = await folderWith(/\.bats$/, "test", "tests", "spec", "bats", ".");
			return folder === undefined ? undefined : `bats ${folder}`;
		},
		dependencies: [],
	},
];

/** The parts of a project in the ecosystems of the table. */
export async function ecosystemParts(files: ProjectFiles): Promise<readonly ProjectPart[]> {
	const names = await files.list(".");
	const parts: ProjectPart[] = [];
	for (const { name, foundBy, setup, run, report, dependencies } of ECOSYSTEMS) {
		const file = [...names].sort().find((each) => foundBy.test(each));
		if (file === undefined) continue;
		const found: Found = {
			files,
			has: async (each) => (await files.read(each)) !== undefined,
			folderWith: async (pattern, ...folders) => {
				for (const folder of folders)
					if ((await files.list(folder)).some((each) => pattern.test(each))) return folder;
				return undefined;
			},
		};
		const line = await run(found);
		const check: ProjectCheck | undefined =
			line === undefined ? undefined : { kind: "acceptance", run: line, ...(report && { report }) };
		parts.push({
			name,
			foundBy: file,
			setup: await setup(found),
			checks: check === undefined ? [] : [check],
			dependencies,
		});
	}
	return parts;
}
