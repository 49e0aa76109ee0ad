import path from "node:path";

/** The parts of a build file that determine how tests run. */
interface BuildFile {
	readonly name: RegExp;
	readonly what: string;
	/** The parts, verbatim. */
	readonly parts: (text: string) => readonly string[];
	/** New parts are allowed; only those of the base must stay. */
	readonly mayGrow?: true;
}

/** Maximum number of blocks to read completely; of further ones only the first line counts. */
const MAX_BLOCKS = 100;
/** Maximum characters of one block. */
const MAX_BLOCK = 20_000;

const matches = (pattern: RegExp) => (text: string) =>
	[...text.matchAll(pattern)].map(([part]) => part);

const BUILD_FILES: readonly BuildFile[] = [
	{
		name: /^pom\.xml$/,
		what: "the configuration of surefire or failsafe",
		parts: mavenParts,
	},
	{
		name: /^build\.gradle(?:\.kts)?$/,
		what: "the configuration of its tests",
		parts: gradleParts,
	},
	{
		name: /^Cargo\.toml$/,
		what: "what Cargo tests",
		parts: matches(
			/^[ \t]*\[(?:\[test\]|profile\.test)[^[]*|^[ \t]*(?:test|autotests|doctest|harness)\s*=.*$/gm,
		),
	},
	{
		name: /\.(?:cs|fs|vb)proj$|^Directory\.Build\.(?:props|targets)$/,
		what: "which project has tests",
		parts: matches(
			/<IsTestProject>[^<]*<|<RunSettingsFilePath>[^<]*<|<Target\b[^<>]*VSTest[^<>]*>/g,
		),
	},
	{
		name: /^CMakeLists\.txt$/,
		what: "a line that adds tests",
		parts: matches(
			/^[ \t]*(?:add_test|enable_testing|include\s*\(\s*CTest|gtest_\w+|catch_discover_tests|set_tests_properties)\b[^)]*\)?/gim,
		),
		mayGrow: true,
	},
];

/** Whether the file is a build file that may determine how tests run. */
export function isBuildFile(file: string): boolean {
	return BUILD_FILES.some(({ name }) => name.test(path.posix.basename(file)));
}

/**
 * The part of a build file's test configuration that differs; undefined when none does.
 *
 * @example a pom.xml with a new dependency gives undefined, one whose surefire skips tests
 * "the configuration of surefire or failsafe"
 */
export function changedBuildFile(
	file: string,
	base: string | null,
	head: string | null,
): string | undefined {
	const kind = BUILD_FILES.find(({ name }) => name.test(path.posix.basename(file)));
	if (kind === undefined) return undefined;
	const [before, after] = [normal(kind.parts(base ?? "")), normal(kind.parts(head ?? ""))];
	const left = [...after];
	const kept = before.every((part) => {
		const at = left.indexOf(part);
		if (at >= 0) left.splice(at, 1);
		return at >= 0;
	});
	return kept && (kind.mayGrow === true || left.length === 0) ? undefined : kind.what;
}

function normal(parts: readonly string[]): string[] {
	return parts.map((part) => part.replaceAll(/\s+/g, " ").trim());
}

function mavenParts(text: string): string[] {
	const plugins = text.split("<plugin>").slice(1);
	const tests = plugins
		.map((plugin) => plugin.slice(0, Math.max(0, plugin.indexOf("</plugin>"))))
		.filter((plugin) => /surefire|failsafe/.test(plugin));
	const lines = text
		.split("\n")
		.filter((line) =>
			/skipTests|skipITs|maven\.test|testFailureIgnore|testSourceDirectory|surefire\./.test(line),
		);
	return [...tests, ...lines];
}

function gradleParts(text: string): string[] {
	const parts: string[] = [];
	let from = 0;
	for (const line of text.split("\n")) {
		const isBlock = line.includes("{") && /\b(?:test|Test|integrationTest)\b/.test(line);
		if (isBlock) parts.push(parts.length < MAX_BLOCKS ? braced(text, from) : line);
		else if (/ignoreFailures|testClassesDirs|onlyIf|excludeTask/.test(line)) parts.push(line);
		from += line.length + 1;
	}
	return parts;
}

/** From a place to the brace that closes the first one after it. */
function braced(text: string, from: number): string {
	let depth = 0;
	const end = Math.min(text.length, from + MAX_BLOCK);
	for (let at = text.indexOf("{", from); at < end; at += 1) {
		if (text[at] === "{") depth += 1;
		if (text[at] === "}") depth -= 1;
		if (depth === 0) return text.slice(from, at + 1);
	}
	return text.slice(from, end);
}
