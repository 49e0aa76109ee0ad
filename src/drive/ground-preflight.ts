import { hostname } from "node:os";
import { declaredPackages } from "../git/declared-packages.ts";
import type { GroundProblem } from "../judge/ground-problems.ts";
import { Fault } from "../kernel/fault.ts";
import { runEvent } from "../schedule/run-writes.ts";
import type { Records, Write } from "../store/records.ts";
import type { EventData } from "../trace/event.ts";
import type { Drive, RunContext } from "./drive.ts";
import { settlePreflight } from "./preflight.ts";
import { lackingText } from "./preflight-problem.ts";

function toldOf(problems: readonly GroundProblem[]): EventData["preflight-ended"]["problems"] {
	return problems.flatMap((problem): EventData["preflight-ended"]["problems"] => {
		if (problem.kind === "no_tests" || problem.kind === "uncounted" || problem.kind === "untried")
			return [];
		if (problem.kind === "lacking")
			return [{ kind: "lacking", check: problem.check, reason: lackingText(problem), said: [] }];
		return [
			{
				kind: problem.kind,
				check: problem.kind === "setup" ? null : problem.check,
				reason: problem.kind === "all_fail" ? null : problem.why,
				said: problem.said,
			},
		];
	});
}

// No player installs a package that the project says it needs: the check could not run. Any other package may be the
// module that the task is to write.
async function withUninstalled(
	problem: GroundProblem,
	repository: Drive["repository"],
	commit: string,
): Promise<GroundProblem> {
	if (problem.kind !== "all_fail") return problem;
	const { check, said, packages } = problem;
	const [name] = await declaredPackages(repository, commit, packages);
	if (name === undefined) return problem;
	return { kind: "check", check, said, why: `the project needs ${name}, which is not installed` };
}

// Each machine has its own ignored files, and `copy` is not for several.
function onMachine(problem: GroundProblem, { store }: Pick<Drive, "store">): GroundProblem {
	if (store.machines === null) return problem;
	const machine = hostname();
	if (problem.kind === "untried") return { ...problem, machine };
	if (problem.kind !== "lacking") return problem;
	return { ...problem, machine, by: problem.by === "copy" ? "setup" : problem.by };
}

const hintFor = (runId: string): string =>
	[
		`Once the cause is gone: spar resume ${runId}`,
		"After a commit, or a change of the workflow file: spar run",
		`To go on as it is: spar resume ${runId} --anyway`,
	].join("\n");

export async function hasCalled(
	records: Pick<Records, "spending">,
	runId: string,
): Promise<boolean> {
	const { tasks } = await records.spending(runId);
	return tasks.some(({ calls }) => calls > 0);
}

/** Settles what setup and baseline show, once for all tasks of this process; several may ask at once. */
export function groundPreflight(
	drive: Pick<
		Drive,
		"run" | "repository" | "workflow" | "store" | "onNotice" | "onPreflight" | "anyway"
	>,
	commit: (writes: readonly Write[]) => Promise<void>,
): RunContext["preflight"] {
	const { run, workflow, store } = drive;
	const { runId } = run;
	const tell = (task: string, outcome: "went_on" | "stopped", problems: readonly GroundProblem[]) =>
		commit([
			runEvent(
				runId,
				"preflight-ended",
				{ outcome, problems: toldOf(problems) },
				{ task, turn: 0, node: "initialize" },
			),
		]);
	const told = new Set<string>();
	const onNotice = (text: string): void => {
		if (!told.has(text)) drive.onNotice?.(text);
		told.add(text);
	};
	let wentOn = false;
	const settle = async (task: string, found: readonly GroundProblem[]): Promise<void> => {
		const problems = await Promise.all(
			found.map(async (problem) =>
				onMachine(await withUninstalled(problem, drive.repository, run.baseCommit), drive),
			),
		);
		if (problems.length === 0 || wentOn || (await hasCalled(store.records, runId))) return;
		const people = workflow.tasks.some(({ human }) => human);
		const supervision = { ...drive, onNotice };
		const request = { problems, supervision, people, hint: hintFor(runId) };
		try {
			wentOn = (await settlePreflight(request)) === "went_on";
		} catch (error) {
			if (error instanceof Fault) await tell(task, "stopped", problems);
			throw error;
		}
		if (wentOn) await tell(task, "went_on", problems);
	};
	// Tasks that begin at once find the same: one asks, and the others go by its answer, a refusal too.
	let settled: Promise<void> = Promise.resolve();
	return (task, found) => {
		settled = settled.then(() => settle(task, found));
		return settled;
	};
}
