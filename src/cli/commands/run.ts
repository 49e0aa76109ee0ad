import type { RunOptions, RunPlan, Sparring } from "../../app/sparring.ts";
import { Fault } from "../../kernel/fault.ts";
import { EXIT } from "../exit-code.ts";
import { renderDiagnostics } from "../render-diagnostics.ts";
import { printJson, type Shell, withSparring } from "../shell.ts";
import { type OutputFlags, superviseRun } from "../supervise-run.ts";
import { table } from "../table.ts";
import { oneLine } from "../visible-text.ts";
import { type SourceFlags, workflowSource } from "../workflow-source.ts";

/** Options of `spar run`. */
export interface RunFlags extends OutputFlags, SourceFlags {
	readonly taskId?: readonly string[];
	readonly maxTurns?: number;
	readonly maxParallel?: number;
	readonly record?: string;
	readonly dryRun?: boolean;
}

function optionsFrom(flags: RunFlags): Omit<RunOptions, "source"> {
	if (flags.maxParallel !== undefined && flags.maxParallel > 2) {
		throw new Fault(`--max-parallel ${flags.maxParallel} is not available yet`, {
			code: "not-available-yet",
			hint: "Give 1 or 2; tasks run one after another for now.",
		});
	}
	return { taskIds: flags.taskId, maxTurns: flags.maxTurns, recordFile: flags.record };
}

function renderPlan(plan: RunPlan): string {
	const tasks = plan.tasks.map(({ id, player, coach, bound, depends_on }) => [
		id,
		player,
		coach ?? "-",
		String(bound),
		depends_on.length === 0 ? "-" : depends_on.join(", "),
	]);
	const checks = plan.checks.map(({ name, kind, run }) => [name, kind, oneLine(run)]);
	return [
		`${oneLine(plan.workflow)} on ${plan.base} at ${plan.base_commit}; nothing was started`,
		table([["task", "player", "coach", "turns at most", "after"], ...tasks]),
		...(checks.length === 0 ? ["no checks"] : [table([["check", "kind", "command"], ...checks])]),
	].join("\n\n");
}

async function showPlan(
	shell: Shell,
	flags: RunFlags,
	sparring: Sparring,
	options: RunOptions,
): Promise<number> {
	const plan = await sparring.plan(options);
	if (flags.json === true) printJson(shell, plan);
	else shell.out.write(`${renderPlan(plan)}\n`);
	return EXIT.done;
}

/** `spar run`: reads the workflow once, shows what is wrong with it, and runs what was read to its end. */
export async function run(
	shell: Shell,
	file: string | undefined,
	flags: RunFlags,
): Promise<number> {
	const given = optionsFrom(flags);
	const source = workflowSource(file, flags);
	return await withSparring(shell, flags.dryRun === true ? "read" : "write", async (sparring) => {
		const loaded = await sparring.load(source);
		shell.err.write(renderDiagnostics(loaded));
		const { workflow } = loaded;
		if (workflow === null) return EXIT.usage;
		const options = { ...given, source: { kind: "loaded", workflow } } as const;
		if (flags.dryRun === true) return await showPlan(shell, flags, sparring, options);
		return await superviseRun(shell, flags, {
			sparring,
			work: (supervision) => sparring.run({ ...options, ...supervision }),
		});
	});
}
