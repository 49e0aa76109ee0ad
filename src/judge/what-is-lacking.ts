import { existsSync, readdirSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { builtFiles } from "../checks/built-files.ts";
import { rootsOf } from "../checks/read-outcome.ts";
import type { Evidence } from "../evidence/evidence.ts";
import { namedPaths } from "../evidence/named-paths.ts";
import { isTestFile } from "../evidence/test-files.ts";
import { type CommitView, commitView } from "../formats/commit-view.ts";
import { kindOf } from "../git/file-tree.ts";
import { childEnvironment } from "../process/environment.ts";
import { FOLDERS } from "../process/own-home.ts";
import { homeOf } from "../setups/execution.ts";
import { isDependencies } from "../setups/kept/kept-setups.ts";
import type { GroundProblem } from "./ground-problems.ts";
import type { Stand } from "./stand.ts";
import { tellingLines } from "./telling-lines.ts";

type Lacking = Extract<GroundProblem, { kind: "lacking" }>;

/** Words in which programs say that a file is not there. */
const ABSENT =
	/no such file|ENOENT|not (?:found|exist)|n't (?:find|open|exist)|(?:cannot|could not) (?:find|open|read)|missing/i;
const LONGEST_SAID = 200;

interface Greener {
	readonly start: string;
	/** As it ran in our checkout. */
	readonly piece: Evidence;
	/** Cases that are green where the user works. */
	readonly cases: readonly string[];
	/** Ignored files of the user that were there. */
	readonly added: readonly string[];
}

/**
 * Names what a check may lack in the checkouts: what its output names, else what the tests do, else the product; where
 * nothing is named, all that differs. That something is lacking a run has shown; this is advice alone.
 */
export async function whatIsLacking(ground: Stand, greener: Greener): Promise<Lacking> {
	const { piece, cases, added } = greener;
	const { root } = ground.vault.repository;
	const output = outputOf(piece, cases);
	const checkout = ground.places.checks.dir;
	const extra = variablesBesides(ground);
	const view = commitView(ground.vault, greener.start, greener.start);
	const inOutput = {
		variables: wordsIn([output], extra),
		paths: added.filter((path) =>
			saidAbsent(output, checkout, root).some((each) => isWithin(each, path)),
		),
		home: homePaths(output, checkout, ground.userEnvironment()["HOME"] ?? ""),
	};
	const others = added.filter((path) => !isDependencies([path]));
	// What sees the user's home has their variables, too.
	const home = ground.shown === undefined ? ["~"] : [];
	const all = { variables: [], paths: others.length > 0 ? others : added, home };
	const named = isNone(inOutput) ? await inSources(view, greener, extra) : inOutput;
	const lacks = isNone(named) ? all : named;
	const by = remedyOf(root, lacks.paths, await view.files());
	return {
		kind: "lacking",
		check: piece.check,
		cases,
		said: firstWords(piece, cases),
		...lacks,
		by,
	};
}

type Lacks = Pick<Lacking, "variables" | "paths" | "home">;

const isNone = ({ variables, paths, home }: Lacks): boolean =>
	variables.length + paths.length + home.length === 0;

function variablesBesides({ environment, userEnvironment, workflow }: Stand): ReadonlySet<string> {
	const given = environment(workflow.env ?? []);
	// Each execution has it.
	return new Set(
		Object.keys(userEnvironment()).filter((name) => !(name in given) && name !== "CI"),
	);
}

function outputOf({ cases, outputTail }: Evidence, lacking: readonly string[]): string {
	const messages = (cases ?? []).filter(({ id }) => lacking.includes(id));
	return [...messages.flatMap(({ message }) => message ?? []), outputTail].join("\n");
}

function firstWords(piece: Evidence, lacking: readonly string[]): string[] {
	const { cases, details, outputTail, status } = piece;
	const said = cases?.find(({ id, message }) => lacking.includes(id) && message)?.message;
	const first = (said ?? details[0] ?? "").split("\n").find((line) => line.trim() !== "");
	if (first !== undefined && !lacking.includes(first)) return [first.slice(0, LONGEST_SAID)];
	// A test that skips itself has no words.
	return status === "pass" ? [] : tellingLines({ status: "error", outputTail }).slice(0, 1);
}

function wordsIn(texts: Iterable<string>, names: ReadonlySet<string>): string[] {
	const found = new Set<string>();
	for (const text of texts)
		for (const [word] of text.matchAll(/[A-Za-z_][A-Za-z0-9_]*/g))
			if (names.has(word)) found.add(word);
	return [...found];
}

// `$NAME`, `${NAME`, `env.NAME`, `environ["NAME"]`, `getenv("NAME"`, `{ NAME } = process.env`: a bare word may be anything.
const READ =
	/env\w*(?:(?:\.|::)\w+)?!?\s*[[(]\s*["'`](\w+)|(?:\$\{?|\benv(?:iron)?\.)(\w+)|\{([^{}]*)\}\s*=\s*process\.env/gi;

const variablesRead = (texts: Iterable<string>, names: ReadonlySet<string>): string[] =>
	wordsIn(
		[...texts].flatMap((text) => [...text.matchAll(READ)].map((found) => found.slice(1).join(" "))),
		names,
	);

/** Things that red tests use of the user's variables and home, such as `~/.cache/browser`; none may be the cause. */
export async function usedOfUser(
	{ vault, workflow, userEnvironment, places }: Stand,
	pair: Readonly<Record<"start" | "commit", string>>,
	{ piece, cases }: Pick<Greener, "piece" | "cases">,
): Promise<string[]> {
	const env = userEnvironment();
	const given = childEnvironment(env, workflow.env);
	const extra = new Set(Object.keys(env).filter((name) => !(name in given) && name !== "CI"));
	const tests = await testsOf(commitView(vault, pair.start, pair.commit), piece, cases);
	// A stack trace names the checkout, which may stand in the home.
	const ours = rootsOf(dirname(dirname(places.checks.dir))).map((root) => `${root}/`);
	const output = ours.reduce((text, root) => text.replaceAll(root, ""), outputOf(piece, cases));
	const texts = [...tests.values(), output];
	const { HOME: home = "" } = env;
	return [...variablesRead(texts, extra), ...texts.flatMap((text) => placesInHome(text, home))];
}

// `$HOME/.cache/x`, and `join(homedir(), ".cache", "x")` too.
function placesInHome(text: string, home: string): string[] {
	const plain = text.replaceAll(`${home}/`, "~/").replace(/["'`,(){}+\s/]+/g, "/");
	const named = [
		...plain.matchAll(/(?:(XDG_\w+_HOME)|home(?:_?dir)?|~)\/([\w.@-]+(?:\/[\w.@-]+){0,2})/gi),
	].map(([, variable = "", rest = ""]) => {
		const folder = Object.entries(FOLDERS).find(([name]) => name === variable)?.[1];
		return folder === undefined ? rest : `${folder}/${rest}`;
	});
	return named.flatMap((path) => {
		const folder = Object.values(FOLDERS).find((each) => path.startsWith(`${each}/`));
		const depth = folder === undefined ? 1 : folder.split("/").length + 1;
		const place = path.split("/").slice(0, depth).join("/");
		return place.startsWith(".") && existsSync(join(home, place)) ? [`~/${place}`] : [];
	});
}

const isWithin = (path: string, there: string): boolean =>
	path === there.replace(/\/$/, "") || (there.endsWith("/") && path.startsWith(there));

function saidAbsent(output: string, checkout: string, root: string): string[] {
	const lines = output.split("\n").filter((line) => ABSENT.test(line));
	return namedPaths(lines.join("\n"), [...rootsOf(checkout), root]).filter(
		(path) =>
			/[./]/.test(path) && existsSync(join(root, path)) && !existsSync(join(checkout, path)),
	);
}

// What an output names below the home of checks, and the user's home has.
function homePaths(output: string, checkout: string, home: string): string[] {
	const below = rootsOf(homeOf(checkout)).flatMap((own) =>
		output
			.split(`${own}/`)
			.slice(1)
			.flatMap((rest) => /^[^\s"'`:;,)]+/.exec(rest)?.[0] ?? []),
	);
	const there = below.map((path) => path.replace(/\.$/, ""));
	return [...new Set(there)]
		.filter((path) => existsSync(join(home, path)))
		.map((path) => `~/${path}`);
}

async function inSources(
	view: CommitView,
	{ piece, cases, added }: Greener,
	extra: ReadonlySet<string>,
): Promise<Lacks> {
	const own = [...(await testsOf(view, piece, cases))];
	const namedIn = (texts: readonly (readonly [string, string])[]): Lacks => {
		const words = texts.flatMap(([file, text]) => namedPaths(text, [], file));
		const paths = added.filter((path) => words.some((word) => isWithin(word, path)));
		return {
			variables: variablesRead(
				texts.map(([, text]) => text),
				extra,
			),
			paths,
			home: [],
		};
	};
	const ofTests = namedIn(own);
	// An ignore file names what is there, and nobody's need.
	const others = [...(await view.files())].filter((path) => !path.endsWith("ignore"));
	return isNone(ofTests) ? namedIn([...(await view.texts(others))]) : ofTests;
}

/** Sources of the tests that a check's output or its cases name. */
async function testsOf(
	view: CommitView,
	{ outputTail }: Evidence,
	cases: readonly string[],
): Promise<ReadonlyMap<string, string>> {
	const leaves = cases.map((id) => id.split(/ > |::/).at(-1) ?? id);
	const isNamed = (path: string): boolean =>
		[outputTail, ...cases].some((text) => text.includes(path)) || leaves.includes(basename(path));
	const paths = [...(await view.files())].filter((path) => isTestFile(path) || isNamed(path));
	const texts = await view.texts(paths);
	return new Map(
		[...texts].filter(
			([path, text]) => isNamed(path) || leaves.some((leaf) => text.includes(leaf)),
		),
	);
}

function remedyOf(
	root: string,
	paths: readonly string[],
	tracked: ReadonlySet<string>,
): Lacking["by"] {
	const kinds = paths.map((path) => kindOf(join(root, path.replace(/\/$/, ""))));
	if (paths.length > 0 && (isDependencies(paths) || kinds.includes("link"))) return "setup";
	const files = paths.flatMap((path, index) =>
		kinds[index] === "directory"
			? readdirSync(join(root, path), { recursive: true, encoding: "utf8" })
			: [path],
	);
	return builtFiles(files, tracked).length > 0 ? "build" : "copy";
}
