import { Fault } from "../../kernel/fault.ts";
import { isFields, jsonIn } from "../../kernel/fields.ts";
import { placesOf } from "../../places/places.ts";
import type { CheckOptions, CheckPlace } from "../../verdict/check-bench.ts";
import type { CheckReport } from "../../verdict/check-report.ts";
import { knownCommit, nameOf, pushedBranches, workOfCommit } from "../../verdict/git-hooks.ts";
import {
	type AgentSession,
	agentSession,
	answerStop,
	MOST_BLOCKS,
	noteSession,
	type SessionHook,
	type StopAnswer,
} from "../../verdict/stop-hook.ts";
import { EXIT } from "./exit-code.ts";
import { noPaint } from "./paint.ts";
import { judgedText, renderCheck, verdictText } from "./render-check.ts";
import { type Shell, withSparring } from "./shell.ts";

const COLUMNS = 80;

// A person's terminal gives no hook's input, and would be waited for.
const inputOf = async (shell: Shell, isWhole?: (text: string) => boolean): Promise<string> =>
	shell.isTyped ? "" : await shell.readInput(isWhole);

// Some harnesses leave standard input open.
const isObject = (text: string): boolean => /\}\s*$/.test(text) && isFields(jsonIn(text));

const sessionOf = async (shell: Shell, hook: SessionHook): Promise<AgentSession> =>
	agentSession(await inputOf(shell, isObject), hook);

// For whoever looks why a hook did nothing.
const tellJudged = ({ err }: Shell, report: CheckReport): void =>
	err.print(`judged: ${judgedText(report)}: ${verdictText(report)}\n`);

const tellUnjudged = ({ err }: Shell, why: string): void =>
	err.print(`not judged: ${why.replace(/^nothing to check: /, "")}\n`);

const placeOf = ({ env }: Shell, { directory }: AgentSession, root: string): CheckPlace => ({
	directory,
	env,
	places: placesOf(root, env),
	values: {},
});

/** `spar check --hook start`: what it printed on standard output, an agent would read. */
export async function noteStartOfSession(shell: Shell): Promise<number> {
	const session = await sessionOf(shell, "start");
	const note = async (root: string) => await noteSession(session, placeOf(shell, session, root));
	try {
		const start = await withSparring(shell, "read", ({ root }) => note(root), session.directory);
		const left = start?.pack ? ", with what is not committed there" : "";
		shell.err.print(
			start === undefined
				? "not noted: this session began before\n"
				: `noted: this session begins at ${start.head.slice(0, 10)}${left}\n`,
		);
	} catch (error) {
		if (!(error instanceof Fault)) throw error;
		shell.err.print(`not noted: ${error.message}\n`);
	}
	return EXIT.done;
}

/** `spar check --hook stop`: what it prints is for a coding agent, to which any exit code but 0 is an error or a block. */
export async function checkAtStop(shell: Shell, options: CheckOptions): Promise<number> {
	const session = await sessionOf(shell, "stop");
	const print = (answer: object): void => shell.out.write(`${JSON.stringify(answer)}\n`);
	try {
		const answer = await withSparring(
			shell,
			"read",
			async (sparring) => {
				const check = async (asked: CheckOptions): Promise<CheckReport> => {
					const report = await sparring.check(asked);
					tellJudged(shell, report);
					return report;
				};
				const place = placeOf(shell, session, sparring.root);
				return await answerStop(session, options, place, { check, wordsFor: failureTexts });
			},
			session.directory,
		);
		if (answer.kind === "quiet") tellUnjudged(shell, answer.told);
		else if (answer.kind !== "pass") print(told(answer));
	} catch (error) {
		if (!(error instanceof Fault)) throw error;
		tellUnjudged(shell, error.message);
		if (!QUIET.has(error.code)) print({ systemMessage: unjudged(error) });
	}
	return EXIT.done;
}

// There is nothing to judge.
const QUIET: ReadonlySet<string> = new Set(["nothing-to-check", "not-a-repository"]);

const unjudged = ({ message, hint }: Fault): string =>
	`Sparring has not judged this work: ${message}${hint === undefined ? "" : `\n${hint}`}`;

function told(answer: Exclude<StopAnswer, { kind: "quiet" | "pass" }>): object {
	const beside = answer.isShared ? `\n${SHARED}` : "";
	switch (answer.kind) {
		case "block":
			return { decision: "block", reason: `${NOT_DONE}\n${answer.why}${beside}` };
		case "let-go":
			return { systemMessage: `${LET_GO}\n${answer.why}${beside}` };
		case "review":
			return {
				systemMessage: `${textFor(answer.report, withWayOn(answer.report, "then go on"))}${beside}`,
			};
	}
}

// The agent is told what to do, and a person what is left.
const failureTexts = (report: CheckReport) => ({
	why: textFor(report, nextFor(report)),
	left: textFor(report, withWayOn(report, "then go on")),
});

/** The steps, and the one after an allowance, which is kept where a person gives it. */
const withWayOn = ({ next }: CheckReport, then: string): readonly string[] =>
	next.some((step) => step.includes(" --allow "))
		? [...next, `${then}: given at a terminal, it is kept for exactly this work`]
		: next;

const NOT_DONE = "Sparring ran the tests of this work, and it is not done.";
const LET_GO = `The work still fails. Sparring has held this session back ${MOST_BLOCKS} times, and lets it go now.`;

const SHARED =
	"Another session works in this work tree too, as far as its hooks tell: what it changed here is judged with this one's work.";

const textFor = (report: CheckReport, next: readonly string[]): string =>
	renderCheck({ ...report, next }, { paint: noPaint, columns: COLUMNS });

// An agent is not told how to let a change pass: that is for a person.
const nextFor = ({ integrity: { violations } }: CheckReport): readonly string[] => [
	"fix the product, so that it passes the tests as the base has them",
	...(violations.length > 0 ? ["bring back what was weakened"] : []),
	"where that is not possible, change no test for it: stop, and say which test it is and why",
];

/** `spar check --hook pre-push` and `pre-commit`: what the push or the commit brings. */
export async function checkForGit(
	shell: Shell,
	hook: "pre-push" | "pre-commit",
	options: CheckOptions,
): Promise<readonly CheckReport[]> {
	const works = await (hook === "pre-push" ? pushedWork(shell) : committedWork(shell));
	const reports: CheckReport[] = [];
	if (works.length === 0) return reports;
	return await withSparring(shell, "read", async (sparring) => {
		for (const { subject, before = null, ...work } of works) {
			const asked = { ...options, ...work };
			const unlessNothing = (error: unknown): Fault => {
				if (error instanceof Fault && error.code === "nothing-to-check") return error;
				throw error;
			};
			let report = await sparring.check(asked).catch(unlessNothing);
			const base = report instanceof Fault ? await knownCommit(shell, before) : undefined;
			if (base !== undefined)
				report = await sparring.check({ ...asked, base }).catch(unlessNothing);
			if (report instanceof Fault) {
				tellUnjudged(shell, report.message);
				continue;
			}
			const next = withWayOn(report, hook === "pre-push" ? "then push again" : "then commit again");
			const named = { ...report, next, subject: subject ?? report.subject };
			tellJudged(shell, named);
			reports.push(named);
		}
		return reports;
	});
}

interface Work extends Pick<CheckOptions, "rev" | "branch" | "committed" | "staged" | "index"> {
	readonly subject?: string;
	readonly before?: string | null;
}

async function pushedWork(shell: Shell): Promise<readonly Work[]> {
	const pushed = pushedBranches(await inputOf(shell), shell.env);
	// Another program has read git's lines, such as that of Git LFS.
	if (pushed === null) return [{ committed: true }];
	if (pushed.length === 0) tellUnjudged(shell, "the push brings no commits of a branch");
	const works = pushed.map(({ rev, branch, ref, before }) => {
		return { rev, branch, before, subject: nameOf(ref) };
	});
	return [...new Map(works.map((work) => [work.rev, work])).values()];
}

async function committedWork(shell: Shell): Promise<readonly Work[]> {
	const work = await workOfCommit(shell);
	if (typeof work !== "string") return [work];
	tellUnjudged(shell, work);
	return [];
}
