import { expect, test } from "vitest";
import { inspect } from "./inspect.fixture.ts";

const section = (...lines: string[]) =>
	['[submodule "sub"]', "\tpath = sub", "\turl = https://example.org/sub.git", ...lines, ""].join(
		"\n",
	);

const said = async (text: string, name = ".gitmodules") =>
	(await inspect({}, { [name]: text })).violations;

test("a .gitmodules that git accepts is not a violation", async () => {
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
	["update = !touch pwned", "update runs a command"],
	['update = "!touch pwned"', "update runs a command"],
	["UPDATE=!x", "update runs a command"],
	["update = \\\n!x", "update runs a command"],
	["update = always", "unknown"],
	["url = -uexec", "starts with a dash"],
	["url = ext::sh -c x", "url runs a command"],
	['url = "a\\nb"', "control character"],
	["path = --upload", "starts with a dash"],
	["path = a/../../b", "points outside"],
	["path = /etc", "points outside"],
	["bad line [[[", "cannot read"],
])("a .gitmodules with %j blocks", async (line, words) => {
	const [violation, ...more] = await said(section(`\t${line}`));
	expect(violation).toContain(words);
	expect(more).toEqual([]);
});

test("a name with .. blocks, and so does a .gitmodules in other letter case", async () => {
	expect(await said('[submodule "../x"]\n')).toEqual([
		".gitmodules: the submodule configuration was added; remove it (the name ../x points outside of its directory)",
	]);
	expect(await said(section("\tupdate = !x"), ".GitModules")).toHaveLength(1);
	expect(await said(section("\tupdate = !x"), "lib/.gitmodules")).toEqual([]);
});

test("a .gitmodules that is a link blocks", async () => {
	const { violations } = await inspect(
		{},
		{ ".gitmodules": "other" },
		{ modes: { ".gitmodules": "120000" } },
	);
	expect(violations).toEqual([
		".gitmodules: the submodule configuration must be a file, not a link",
	]);
});
