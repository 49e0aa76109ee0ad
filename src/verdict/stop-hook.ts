import { mkdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { removeOld } from "../drive/kept-evidence.ts";
import { isRunning } from "../drive/leftovers.ts";
import { replaceFile } from "../git/git-directory.ts";
import { Fault } from "../kernel/fault.ts";
import { countAt, fieldsOf, jsonIn, textAt, wordsOf } from "../kernel/fields.ts";
import { sha256 } from "../kernel/json.ts";
import { asStateFault } from "../kernel/state-fault.ts";
import { homeOutside } from "../places/checkouts-home.ts";
import type { CheckReport } from "./check-report.ts";
import { type CheckOptions, type CheckPlace, workToCheck } from "./check-work.ts";

/** Times in a row that a session's end is blocked. */
export const MOST_BLOCKS = 3;

/** Session of Claude Code that is about to end its turn. */
export interface StoppingSession {
	readonly id: string;
	/** Absolute directory in which it works. */
	readonly directory: string;
}

/**
 * Reads what Claude Code gives to a Stop hook.
 *
 * @throws Fault `usage`
 */
export function stoppingSession(text: string): StoppingSession {
	const given = fieldsOf(jsonIn(text));
	const [id, directory] = [wordsOf(given["session_id"]), wordsOf(given["cwd"])];
	if (id !== null && directory !== null) return { id, directory };
	throw new Fault("standard input is not the JSON of a Stop hook, with `session_id` and `cwd`", {
		code: "usage",
		hint: "Claude Code gives it to the hook that `spar init --agents` installs. To check by hand: spar check",
	});
}

/**
 * Answer to a session that wants to end. `let-go`: the work fails, and the session was blocked often enough; `review`: a
 * person has to look.
 */
export type StopAnswer =
	| { readonly kind: "quiet" }
	| { readonly kind: "review"; readonly report: CheckReport }
	| { readonly kind: "block" | "let-go"; readonly why: string };

/** Kept for a session, outside of the repository. */
interface LastStop extends Pick<CheckReport, "base" | "tree"> {
	/** What is wrong with that work, in words; empty where nothing is. */
	readonly why: string;
	/** Times in a row that it was blocked. */
	readonly blocks: number;
	/** Process that judges it; 0: it is judged. */
	readonly judge: number;
}

/**
 * Judges the work of a session that is about to end. What was judged last for it is not judged again: work that failed
 * holds it back once more, and other work says nothing.
 *
 * @param check judges the work as it is then
 * @param wordsOf what is wrong with work that fails
 * @throws Fault `nothing-to-check`, and what else `checkWork` throws
 */
export async function answerStop(
	{ id }: Pick<StoppingSession, "id">,
	options: CheckOptions,
	place: CheckPlace,
	{ check, wordsOf: whyOf }: StopJudge,
): Promise<StopAnswer> {
	const folder = join(await homeOutside(place.places), "stops");
	const file = join(folder, `${sha256(id).slice(0, 16)}.json`);
	const work = await workToCheck(options, place);
	const last = await lastStop(file);
	const isSame = work.base === last.base && work.tree === last.tree;
	// Who has the hook from the plugin and from the repository has two at once, of which one is enough.
	if (isSame && last.judge !== 0 && isRunning(last.judge)) return { kind: "quiet" };
	const keep = async (stop: LastStop): Promise<void> =>
		await asStateFault(folder, async () => {
			await mkdir(folder, { recursive: true });
			await removeOld(folder);
			replaceFile(file, JSON.stringify(stop));
		});
	// Before the answer: a block that is not counted would come again and again.
	const heldBack = async (of: Pick<LastStop, "base" | "tree" | "why">): Promise<StopAnswer> => {
		await keep({ ...of, blocks: Math.min(last.blocks + 1, MOST_BLOCKS), judge: 0 });
		return { kind: last.blocks < MOST_BLOCKS ? "block" : "let-go", why: of.why };
	};
	if (isSame && last.judge === 0) return last.why === "" ? { kind: "quiet" } : await heldBack(last);
	await keep({ ...work, why: "", blocks: last.blocks, judge: process.pid });
	const report = await check().catch(async (error: unknown) => {
		// Asked again about the same work, it is no other.
		if (error instanceof Fault && error.code === "usage")
			await keep({ ...work, why: "", blocks: last.blocks, judge: 0 });
		throw error;
	});
	const { verdict, base, tree } = report;
	if (verdict === "fail") return await heldBack({ base, tree, why: whyOf(report) });
	await keep({ base, tree, why: "", blocks: 0, judge: 0 });
	return verdict === "pass" ? { kind: "quiet" } : { kind: "review", report };
}

interface StopJudge {
	readonly check: () => Promise<CheckReport>;
	readonly wordsOf: (report: CheckReport) => string;
}

async function lastStop(file: string): Promise<LastStop> {
	const kept = jsonIn(await readFile(file, "utf8").catch(() => ""));
	return {
		base: textAt(kept, "base") ?? "",
		tree: textAt(kept, "tree") ?? "",
		why: textAt(kept, "why") ?? "",
		blocks: countAt(kept, "blocks") ?? 0,
		judge: countAt(kept, "judge") ?? 0,
	};
}
