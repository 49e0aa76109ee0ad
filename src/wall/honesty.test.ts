import { expect, test } from "vitest";
import { evidence } from "../evidence/evidence.fixture.ts";
import { falseClaimText, subjectOf } from "./false-claim.ts";
import { auditClaims, type ClaimGround, type Claims } from "./honesty.ts";

const change = (path: string, kind: "added" | "modified" | "deleted" = "modified") => ({
	path,
	kind,
});
const CHANGES = [
	change("src/a.js"),
	change("app/(group)/[id].tsx"),
	change("docs/my notes.md"),
	change("docs/é.md"),
	change("test/a.test.js", "added"),
	change("gone.js", "deleted"),
];
const TEXTS: Readonly<Record<string, string>> = {
	"test/a.test.js": 'test("adds", () => {});\ntest.each(ROWS)("adds %i to %i", () => {});',
};
const ran = (status: "pass" | "fail", ids: readonly string[] | null) =>
	evidence({
		check: "tests",
		status,
		cases: ids === null ? null : ids.map((id) => ({ id, status: "passed" })),
	});

async function wrongIn(
	claims: Partial<Claims>,
	ground: Partial<ClaimGround> = {},
): Promise<{ readonly judged: number; readonly subjects: readonly string[] }> {
	const none = { files_modified: [], files_created: [], tests_written: [], checks_passed: [] };
	const audit = await auditClaims(
		{ ...none, ...claims },
		{
			changes: CHANGES,
			root: "/checkouts/player",
			checks: [{ name: "tests", run: "npm run test:unit" }],
			evidence: [],
			textOf: (path) => Promise.resolve(TEXTS[path] ?? null),
			ignored: () => Promise.resolve([]),
			...ground,
		},
	);
	return { judged: audit.judged, subjects: audit.false.map(subjectOf) };
}

test("a file that is not in the diff was neither modified, nor created, nor written as a test", async () => {
	expect(await wrongIn({ files_modified: ["./src/a.js", "b.js"] })).toEqual({
		judged: 2,
		subjects: ["b.js"],
	});
	expect(await wrongIn({ files_created: ["src/new.js"] })).toMatchObject({
		subjects: ["src/new.js"],
	});
	expect(await wrongIn({ tests_written: ["test/b.test.js > adds"] })).toMatchObject({
		subjects: ["test/b.test.js"],
	});
	expect(await wrongIn({ files_modified: ["app/(group)/page.tsx"] })).toMatchObject({
		subjects: ["app/(group)/page.tsx"],
	});
});

test("what was deleted was modified, and not created", async () => {
	expect(await wrongIn({ files_modified: ["gone.js"] })).toMatchObject({ subjects: [] });
	expect(await wrongIn({ files_created: ["gone.js"] })).toMatchObject({ subjects: ["gone.js"] });
});

test.each([
	"src/a.js",
	"./src//a.js",
	"`src/a.js`",
	"src\\a.js",
	"src/a.js:12",
	"src/a.js (the burst)",
	"src/a.js: the burst",
	"src/a.js, src/b.js",
	"a.js",
	"packages/one/src/a.js",
	"/checkouts/player/src/a.js",
	"/elsewhere/src/a.js",
	"SRC/A.js",
	"src",
	"src/",
	"src/*.js",
	"*.js",
	"app/(group)/[id].tsx",
	"docs/my notes.md",
	"[src/a.js](src/a.js)",
	"**`src/a.js`**",
	"__src/a.js__",
	"(src/a.js)",
	"“src/a.js”",
	"src/a.js.",
	"\u200bsrc/a.js",
	"src/a.js:10-20",
	"src/a.js#L10-L20",
	"https://example.org/blob/main/src/a.js#L3",
	"src/a.js(10,5)",
	"src/a.js::clamp",
	"src/a.js:clamp",
	"src/a.js|5 +++",
	'["src/a.js"]',
	"src/{a,b}.js",
	"src/a",
	"src.a",
	"@/a.js",
	"docs/my%20notes.md",
	"docs/my\\ notes.md",
	"docs/e\u0301.md",
	'"docs/\\303\\251.md"',
	"(group)",
])("%s is one spelling of a file that changed", async (file) => {
	expect(await wrongIn({ files_modified: [file] })).toEqual({ judged: 1, subjects: [] });
});

test.each([
	"none",
	"(none)",
	"N/A",
	"",
	".",
	"-",
	"—",
	"etc.",
	"various",
	"the limiter and its tests",
	"src/[MASKED:env:1f2e].js",
])("%j speaks of no file that could be looked up", async (file) => {
	expect(await wrongIn({ files_modified: [file] })).toEqual({ judged: 0, subjects: [] });
});

test.each(["src/b.js:10-20", "[b.js](src/b.js)", "src/{b,c}.js", "src.b.js", "lib/b", "a.jsx"])(
	"%s is false where no such file changed, whatever stands around it",
	async (file) => {
		expect(await wrongIn({ files_modified: [file] })).toMatchObject({ judged: 1 });
		expect((await wrongIn({ files_modified: [file] })).subjects).toHaveLength(1);
	},
);

test.each([
	"tests.test_limiter.LimiterTest.test_burst",
	"com.example.LimiterTest.burst",
	"limiter.refuses",
	"TestBurst/refill",
	"burst/refill",
	"mod/limiter::refuses",
	"test/a.test",
	"test/a.test.js:adds",
	"test/a.test.js#adds",
	"test/a.test.js > all cases",
	"test/a.test.js > adds (new)",
])("%s is a runner's name of a case, which no file contradicts", async (name) => {
	const found = [ran("pass", ["adds"])];
	expect((await wrongIn({ tests_written: [name] }, { evidence: found })).subjects).toEqual([]);
});

test.each(["test/b.test.js:adds", "test/b.test.js#adds", "test_b.py"])(
	"%s names a test file that was not written",
	async (name) => {
		expect((await wrongIn({ tests_written: [name] })).subjects).toEqual([name]);
	},
);

test("a file is one claim, however many lists name it", async () => {
	const file = "b.test.js";
	const claims = { files_modified: [file], files_created: [file], tests_written: [file] };
	expect(await wrongIn(claims)).toEqual({ judged: 1, subjects: [file] });
});

test("an ignored file is in no diff, and git is not asked about paths outside", async () => {
	const asked: string[] = [];
	const ignored = (paths: readonly string[]) => {
		asked.push(...paths);
		return Promise.resolve(["dist/out.js"]);
	};
	const files_created = ["dist/out.js", "/etc/x.js", "../x.js", "y.js"];
	expect(await wrongIn({ files_created }, { ignored })).toEqual({
		judged: 4,
		subjects: ["/etc/x.js", "../x.js", "y.js"],
	});
	expect(asked).toEqual(["dist/out.js", "y.js"]);
});

test("a case that neither its file nor a run names was not written", async () => {
	const found = [ran("pass", ["test/a.test.js > math > subtracts many"])];
	const wrong = (...tests_written: string[]) => wrongIn({ tests_written }, { evidence: found });
	expect(await wrong("test/a.test.js > refuses nothing")).toEqual({
		judged: 2,
		subjects: ["test/a.test.js > refuses nothing"],
	});
	for (const there of [
		"test/a.test.js > math > adds",
		"test/a.test.js::adds 1 to 2",
		"a.test.js > Subtracts many",
		"test/a.test.js::adds[1-2]",
	])
		expect(await wrong(there)).toMatchObject({ subjects: [] });
	// Prose and bare titles may be any case.
	expect(await wrong("refuses nothing", "unit tests > refuses nothing")).toEqual({
		judged: 0,
		subjects: [],
	});
});

test("a case is not looked for where a run does not name its cases, or nothing ran", async () => {
	const tests_written = ["test/a.test.js > refuses nothing"];
	for (const found of [[], [ran("pass", null)]])
		expect(await wrongIn({ tests_written }, { evidence: found })).toEqual({
			judged: 1,
			subjects: [],
		});
});

test("a check that failed did not pass, by name or by command; without a value nobody knows", async () => {
	const red = { evidence: [ran("fail", null)] };
	for (const claim of ["tests", "Tests (12 passed)", "npm run  test:unit", "`npm run test:unit`"])
		expect(await wrongIn({ checks_passed: [claim] }, red)).toEqual({
			judged: 1,
			subjects: ["tests"],
		});
	for (const denied of ["tests: failed", "tests: 2 of 3 fail", "tests (not run)", "tests coverage"])
		expect(await wrongIn({ checks_passed: [denied] }, red)).toMatchObject({ judged: 0 });
	for (const claim of [
		"tests: 12 passed, 0 failed",
		"$ npm run test:unit",
		"tests - ok",
		"tests pass",
	])
		expect(await wrongIn({ checks_passed: [claim] }, red)).toMatchObject({ subjects: ["tests"] });
	const claimed = { checks_passed: ["tests"] };
	expect(await wrongIn(claimed, { evidence: [ran("pass", null)] })).toMatchObject({ subjects: [] });
	const error = { ...ran("fail", null), status: "error" as const };
	expect(await wrongIn(claimed, { evidence: [error] })).toEqual({ judged: 0, subjects: [] });
	expect(await wrongIn({ checks_passed: ["npm run build"] }, red)).toMatchObject({ judged: 0 });
});

test("each kind of false claim is told with its fact", () => {
	expect([
		falseClaimText({ kind: "file", said: "modified", file: "b.js" }),
		falseClaimText({ kind: "case", test: "a.test.js > x" }),
		falseClaimText({ kind: "check", check: "tests" }),
	]).toEqual([
		"b.js: reported as modified, but not in the diff",
		"a.test.js > x: reported as a written test, but its file has no such test, and none of that name ran",
		"tests: reported as passed, but it failed when Sparring ran it",
	]);
});
