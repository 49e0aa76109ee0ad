import { mkdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { removeOld } from "../drive/kept-evidence.ts";
import { replaceFile } from "../git/git-directory.ts";
import { Fault } from "../kernel/fault.ts";
import { countAt, fieldsOf, jsonIn, textAt, wordsOf } from "../kernel/fields.ts";
import { sha256 } from "../kernel/json.ts";
import { quote } from "../kernel/quote.ts";
import { asStateFault } from "../kernel/state-fault.ts";
import { homeOutside } from "../places/checkouts-home.ts";
import type { CheckReport } from "./check-report.ts";
import { type CheckOptions, type CheckPlace, workToCheck } from "./check-work.ts";
import { isAtWork, workerOf } from "./same-work.ts";

/** Times in a row that a session's end is blocked. */
export const MOST_BLOCKS = 3;

// Of Claude Code and Codex, and of Gemini CLI. A block of any other event would hold something else back.
const ENDS: ReadonlySet<string> = new Set(["Stop", "SubagentStop", "AfterAgent"]);

/** Session of a coding agent that is about to end its turn. */
export interface StoppingSession {
	readonly id: string;
	/** Absolute directory in which it works. */
	readonly directory: string;
}

/**
 * Reads what a coding agent gives to a hook at the end of a turn.
 *
 * @throws Fault `usage`
 */
export function stoppingSession(text: string): StoppingSession {
	const given = fieldsOf(jsonIn(text));
	const [id, directory] = [wordsOf(given["session_id"]), wordsOf(given["cwd"])];
	const event = wordsOf(given["hook_event_name"]) ?? "Stop";
	if (id !== null && directory !== null && ENDS.has(event)) return { id, directory };
	throw new Fault(
		ENDS.has(event)
			? "standard input is not the JSON of a Stop hook, with `session_id` and `cwd`"
			: `the event ${quote(event)} is not the end of a turn, which a Stop hook judges`,
		{
			code: "usage",
			hint: "`spar init --agents` installs the hook where it belongs. To check by hand: spar check",
		},
	);
}

/**
 * Answer to a session that wants to end. `let-go`: the work fails, and the session was blocked often enough; `review`: a
 * person has to look, or to know what is not counted.
 */
export type StopAnswer =
	| { readonly kind: "quiet" }
	| { readonly kind: "review"; readonly report: CheckReport }
	| { readonly kind: "block" | "let-go"; readonly why: string };

/** Kept for a session, outside of the repository. */
interface LastStop extends Pick<CheckReport, "base" | "tree"> {
	/** What is wrong with that work, in words for the agent; empty where nothing is. */
	readonly why: string;
	/** The same for a person. */
	readonly left: string;
	/** Times in a row that it was blocked. */
	readonly blocks: number;
	/** Process that judges it; empty: it is judged. */
	readonly judge: string;
}

/**
 * Judges the work of a session that is about to end. What was judged last for it is not judged again: work that failed
 * holds it back once more, and other work says nothing.
 *
 * @param check judges the work as it is then
 * @param wordsFor what is wrong with work that fails
 * @throws Fault `nothing-to-check`, and what else `checkWork` throws
 */
export async function answerStop(
	{ id }: Pick<StoppingSession, "id">,
	options: CheckOptions,
	place: CheckPlace,
	{ check, wordsFor }: StopJudge,
): Promise<StopAnswer> {
	const folder = join(await homeOutside(place.places), "stops");
	const file = join(folder, `${sha256(id).slice(0, 16)}.json`);
	const work = await workToCheck(options, place);
	const last = await lastStop(file);
	const isSame = work.base === last.base && work.tree === last.tree;
	// Who has the hook from the plugin and from the repository has two at once, of which one is enough.
	if (isSame && isAtWork(last.judge)) return { kind: "quiet" };
	const keep = async (stop: LastStop): Promise<void> =>
		await asStateFault(folder, async () => {
			await mkdir(folder, { recursive: true });
			await removeOld(folder);
			replaceFile(file, JSON.stringify(stop));
		});
	// Before the answer: a block that is not counted would come again and again.
	const heldBack = async (of: Omit<LastStop, "blocks" | "judge">): Promise<StopAnswer> => {
		await keep({ ...of, blocks: Math.min(last.blocks + 1, MOST_BLOCKS), judge: "" });
		return last.blocks < MOST_BLOCKS
			? { kind: "block", why: of.why }
			: { kind: "let-go", why: of.left };
	};
	if (isSame && last.judge === "")
		return last.why === "" ? { kind: "quiet" } : await heldBack(last);
	const unknown = { ...work, why: "", left: "", blocks: last.blocks };
	await keep({ ...unknown, judge: workerOf(process.pid) });
	const report = await check().catch(async (error: unknown) => {
		// Asked again about the same work, it is no other.
		if (error instanceof Fault && UNJUDGED.has(error.code)) await keep({ ...unknown, judge: "" });
		throw error;
	});
	const { verdict, base, tree } = report;
	if (verdict === "fail") return await heldBack({ base, tree, ...wordsFor(report) });
	await keep({ base, tree, why: "", left: "", blocks: 0, judge: "" });
	const isPlain = verdict === "pass" && report.not_counted.length === 0;
	return isPlain ? { kind: "quiet" } : { kind: "review", report };
}

const UNJUDGED: ReadonlySet<string> = new Set(["usage", "checkouts-lacking"]);

interface StopJudge {
	readonly check: () => Promise<CheckReport>;
	readonly wordsFor: (report: CheckReport) => Pick<LastStop, "why" | "left">;
}

async function lastStop(file: string): Promise<LastStop> {
	const kept = jsonIn(await readFile(file, "utf8").catch(() => ""));
	return {
		base: textAt(kept, "base") ?? "",
		tree: textAt(kept, "tree") ?? "",
		why: textAt(kept, "why") ?? "",
		left: textAt(kept, "left") ?? "",
		blocks: countAt(kept, "blocks") ?? 0,
		judge: textAt(kept, "judge") ?? "",
	};
}
