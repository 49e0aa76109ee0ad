import type { Setups } from "../judge/ports.ts";
import { randomId } from "../kernel/ids.ts";
import { childEnvironment } from "../process/environment.ts";
import { runProcess } from "../process/run-process.ts";
import type { Tool } from "../setups/kept/copy-files.ts";
import { openKeptSetups } from "../setups/kept/kept-setups.ts";
import { type NotKept, notKeptText } from "../setups/kept/not-kept.ts";
import { type Platform, platformOf } from "../setups/kept/platform.ts";
import type { RunContext } from "./drive.ts";

const TOOL_TIMEOUT_MS = 600_000;

/** Starts programs of the machine for `platformOf`, with what a setup sees. */
export function toolOf({
	run,
	env,
	signal,
}: Pick<RunContext, "env" | "signal"> & {
	readonly run: Pick<RunContext["run"], "runId">;
}): Tool {
	const seen = { ...childEnvironment(env), LC_ALL: "C" };
	return (command) => {
		// The end of one ends all of its mark, and several are started at once.
		const mark = `${run.runId}:setups:${randomId(8)}`;
		return runProcess({ command, cwd: "/", env: seen, timeoutMs: TOOL_TIMEOUT_MS, mark }, signal);
	};
}

/** @param given `shelf`: directory of the results that are shared; null: none are kept */
export function setupsOf({
	run,
	workflow,
	shelf,
	env,
	signal,
	onNotice,
}: Pick<RunContext, "workflow" | "env" | "signal" | "onNotice"> & {
	readonly run: Pick<RunContext["run"], "runId">;
	readonly shelf: string | null;
}): Setups | null {
	if (!workflow.setupCache || workflow.setup.length === 0 || shelf === null) return null;
	const seen = childEnvironment(env);
	const tool = toolOf({ run, env, signal });
	let asked: Promise<Platform> | undefined;
	return {
		shelf,
		kept: openKeptSetups({
			tool,
			now: Date.now,
			onNotKept: (reason) => {
				// An end that the run's end brings is no news.
				if (!signal.aborted) onNotice(noticeOf(reason));
			},
		}),
		platform: () => {
			asked ??= platformOf(workflow.setup, seen, tool);
			return asked;
		},
	};
}

function noticeOf(reason: NotKept): string {
	return `the result of setup is not kept: ${notKeptText(reason)}. Each checkout runs setup by itself`;
}
