import { expect, test } from "vitest";
import { inspect } from "../fixtures/inspect.ts";

const section = (...lines: string[]) =>
	['[submodule "sub"]', "\tpath = sub", "\turl = https://example.org/sub.git", ...lines, ""].join(
		"\n",
	);

const said = async (text: string, name = ".gitmodules") =>
	(await inspect({}, { [name]: text })).violations;

test("settings of submodules that git takes are no violation", async () => {
	for (const text of [
		"",
		section(),
		section("\tupdate = rebase", "\tbranch = main # of theirs", "; comment", "\tshallow"),
		'[submodule "a b"] path = "a b"\n\turl = ../other.git\n',
		"[core]\n\tx = y\n",
	]) {
		expect(await said(text)).toEqual([]);
	}
});

test.each([
	["update = !touch pwned", "update starts a command"],
	['update = "!touch pwned"', "update starts a command"],
	["UPDATE=!x", "update starts a command"],
	["update = \\\n!x", "update starts a command"],
	["update = always", "unknown"],
	["url = -uexec", "begins with a dash"],
	["url = ext::sh -c x", "url starts a command"],
	['url = "a\\nb"', "control character"],
	["path = --upload", "begins with a dash"],
	["path = a/../../b", "leads out"],
	["path = /etc", "leads out"],
	["bad line [[[", "cannot read"],
])("settings of submodules with %j block", async (line, words) => {
	const [violation, ...more] = await said(section(`\t${line}`));
	expect(violation).toContain(words);
	expect(more).toEqual([]);
});

test("a name that climbs blocks, and so does a file that only some systems take for the same", async () => {
	expect(await said('[submodule "../x"]\n')).toEqual([
		".gitmodules: settings of submodules was added; remove it (the name ../x leads out of its place)",
	]);
	expect(await said(section("\tupdate = !x"), ".GitModules")).toHaveLength(1);
	expect(await said(section("\tupdate = !x"), "lib/.gitmodules")).toEqual([]);
});

test("settings of submodules that are a link block", async () => {
	const { violations } = await inspect(
		{},
		{ ".gitmodules": "other" },
		{ modes: { ".gitmodules": "120000" } },
	);
	expect(violations).toEqual([".gitmodules: settings of submodules must be a file, not a link"]);
});
