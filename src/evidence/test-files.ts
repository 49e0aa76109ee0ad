const CODE =
	"(?:[cm]?[jt]sx?|vue|svelte|py|go|rs|rb|java|kt|kts|scala|groovy|cs|fs|php|swift|exs?|dart|clj|c|cc|cpp|hs|lua|r|jl)";

const NAMED: readonly RegExp[] = [
	/[._-](?:test|spec|tests|specs|e2e|cy)\.[cm]?[jt]sx?$/i,
	/(?:^|\/)(?:tests?|specs?)\.(?:[cm]?[jt]sx?|py|rb)$/,
	/(?:^|\/)(?:test_[^/]*|[^/]*_tests?)\.py$/,
	/_test\.(?:go|rb|exs?|dart|lua|c|cc|cpp)$/,
	/_spec\.(?:rb|lua)$/,
	/(?:Test|Tests|TestCase|Spec|IT)\.(?:java|kt|kts|scala|groovy|cs|fs|php|swift)$/,
	/(?:Spec|Test)\.hs$/,
	/\.bats$/,
];

const PLACED = new RegExp(
	`(?:^|/)(?:__tests__|tests?|specs?|e2e|testing|integration[-_]tests?)/(?:[^/]*/)*[^/]*\\.${CODE}$`,
	"i",
);

/** True where the file's name says that it is a test: `limiter.test.ts`, `test_limiter.py`. */
export function isNamedAsTest(path: string): boolean {
	return NAMED.some((pattern) => pattern.test(path));
}

/** True where the file is a test by its name, or is code in a test directory. */
export function isTestFile(path: string): boolean {
	return isNamedAsTest(path) || PLACED.test(path);
}
