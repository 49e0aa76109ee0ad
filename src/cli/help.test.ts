import { existsSync } from "node:fs";
import type { Command } from "commander";
import { expect, test } from "vitest";
import { COMMANDS } from "./command-table.ts";
import { fakeShell, humanItem, spar } from "./fakes.contract.ts";
import { wholeProgram } from "./program.ts";
import { nameOf } from "./terminal/command.ts";

/** The commands that do something: `hil` alone only has others below it. */
const leavesOf = (command: Command): Command[] =>
	command.commands.length === 0 ? [command] : command.commands.flatMap(leavesOf);

const shell = fakeShell();
const program = await wholeProgram(shell);
const leaves = leavesOf(program).filter((command) => command.name() !== "help");
const byName = leaves.map((command) => [nameOf(command), command] as const);

/** The help of a command as it is printed, in 80 columns. */
function helpOf(command: Command): string {
	shell.printed.out = "";
	command.outputHelp();
	return shell.printed.out;
}

/** Its examples, one line each. */
function examplesOf(command: Command): string[] {
	const [shown = ""] = helpOf(command).split("\n\n");
	return shown
		.replace(/^Example: /, "")
		.replaceAll(/ \\\n +/g, " ")
		.split("\n")
		.map((line) => line.trim());
}

/** The calls of spar in a line for a shell, each as its words without `spar`. */
function callsIn(line: string): string[][] {
	return line.split(/&&|\||>|<\(|\)/).flatMap((part) => {
		const words = [...part.matchAll(/"([^"]*)"|(\S+)/g)].map(([, quoted, bare]) => quoted ?? bare);
		return words[0] === "spar" ? [words.slice(1).map(String)] : [];
	});
}

/** Reads words as the command line would, and does nothing. Gives the name of the command that would run. */
async function parsed(words: readonly string[]): Promise<string> {
	const quiet = await wholeProgram(fakeShell());
	let command = quiet;
	let rest = words;
	for (let next: Command | undefined = command; next !== undefined; ) {
		command = next;
		next = command.commands.find((each) => each.name() === rest[0]);
		if (next !== undefined) rest = rest.slice(1);
	}
	await command.action(() => undefined).parseAsync(rest, { from: "user" });
	return nameOf(command);
}

test("there are many commands, each in a group of the help", () => {
	expect(leaves.length).toBeGreaterThan(20);
	const help = helpOf(program);
	for (const [name, { group }] of COMMANDS) {
		const [, listed = ""] = help.split(`\n${group}:\n`);
		expect(listed.split("\n\n")[0], name).toMatch(new RegExp(`^ {2}${name}( |$)`, "m"));
	}
});

test.each(byName)(
	"the help of %s starts with three examples that it accepts",
	async (name, leaf) => {
		const examples = examplesOf(leaf);
		expect(new Set(examples).size).toBe(3);
		for (const example of examples) {
			const calls = await Promise.all(callsIn(example).map(parsed));
			expect(calls, example).toContain(name);
		}
	},
);

test("an example with an option that is gone, or without an argument, is found", async () => {
	await expect(parsed(["run", "--gone"])).rejects.toThrow("unknown option '--gone'");
	await expect(parsed(["hil", "show"])).rejects.toThrow("missing required argument");
});

test.each(byName)("the help of %s ends with a page of the guide that exists", (_name, leaf) => {
	const [, page = ""] = /\nDocs:\n +(\S+)\s*$/.exec(helpOf(leaf)) ?? [];
	expect(existsSync(page), page).toBe(true);
});

test.each(byName)("%s takes --json", (_name, leaf) => {
	expect(leaf.options.map(({ long }) => long)).toContain("--json");
});

test.each([40, 60])(
	"no line of a help is wider than %d columns, but a word that is",
	async (columns) => {
		const narrow = fakeShell({ terminal: true, columns });
		const wide = leavesOf(await wholeProgram(narrow)).flatMap((command) => {
			narrow.printed.out = "";
			command.outputHelp();
			const lines = narrow.printed.out.split("\n");
			return lines.filter((line) => line.length > columns && /\S +\S/.test(line.slice(9)));
		});
		expect(wide).toEqual([]);
	},
);

test("help of a command that does not exist is refused, with the near name", async () => {
	const { code, err } = await spar(["help", "rport"]);
	expect(code).toBe(2);
	expect(err).toContain("unknown command 'rport'");
	expect(err).toContain("report");
});

test("spar hil alone lists the questions, and refuses a word that is no command of it", async () => {
	const item = humanItem({ id: "H7" });
	const sparring = { items: () => Promise.resolve([item]) };
	for (const args of [["hil"], ["hil", "--json"], ["hil", "list"]])
		expect((await spar(args, { sparring })).out).toContain("H7");
	const { code, out, err } = await spar(["hil", "shw", "H7"], { sparring });
	expect([code, out]).toEqual([2, ""]);
	expect(err).toContain("unknown command 'shw'\n(Did you mean show?)");
	expect((await spar(["hil", "--bad"], { sparring })).code).toBe(2);
});

test("the first page has a dozen commands, and says how to see the rest", async () => {
	const { out } = await spar(["--help"]);
	const commands = out.match(/^ {2}[a-z]+ .*$/gm) ?? [];
	expect(commands.length).toBeLessThanOrEqual(13);
	expect(out).toContain("All commands and exit codes: spar help --all");
	const all = (await spar(["help", "--all"])).out;
	for (const name of COMMANDS.keys()) expect(all).toMatch(new RegExp(`^ {2}${name}( |$)`, "m"));
});
