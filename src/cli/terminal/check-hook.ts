import { Fault } from "../../kernel/fault.ts";
import { placesOf } from "../../places/places.ts";
import type { CheckReport } from "../../verdict/check-report.ts";
import type { CheckOptions } from "../../verdict/check-work.ts";
import { knownCommit, pushedBranches, workOfCommit } from "../../verdict/git-hooks.ts";
import {
	answerStop,
	MOST_BLOCKS,
	type StopAnswer,
	stoppingSession,
} from "../../verdict/stop-hook.ts";
import { EXIT } from "./exit-code.ts";
import { noPaint } from "./paint.ts";
import { renderCheck } from "./render-check.ts";
import { type Shell, withSparring } from "./shell.ts";

const COLUMNS = 80;

// A person's terminal gives no hook's input, and would be waited for.
const inputOf = async (shell: Shell): Promise<string> =>
	shell.isTyped ? "" : await shell.readInput();

/** `spar check --hook stop`: what it prints is for a coding agent, to which any exit code but 0 is an error or a block. */
export async function checkAtStop(shell: Shell, options: CheckOptions): Promise<number> {
	const session = stoppingSession(await inputOf(shell));
	const { directory } = session;
	const print = (answer: object): void => shell.out.write(`${JSON.stringify(answer)}\n`);
	try {
		const answer = await withSparring(
			shell,
			"read",
			async (sparring) => {
				const { env } = shell;
				const place = { directory, env, places: placesOf(sparring.root, env), values: {} };
				const judge = { check: () => sparring.check(options), wordsFor: failureTexts };
				return await answerStop(session, options, place, judge);
			},
			directory,
		);
		if (answer.kind !== "quiet") print(told(answer));
	} catch (error) {
		if (!(error instanceof Fault)) throw error;
		if (!QUIET.has(error.code)) print({ systemMessage: unjudged(error) });
	}
	return EXIT.done;
}

// There is nothing to judge.
const QUIET: ReadonlySet<string> = new Set(["nothing-to-check", "not-a-repository"]);

const unjudged = ({ message, hint }: Fault): string =>
	`Sparring has not judged this work: ${message}${hint === undefined ? "" : `\n${hint}`}`;

function told(answer: Exclude<StopAnswer, { kind: "quiet" }>): object {
	switch (answer.kind) {
		case "block":
			return { decision: "block", reason: `${NOT_DONE}\n${answer.why}` };
		case "let-go":
			return { systemMessage: `${LET_GO}\n${answer.why}` };
		case "review":
			return { systemMessage: textFor(answer.report, answer.report.next) };
	}
}

// The agent is told what to do, and a person what is left.
const failureTexts = (report: CheckReport) => ({
	why: textFor(report, nextFor(report)),
	left: textFor(report, report.next),
});

const NOT_DONE = "Sparring ran the tests of this work, and it is not done.";
const LET_GO = `The work still fails. Sparring has held this session back ${MOST_BLOCKS} times, and lets it go now.`;

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
			if (report instanceof Fault) shell.err.print(`${report.message}\n`);
			else reports.push({ ...report, subject: subject ?? report.subject });
		}
		return reports;
	});
}

interface Work extends Pick<CheckOptions, "rev" | "staged" | "index"> {
	readonly subject?: string;
	readonly before?: string | null;
}

async function pushedWork(shell: Shell): Promise<readonly Work[]> {
	const pushed = pushedBranches(await inputOf(shell), shell.env);
	const works = pushed.map(({ rev, ref, before }) => {
		return { rev, before, subject: ref.replace("refs/heads/", "") };
	});
	return [...new Map(works.map((work) => [work.rev, work])).values()];
}

async function committedWork(shell: Shell): Promise<readonly Work[]> {
	const work = await workOfCommit(shell);
	if (typeof work !== "string") return [work];
	shell.err.print(`not judged: ${work}\n`);
	return [];
}
