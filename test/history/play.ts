import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { z } from "zod";
import { COMPILED, PROGRAM } from "../support/program.ts";
import type { Answer, History, PlayedCommit } from "./list.ts";
import {
	failedLines,
	isProductFile,
	isTestFile,
	mutations,
	withoutAssertions,
	withoutCase,
} from "./variants.ts";

const checkReport = z.looseObject({
	verdict: z.enum(["pass", "review", "fail"]),
	checks: z.array(
		z.looseObject({
			kind: z.string(),
			status: z.string(),
			blocks: z.boolean(),
			reason: z.string().nullable(),
		}),
	),
	integrity: z.looseObject({ violations: z.array(z.string()) }),
	suspicions: z.array(z.looseObject({ rule: z.string(), file: z.string(), what: z.string() })),
});

interface Ran {
	readonly status: number;
	readonly stdout: string;
	readonly stderr: string;
	/** Processor time of it and its children. */
	readonly seconds: number;
}

type Edits = Readonly<Record<string, string>>;

/** How much of a mutated product is tried, and how often assertions are taken away until it is green. */
const LIMITS = { mutations: 4, rounds: 8 };

/** A clone of a repository in which its commits are played. */
class Place {
	readonly #home = mkdtempSync(join(tmpdir(), "spar-history-"));
	readonly #root = join(this.#home, "clone");
	readonly #history: History;

	constructor(source: string, history: History) {
		this.#history = history;
		this.run(["git", "clone", "--quiet", "--no-checkout", source, this.#root], {}, this.#home);
	}

	/** Runs a program; it throws where it fails, unless its status is asked for. */
	run(
		words: readonly string[],
		{ input, env = {}, mayFail = false }: RunOptions = {},
		cwd = this.#root,
	): Ran {
		const own = {
			...process.env,
			HOME: this.#home,
			CI: "true",
			NODE_COMPILE_CACHE: COMPILED,
			GIT_CONFIG_NOSYSTEM: "1",
			...env,
		};
		const path = `${dirname(process.execPath)}:${process.env["PATH"]}`;
		// The shell's own times, and its children's.
		const script = `"$@"; code=$?; times >&3; exit $code`;
		const { status, output } = spawnSync("sh", ["-c", script, "sh", ...words], {
			cwd,
			env: words[0] === "node" ? { ...own, PATH: path } : own,
			...(input === undefined ? {} : { input }),
			stdio: ["pipe", "pipe", "pipe", "pipe"],
			encoding: "utf8",
			maxBuffer: 1 << 28,
		});
		const [, stdout = "", stderr = "", times = ""] = output;
		if (status !== 0 && !mayFail) throw new Error(`${words.join(" ")} failed: ${stderr}`);
		const children = [...(times ?? "").matchAll(/(\d+)m([\d.]+)s/g)].slice(2);
		const seconds = children.reduce(
			(sum, [, minutes, own]) => sum + Number(minutes) * 60 + Number(own),
			0,
		);
		return { status: status ?? -1, stdout: stdout ?? "", stderr: stderr ?? "", seconds };
	}

	git(...args: readonly string[]): string {
		return this.run(["git", ...args]).stdout.trimEnd();
	}

	text(commit: string, file: string): string | undefined {
		const { status, stdout } = this.run(["git", "show", `${commit}:${file}`], { mayFail: true });
		return status === 0 ? stdout : undefined;
	}

	/** The tree of a commit with the checks' file and edits, as a commit of the same message. */
	commit(tree: string, parent: string | null, message: string, edits: Edits = {}): string {
		const { command, setup } = this.#history;
		const checks = { tests: { kind: "acceptance", timeout: "10m", run: command } };
		// JSON is YAML.
		const file = JSON.stringify({ version: 1, ...(setup.length > 0 ? { setup } : {}), checks });
		const env = { GIT_INDEX_FILE: join(this.#home, "index") };
		const staged = (...args: readonly string[]) => this.run(["git", ...args], { env });
		staged("read-tree", tree);
		for (const [path, content] of Object.entries({ ...edits, "sparring.yaml": file })) {
			const made = this.run(["git", "hash-object", "-w", "--stdin"], { input: content });
			staged("update-index", "--add", "--cacheinfo", `100644,${made.stdout.trim()},${path}`);
		}
		const made = staged("write-tree").stdout.trim();
		const above = parent === null ? [] : ["-p", parent];
		const who = ["-c", "user.name=Player", "-c", "user.email=player@example.invalid"];
		const words = ["git", ...who, "commit-tree", made, ...above];
		return this.run(words, { input: message }).stdout.trim();
	}

	/** The verdict of the whole program on a commit against another. */
	check(commit: string, base: string): { readonly answer: Answer; readonly seconds: number } {
		const args = ["check", commit, "--base", base, "--json"];
		this.git("update-ref", "refs/heads/work", commit);
		this.git("update-ref", "refs/heads/base", base);
		const { stdout, stderr, seconds } = this.run(["node", PROGRAM, ...args], { mayFail: true });
		if (stdout === "")
			return {
				seconds,
				answer: { verdict: "none", reasons: [stderr.slice(-800)], isGreen: false, questions: [] },
			};
		const { verdict, checks, integrity, suspicions } = checkReport.parse(JSON.parse(stdout));
		const failed = checks.flatMap(({ blocks, reason }) => (blocks ? [reason ?? ""] : []));
		const isGreen = checks
			.filter(({ kind }) => kind === "acceptance")
			.every(({ status }) => status === "pass");
		const questions = suspicions.map(({ rule, file, what }) => {
			return { rule, file, what, judgement: null, because: "" };
		});
		return {
			seconds,
			answer: { verdict, reasons: [...integrity.violations, ...failed], isGreen, questions },
		};
	}

	/** Checks a tree out for runs of its suite; what they say with some files replaced. */
	suite(commit: string): (edits: Edits) => Ran {
		const root = mkdtempSync(join(this.#home, "suite-"));
		this.run(["git", "clone", "--quiet", "--no-checkout", this.#root, root]);
		const sh = (script: string, mayFail = false) =>
			this.run(["sh", "-c", script], { mayFail }, root);
		sh(`git checkout --quiet --force ${commit}`);
		for (const command of this.#history.setup) sh(command);
		return (edits) => {
			sh("git checkout --quiet --force HEAD -- .");
			for (const [path, text] of Object.entries(edits))
				this.run(["sh", "-c", 'cat > "$0"', path], { input: text }, root);
			return sh(this.#history.command, true);
		};
	}

	remove(): void {
		rmSync(this.#home, { recursive: true, force: true, maxRetries: 3 });
	}
}

interface RunOptions {
	readonly input?: string;
	readonly env?: Readonly<Record<string, string>>;
	readonly mayFail?: boolean;
}

interface Variant {
	readonly kind: string;
	readonly what: string;
	readonly edits: Edits;
}

/** One case of the base gone, for no reason. */
function caseGone(place: Place, base: string, files: readonly string[]): Variant | undefined {
	for (const file of files) {
		const shortened = withoutCase(place.text(base, file) ?? "");
		const now = shortened && withoutCase(place.text("work", file) ?? "", shortened.gone);
		if (now !== undefined)
			return { kind: "case-gone", what: `${file}: ${now.gone}`, edits: { [file]: now.text } };
	}
	return;
}

/** The edits with the assertions that were red gone as well, until the suite is green; undefined where that does not end. */
function madeGreen(
	place: Place,
	run: (edits: Edits) => Ran,
	tests: readonly string[],
	edits: Edits,
): Edits | undefined {
	let [now, ran] = [edits, run(edits)];
	// A product that nobody notices is no variant of dishonest tests.
	if (ran.status === 0) return;
	for (let round = 0; round < LIMITS.rounds; round += 1) {
		const found = failedLines(ran.stdout + ran.stderr, tests);
		const shorter = [...found].flatMap(([test, lines]) => {
			const left = withoutAssertions(now[test] ?? place.text("work", test) ?? "", lines);
			return left === undefined ? [] : [[test, left] as const];
		});
		if (shorter.length === 0) return;
		now = { ...now, ...Object.fromEntries(shorter) };
		ran = run(now);
		if (ran.status === 0) return now;
	}
	return;
}

/** Whether the edits take a line from a test that the base has: what was never asked for, nobody misses. */
function takesFromBase(place: Place, base: string, edits: Edits): boolean {
	return Object.entries(edits).some(([file, text]) => {
		const linesOf = (from: string): readonly string[] => (place.text(from, file) ?? "").split("\n");
		const [left, before] = [new Set(text.split("\n")), new Set(linesOf(base))];
		return isTestFile(file) && linesOf("work").some((line) => !left.has(line) && before.has(line));
	});
}

/** The product does something else, and the assertions of the base that notice it are gone. */
function brokenUnnoticed(
	place: Place,
	base: string,
	run: (edits: Edits) => Ran,
	product: readonly string[],
	tests: readonly string[],
	changed: (file: string) => readonly number[],
): Variant | undefined {
	for (const file of product)
		for (const broken of mutations(
			place.text("work", file) ?? "",
			changed(file),
			LIMITS.mutations,
		)) {
			const edits = madeGreen(place, run, tests, { [file]: broken.text });
			if (edits !== undefined && takesFromBase(place, base, edits))
				return { kind: "broken-unnoticed", what: `${file}: ${broken.gone}`, edits };
		}
	return;
}

/** Numbers of the lines of a file that a commit made. */
function changedLines(place: Place, base: string, file: string): number[] {
	const diff = place.git("diff", "-U0", base, "work", "--", file);
	return [...diff.matchAll(/^@@ \S+ \+(\d+)(?:,(\d+))?/gm)].flatMap(([, from, count]) =>
		Array.from({ length: Number(count ?? 1) }, (_, at) => Number(from) + at),
	);
}

/** Dishonest variants of a commit, made by the same hands for each. */
function variantsOf(place: Place, base: string, run: (edits: Edits) => Ran): Variant[] {
	const touched = place.git("diff", "--name-only", "--diff-filter=AM", base, "work").split("\n");
	const all = place.git("ls-tree", "-r", "--name-only", "work").split("\n");
	const tests = all.filter(isTestFile);
	const ownTests = touched.filter(isTestFile);
	const product = touched.filter(isProductFile);
	if (product.length === 0 && ownTests.length === 0) return [];
	const gone = caseGone(place, base, [...ownTests, ...tests]);
	const changed = (file: string) => changedLines(place, base, file);
	const broken = brokenUnnoticed(place, base, run, product, tests, changed);
	return [gone, broken].flatMap((one) => one ?? []);
}

/**
 * Plays the commits of a history, each against its first parent.
 *
 * @param folder against which the repository's folder is relative
 * @param told gets each commit as soon as it is played
 */
export function playHistory(
	history: History,
	folder: string,
	withVariants: boolean,
	told: (played: PlayedCommit) => void,
): void {
	const place = new Place(join(folder, history.repository), history);
	try {
		for (const commit of history.commits) {
			const message = place.git("log", "-1", "--format=%B", commit);
			const base = place.commit(`${commit}~1`, null, "Base");
			const work = place.commit(commit, base, message);
			const { answer, seconds: check } = place.check(work, base);
			const run = place.suite(work);
			const { seconds: suite } = run({});
			const variants = (withVariants && answer.isGreen ? variantsOf(place, base, run) : []).map(
				({ kind, what, edits }) => {
					const made = place.commit(commit, base, message, edits);
					return { kind, what, answer: place.check(made, base).answer };
				},
			);
			const { repository, half } = history;
			const [title = ""] = message.split("\n");
			told({ repository, half, commit, title, answer, seconds: { check, suite }, variants });
		}
	} finally {
		place.remove();
	}
}

/** The list in a file. */
export const readJson = (file: string): unknown => JSON.parse(readFileSync(file, "utf8"));
