import { mkdir, mkdtemp, readFile, rm, symlink, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { readReport } from "./report-file.ts";
import { clearReports, readReports } from "./report-files.ts";

let dir = "";
beforeEach(async () => {
	dir = await mkdtemp(path.join(tmpdir(), "spar-reports-"));
});
afterEach(async () => {
	await rm(dir, { recursive: true, force: true });
});

async function put(name: string, text: string | Uint8Array, old = false): Promise<void> {
	const file = path.join(dir, name);
	await mkdir(path.dirname(file), { recursive: true });
	await writeFile(file, text);
	if (old) await utimes(file, 1, 1);
}
const suite = (...names: string[]) =>
	`<?xml version="1.0"?>\n<testsuite name="s">${names.map((name) => `<testcase classname="c" name="${name}"/>`).join("")}</testsuite>`;
const GLOB = { format: "junit", pattern: "**/target/*.xml" } as const;
const read = async () => {
	const found = await readReports(dir, GLOB, 1_000_000);
	return found.kind === "cases" ? found.cases.map(({ id, status }) => `${id} ${status}`) : found;
};

test("the reports of all modules are summed, and equal names stay distinct", async () => {
	await put("a/target/TEST-a.xml", suite("x", "y"));
	await put("b/target/TEST-b.xml", suite("x"));
	expect(await read()).toEqual(["c > x passed", "c > y passed", "c > x #2 passed"]);
});

test("old reports are cleared, and other files that the glob matches stay", async () => {
	await put("a/target/TEST-a.xml", suite("old"), true);
	await put("a/target/pom.xml", "<project/>", true);
	expect(await clearReports(dir, GLOB.pattern)).toBeUndefined();
	expect(await read()).toEqual({
		kind: "missing",
		reason: "the check wrote no report at **/target/*.xml",
	});
	expect(await readFile(path.join(dir, "a/target/pom.xml"), "utf8")).toBe("<project/>");
});

test("XML of another kind that the run wrote does not count, and a broken file does", async () => {
	await put("a/target/TEST-a.xml", suite("x"));
	await put(
		"a/target/logback.xml",
		'<?xml version="1.0"?>\n<configuration><root/></configuration>\n',
	);
	expect(await read()).toEqual(["c > x passed"]);
	await put("a/target/cut.xml", "<configuration><root/>");
	expect(await read()).toMatchObject({ kind: "invalid" });
});

test("one that is older than the run, broken, or lies outside counts for nothing", async () => {
	await put("b/target/TEST-b.xml", suite("x"));
	await put("a/target/TEST-a.xml", suite("old"), true);
	expect(await read()).toMatchObject({
		kind: "missing",
		reason: expect.stringContaining("older") as unknown,
	});
	await put("a/target/TEST-a.xml", '<testsuite><testcase name="z"><failure/>');
	expect(await read()).toMatchObject({
		kind: "invalid",
		reason: expect.stringContaining("a/target/TEST-a.xml: not well-formed XML") as unknown,
		failed: ["z"],
	});
	await rm(path.join(dir, "a"), { recursive: true });
	await mkdir(path.join(dir, "out"));
	await symlink(tmpdir(), path.join(dir, "out", "target"));
	await put("b/target/link.txt", "");
	await symlink(path.join(dir, "b/target/TEST-b.xml"), path.join(dir, "b/target/c.xml"));
	expect(await read()).toEqual(["c > x passed"]);
});

const LATIN =
	'<?xml version="1.0" encoding="ISO-8859-1"?><testsuite><testcase name="größe"/></testsuite>';
test.each<[string, Uint8Array]>([
	["ISO-8859-1", Buffer.from(LATIN, "latin1")],
	["UTF-16 with a mark", Buffer.from(`\uFEFF${LATIN.replace("ISO-8859-1", "UTF-16")}`, "utf16le")],
	["UTF-16 without one", Buffer.from(LATIN.replace("ISO-8859-1", "UTF-16"), "utf16le")],
	["UTF-16, high byte first", Buffer.from(`\uFEFF${LATIN}`, "utf16le").swap16()],
	["UTF-8 with a mark", Buffer.from(`\uFEFF${LATIN}`)],
	["UTF-8 that says UTF-16", Buffer.from(LATIN.replace("ISO-8859-1", "UTF-16"))],
])("a report in %s keeps its letters", async (_what, bytes) => {
	await put("r.xml", bytes);
	expect(await readReport(dir, "r.xml", 0)).toMatchObject({
		kind: "text",
		text: expect.stringContaining('name="größe"') as unknown,
	});
});

test("an encoding that nobody knows is said", async () => {
	await put("r.xml", '<?xml version="1.0" encoding="klingon"?><testsuite/>');
	expect(await readReport(dir, "r.xml", 0)).toEqual({
		kind: "invalid",
		reason: "r.xml is in the encoding klingon, which is not known",
	});
});
