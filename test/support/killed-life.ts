import { expect } from "vitest";
import { type Blow, type Reach, randomBlow, sparUnder } from "./killing.ts";
import { processesOf } from "./processes.ts";
import type { TestRepository } from "./repository.ts";
import type { Seeded } from "./seeded.ts";
import type { SparResult } from "./spar.ts";
import { integrityOf, runIds, type StateRow, stateRows } from "./state-rows.ts";
import { type UserState, userState } from "./user-state.ts";

/** One run from its start to its end, with kills on the way. */
export interface LifePlan {
	/** The command that starts the run. */
	readonly start: readonly string[];
	/** Options of `spar answer` for every question. */
	readonly answer?: readonly string[];
	/** How the next process is killed, after so many blows; null: it is left alone. Default: none is killed. */
	readonly blow?: (dealt: readonly Blow[]) => Blow | null;
}

/** So many blows at random. */
export function randomBlows(
	random: Seeded,
	kills: number,
	reach: Reach,
): (dealt: readonly Blow[]) => Blow | null {
	return (dealt) => (dealt.length < kills ? randomBlow(random, reach) : null);
}

export interface Life {
	readonly runId: string;
	readonly exitCode: number | null;
	/** What was dealt, in order; those that came too late are left out. */
	readonly blows: readonly Blow[];
	/** Node of the graph in which each blow fell; `null` outside of any. */
	readonly nodes: readonly unknown[];
	/** Ids of the `agent-called` events whose call was running when a blow fell. */
	readonly hitCalls: ReadonlySet<number>;
}

/** The call that the log shows as begun and not finished: at most one, since a run does one thing at a time. */
function callUnderWay(repo: TestRepository): StateRow | undefined {
	const [last] = stateRows(
		repo,
		`SELECT id, type FROM events WHERE type IN ('agent-called', 'agent-answered', 'agent-failed')
			ORDER BY id DESC LIMIT 1`,
	);
	return last?.["type"] === "agent-called" ? last : undefined;
}

function nodeUnderWay(repo: TestRepository): unknown {
	const [last] = stateRows(repo, "SELECT node FROM events ORDER BY id DESC LIMIT 1");
	return last?.["node"] ?? null;
}

/** What must hold at once after each kill, whatever was under way. */
function expectNothingBroken(repo: TestRepository, before: UserState): void {
	expect(integrityOf(repo)).toBe("ok");
	expect(repo.git("fsck", "--no-dangling", "--no-progress")).toBe("");
	expect(userState(repo)).toEqual(before);
}

function openItem(repo: TestRepository): string | undefined {
	const sql = "SELECT item_id FROM items WHERE status IN ('PENDING', 'ACKED')";
	const [item] = stateRows(repo, sql);
	return item === undefined ? undefined : String(item["item_id"]);
}

/** The command that brings the run forward from where it stands. */
function nextCommand(repo: TestRepository, plan: LifePlan, paused: boolean): readonly string[] {
	const [runId] = runIds(repo);
	if (runId === undefined) return plan.start;
	const item = paused ? openItem(repo) : undefined;
	if (item === undefined) return ["resume", runId];
	return ["hil", "resolve", item, ...(plan.answer ?? [])];
}

const PAUSED = 3;

function describeEnd(args: readonly string[], { code, signal, stderr }: SparResult): string {
	return `spar ${args.join(" ")} ended with ${code ?? signal}:\n${stderr}`;
}

/** Takes a run to its end: starts it, kills it, resumes it, answers its questions. */
export async function livedThrough(repo: TestRepository, plan: LifePlan): Promise<Life> {
	const before = userState(repo);
	const blows: Blow[] = [];
	const nodes: unknown[] = [];
	const hitCalls = new Set<number>();
	let paused = false;
	for (;;) {
		const args = nextCommand(repo, plan, paused);
		const blow = plan.blow?.(blows) ?? null;
		const result = await sparUnder(repo, args, blow);
		if (blow !== null && result.signal === "SIGKILL") {
			blows.push(blow);
			nodes.push(nodeUnderWay(repo));
			const call = callUnderWay(repo);
			if (call !== undefined) hitCalls.add(Number(call["id"]));
			expectNothingBroken(repo, before);
			continue;
		}
		const said = describeEnd(args, result);
		expect([0, 1, PAUSED], said).toContain(result.code);
		if (args[0] === "hil") {
			expect(result.code, said).toBe(0);
			paused = false;
			continue;
		}
		expect(processesOf(repo), said).toEqual([]);
		expectNothingBroken(repo, before);
		paused = result.code === PAUSED;
		if (paused) continue;
		expect(runIds(repo)).toHaveLength(1);
		return { runId: runIds(repo)[0] ?? "", exitCode: result.code, blows, nodes, hitCalls };
	}
}
