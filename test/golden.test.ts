import { existsSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { z } from "zod";
import { processShell } from "../src/cli/process-shell.ts";
import { wholeProgram } from "../src/cli/program.ts";
import { nameOf } from "../src/cli/terminal/command.ts";
import { spread, thorough } from "./support/amount.ts";
import { type GoldenState, goldenState } from "./support/golden-state.ts";
import { type Line, markedUp, screenOf, textOf } from "./support/screen.ts";
import { spar, startSpar } from "./support/spar.ts";

/*
 * What every command shows, as files that a person reads: `test/golden/NAME/VARIANT.txt`. Run `npm run golden` after a change, and
 * read the difference as a user would.
 */

const FOLDER = join(import.meta.dirname, "golden");
const writes = process.env["SPAR_GOLDEN"] === "write";

/** Where a command prints to. A variant without a file shows what `80` shows. */
const VARIANTS = {
	"80": { columns: 80, env: { NO_COLOR: "1" } },
	"40": { columns: 40, env: { NO_COLOR: "1" } },
	"200": { columns: 200, env: { NO_COLOR: "1" } },
	colour: { columns: 80, env: {} },
	ci: { columns: 80, env: { NO_COLOR: "1", CI: "1" } },
	pipe: { columns: undefined, env: {} },
} as const;

type Variant = keyof typeof VARIANTS;

const EVERY: readonly Variant[] = ["80", "200", "ci", "40", "colour", "pipe"];
/** Where files are written, and in CI, all of them; else at 80 and at 40 columns. */
const ALL = writes || process.env["CI"] === "true" ? EVERY : spread(EVERY, 2);
/** For what no width changes. */
const ONCE: readonly Variant[] = ["80"];

interface Case {
	readonly args: string;
	readonly variants?: readonly Variant[];
	/** Hides what differs between machines. */
	readonly env?: Readonly<Record<string, string>>;
	/** Its lines belong to the project or to another program, and stay as they are. */
	readonly isRaw?: boolean;
	/** What `--json` prints, where it is not one document: lines of JSON, or there is no such option. */
	readonly json?: "lines" | "none";
}

/** Every command; a new one is a line here. `ITEM` and `OLD` stand for ids. The last ones change the state, in this order. */
const CASES: Readonly<Record<string, Case>> = {
	help: { args: "--help", json: "none" },
	"help-all": { args: "help --all", json: "none" },
	"help-run": { args: "run --help", json: "none" },
	"help-hil": { args: "hil --help", json: "none" },
	"usage-error": { args: "stats", json: "none" },
	fault: { args: "status 20260102-000000-none", json: "none" },
	validate: { args: "validate" },
	"validate-all": { args: "validate --all" },
	"validate-errors": { args: "validate wrong.yaml" },
	approve: { args: "approve" },
	"run-dry": { args: "run --dry-run" },
	status: { args: "status" },
	"status-failed": { args: "status OLD" },
	runs: { args: "runs" },
	watch: { args: "watch", json: "lines" },
	logs: { args: "logs limiter --turn 1", isRaw: true, json: "lines" },
	trace: { args: "trace limiter" },
	diff: { args: "diff limiter", isRaw: true },
	gate: { args: "gate limiter" },
	findings: { args: "findings limiter" },
	calibration: { args: "calibration" },
	"hil-list": { args: "hil list" },
	"hil-show": { args: "hil show ITEM" },
	report: { args: "report", isRaw: true },
	graph: { args: "graph", variants: ONCE, isRaw: true },
	completion: { args: "completion fish", variants: [] },
	"hil-ack": { args: "hil ack ITEM", variants: ONCE },
	"hil-resolve": { args: "hil resolve ITEM --take coach", variants: ONCE },
	land: { args: "land", variants: ONCE },
	cancel: { args: "cancel", variants: ONCE, json: "none" },
	prune: { args: "prune", variants: ONCE },
	init: { args: "init --force", variants: ["80", "40"], env: { PATH: "/nowhere" } },
};

/** Commands that are tried elsewhere: they start agents or programs, go on, or can be called once only. */
const ELSEWHERE =
	"answer,check,doctor,hil reject,mcp,plan,questions,resume,run,store migrate,ui,verifier,worker,workers list,workers drain".split(
		",",
	);

let state: GoldenState;
let ids: { run: string; old: string; item: string };

beforeAll(async () => {
	vi.useFakeTimers({ toFake: ["Date"] });
	state = await goldenState();
	const { stdout } = await spar(state.repo, ["runs", "--json"]);
	const items = await spar(state.repo, ["hil", "list", "--json"]);
	// What the commands are documented to print.
	const [{ run_id: run }, { run_id: old }] = JSON.parse(stdout) as [
		{ run_id: string },
		{ run_id: string },
	];
	const [{ id: item }] = JSON.parse(items.stdout) as [{ id: string }];
	ids = { run, old, item };
});

afterAll(() => {
	vi.useRealTimers();
	state.remove();
});

/** The same length for what differs from run to run, so that it takes the same room. */
function normalised(text: string): string {
	const hashes: string[] = [];
	const nth = (hash: string): string => {
		const known = hashes.findIndex((each) => each.startsWith(hash));
		return "0123456789abcdef".charAt((known === -1 ? hashes.push(hash) - 1 : known) % 16);
	};
	const whole = [...text.matchAll(/\b[0-9a-f]{40}\b/g)];
	for (const [hash] of whole) nth(hash);
	return text
		.replaceAll(state.repo.home, "/home/you".padEnd(state.repo.home.length, "/"))
		.replaceAll(ids.run, "20260102-050607-run2")
		.replaceAll(ids.old, "20260102-030405-run1")
		.replaceAll(ids.item, "item01")
		.replaceAll(/\/checkouts\/limiter-\w{12}/g, "/checkouts/limiter-repository00")
		.replaceAll(/(?<=\/player\/limiter-)[0-9a-f]{6}\b/g, "000000")
		.replaceAll(/\S+(?=\/docs\/user-guide\/)/g, "/sparring")
		.replaceAll(/\b(?:[0-9a-f]{40}|[0-9a-f]{12}|[0-9a-f]{10})\b/g, (hash) =>
			nth(hash).repeat(hash.length),
		)
		.replaceAll(/(?<=\bfrom \S+ )[0-9a-f]{7}\b/g, "0000000")
		.replaceAll(/\b\d\.\ds|(?<=used: \d+ calls?, )\d+\.\ds/g, "0.0s")
		.replaceAll(/\d+(?:\.\d)? (?:KiB|MiB)/g, "1.0 MiB");
}

const wordsOf = ({ args }: Case): string[] =>
	args.replace("ITEM", ids.item).replace("OLD", ids.old).split(" ");

/** What a person sees of a command. */
async function shownBy(each: Case, variant: Variant): Promise<Line[][]> {
	const { columns, env } = VARIANTS[variant];
	const { shown, stdout, stderr } = await spar(state.repo, wordsOf(each), {
		env: { PAGER: "cat", ...env, ...each.env },
		...(columns !== undefined && { columns }),
	});
	if (columns !== undefined) return await screenOf(shown, columns);
	const talk = stderr === "" ? [] : ["--- on standard error", ...stderr.trimEnd().split("\n")];
	const lines = [...stdout.trimEnd().split("\n"), ...talk];
	return lines.map((text) => [[{ text, colour: null, bold: false, dim: false }]]);
}

/** Lines that a terminal had to break, though there was a blank to break them at. */
function brokenByTerminal(lines: readonly Line[][], columns: number): string[] {
	return lines
		.filter((rows) => rows.length > 1)
		.map((rows) => rows.map(textOf).join("").trimEnd())
		.filter((line) => /\S\s+\S/.test(line) && !/^\s*\S+:?$/.test(line))
		.filter((line) => line.split(/\s+/).every((word) => word.length < columns));
}

const used = new Set<string>();

/** Compares what a command shows with its file, or writes that. */
function compare(name: string, variant: Variant, shown: string): void {
	const text = `${normalised(shown)}\n`;
	const file = join(FOLDER, name, `${variant}.txt`);
	const usual = join(FOLDER, name, "80.txt");
	if (writes) {
		mkdirSync(dirname(file), { recursive: true });
		const isUsual = variant !== "80" && readFileSync(usual, "utf8") === text;
		if (isUsual) rmSync(file, { force: true });
		else writeFileSync(file, text);
	}
	const expected = existsSync(file) ? file : usual;
	used.add(expected);
	expect(text, `${name} differs from ${expected}; npm run golden writes it`).toBe(
		readFileSync(expected, "utf8"),
	);
}

test.each(Object.entries(CASES))("%s", async (name, each) => {
	for (const variant of each.variants ?? ALL) {
		const lines = await shownBy(each, variant);
		const toText = variant === "colour" ? markedUp : textOf;
		compare(name, variant, lines.map((rows) => rows.map(toText).join("").trimEnd()).join("\n"));
		const { columns } = VARIANTS[variant];
		if (columns !== undefined && each.isRaw !== true) {
			expect(brokenByTerminal(lines, columns)).toEqual([]);
		}
	}
	if (each.json === "none") return;
	const { stdout } = await spar(state.repo, [...wordsOf(each), "--json"], {
		env: { ...each.env },
	});
	const documents = each.json === "lines" ? stdout.trimEnd().split("\n") : [stdout];
	for (const text of documents) expect(() => void JSON.parse(text), text).not.toThrow();
});

test("a run on a terminal", async () => {
	const lines = await screenOf(state.shownByRun, 80);
	compare("run", "80", lines.map((rows) => rows.map(textOf).join("").trimEnd()).join("\n"));
});

test("a secret with blanks is masked before a narrow terminal breaks its line", async () => {
	const secret = "correct horse battery staple";
	const env = { ANTHROPIC_API_KEY: secret };
	const { shown } = await spar(state.repo, ["status", secret], { env, columns: 24 });
	expect(shown).toContain("MASKED");
	expect(shown).not.toContain("horse");
});

/** Writes what a process has loaded at its end; an address for `--import`. */
const LIST_LOADED = `data:text/javascript,${encodeURIComponent(`
import { createRequire } from "node:module";
import { writeFileSync } from "node:fs";
const { cache } = createRequire("/");
process.on("exit", () => writeFileSync(process.env.LOADED, JSON.stringify(Object.keys(cache))));`)}`;

thorough(
	"to show where a run stands, ended or failed, loads one part of the program, and no package by itself",
	async () => {
		const file = join(state.repo.root, ".sparring/loaded.json");
		const env = { LOADED: file };
		for (const run of [ids.run, ids.old]) {
			const { ended } = startSpar(state.repo, ["status", run], { env, preload: LIST_LOADED });
			expect((await ended).code).toBe(0);
			const loaded = z.array(z.string()).parse(JSON.parse(readFileSync(file, "utf8")));
			const parts = loaded.map((path) => basename(path).replace(/-[\w-]{8}\.js$/, ""));
			expect(parts).toEqual(["main.js", "start", "rolldown-runtime", "read"]);
		}
	},
);

test("ids that exist are offered to a shell", async () => {
	const { stdout } = await spar(state.repo, ["complete", "--", "trace", ""]);
	expect(stdout).toBe("limiter\t\ndocs\t\nrelease\t\n:4\n");
	expect((await spar(state.repo, ["complete", "--", "status", ""])).stdout).toContain(ids.run);
});

test("a line that a terminal had to break at a blank is found, a long word is not", async () => {
	const lines = await screenOf("one two three\na-word-longer-than-the-line\n", 9);
	expect(brokenByTerminal(lines, 9)).toEqual(["one two three"]);
});

thorough("every command is tried here or said to be tried elsewhere", async () => {
	const program = await wholeProgram(processShell());
	const names = program.commands
		.flatMap((command) => (command.commands.length === 0 ? [command] : command.commands))
		.map((command) => nameOf(command).replace("spar ", ""))
		.filter((name) => !name.startsWith("help"));
	const tried = Object.values(CASES).map(({ args }) => args);
	const isTried = (name: string): boolean =>
		ELSEWHERE.includes(name) || tried.some((args) => `${args} `.startsWith(`${name} `));
	expect(names.length).toBeGreaterThan(20);
	expect(names.filter((name) => !isTried(name))).toEqual([]);
});

// What is skipped counts as a failure in CI, so it is not registered where some variants are left out.
if (ALL.length === EVERY.length) {
	test("every golden file is looked at", () => {
		const files = globSync(join(FOLDER, "**/*.txt"));
		expect(files.length).toBeGreaterThan(80);
		expect(files.filter((file) => !used.has(file))).toEqual([]);
	});
}
