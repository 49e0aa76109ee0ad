import { mkdir, writeFile } from "node:fs/promises";
import { basename, dirname } from "node:path";
import type { Evidence } from "../evidence/evidence.ts";
import type { Blobs } from "../kernel/blobs.ts";
import { type ContextInput, HISTORY_SHOWN, type PairContext } from "../review/context.ts";
import { type PairSession, sessionJson } from "../review/pair-session.ts";
import type { TaskDefinition } from "../workflow/workflow.ts";
import type { Ground } from "./context.ts";

export async function seatInput(
	ground: Ground,
	given: { readonly evidence: readonly Evidence[]; readonly workDir: string },
): Promise<ContextInput> {
	const { run, task, blobs, state, read, log } = ground;
	const { evidence, directory } = await handOver(given.evidence, blobs, given.workDir);
	return {
		run: run.runId,
		turn: log.turn,
		base: state.start,
		commit: state.commit,
		task,
		subtask: ground.subtask?.id ?? null,
		findings: await read.open(),
		evidence,
		stateDirectory: directory,
		directive: await directiveOf(ground),
		pair: pairOf(task, (await read.pairSession())?.session, log.turn),
	};
}

// So that an agent can read outputs without reaching into the user's repository. The result's paths are relative to
// the returned directory.
export async function handOver(
	evidence: readonly Evidence[],
	blobs: Blobs,
	workDir: string,
): Promise<{ readonly evidence: readonly Evidence[]; readonly directory: string }> {
	const handed: Evidence[] = [];
	for (const piece of evidence) {
		const copy = piece.outputPath && (await handOutput(piece.outputPath, blobs, workDir));
		handed.push({ ...piece, outputPath: copy && basename(copy) });
	}
	return { evidence: handed, directory: `${workDir}/evidence` };
}

export async function handOutput(
	outputPath: string,
	blobs: Blobs,
	workDir: string,
): Promise<string | null> {
	const copy = `${workDir}/evidence/${basename(outputPath)}`;
	const text = await blobs.read(outputPath);
	if (text === undefined) return null;
	await mkdir(dirname(copy), { recursive: true });
	await writeFile(copy, text);
	return copy;
}

// Null for a single agent. `session`: undefined before the first iteration.
export function pairOf(
	{ pair, player, bound }: Pick<TaskDefinition, "pair" | "player" | "bound">,
	session: PairSession | undefined,
	turn: number,
): PairContext | null {
	if (pair === undefined) return null;
	const history = session === undefined ? [] : sessionJson(session).history;
	return {
		driver: player,
		challenger: pair.challenger,
		iteration: turn,
		maxIterations: Math.max(pair.maxIterations ?? bound, bound),
		history: history.slice(-HISTORY_SHOWN),
	};
}

export async function directiveOf({
	read,
	state: { directive },
}: Pick<Ground, "read" | "state">): Promise<string | null> {
	if (directive === null) return null;
	return (await read.item(directive))?.answer?.directive ?? null;
}
