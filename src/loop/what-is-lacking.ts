import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { builtFiles } from "../checks/built-files.ts";
import { rootsOf } from "../checks/read-outcome.ts";
import type { Evidence } from "../evidence/evidence.ts";
import { namedPaths } from "../evidence/named-paths.ts";
import { isTestFile } from "../evidence/test-files.ts";
import { type CommitView, commitView } from "../formats/commit-view.ts";
import { kindOf } from "../git/file-tree.ts";
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
	const all = { variables: [], paths: others.length > 0 ? others : added, home: ["~"] };
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
	const isNamed = (path: string): boolean =>
		[piece.outputTail, ...cases].some((text) => text.includes(path));
	const files = [...(await view.files())];
	const leaves = cases.map((id) => id.split(/ > |::/).at(-1) ?? id);
	const tests = await view.texts(files.filter((path) => isTestFile(path) || isNamed(path)));
	const own = [...tests].filter(
		([path, text]) => isNamed(path) || leaves.some((leaf) => text.includes(leaf)),
	);
	const namedIn = (texts: readonly (readonly [string, string])[]): Lacks => {
		const words = texts.flatMap(([file, text]) => namedPaths(text, [], file));
		const paths = added.filter((path) => words.some((word) => isWithin(word, path)));
		return {
			variables: wordsIn(
				texts.map(([, text]) => text),
				extra,
			),
			paths,
			home: [],
		};
	};
	const ofTests = namedIn(own);
	// An ignore file names what is there, and nobody's need.
	const others = files.filter((path) => !path.endsWith(".gitignore"));
	return isNone(ofTests) ? namedIn([...(await view.texts(others))]) : ofTests;
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
