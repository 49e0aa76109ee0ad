import { join } from "node:path";
import { keptEvidence } from "../drive/kept-evidence.ts";
import { setupsOf } from "../drive/setups-of.ts";
import { copiedSecrets } from "../judge/copied-secrets.ts";
import { evidenceInMemory } from "../judge/evidence-in-memory.ts";
import { FirstAlone } from "../judge/first-alone.ts";
import { judgingVault } from "../judge/judging-vault.ts";
import type { Stand } from "../judge/stand.ts";
import { isoTime, systemClock } from "../kernel/clock.ts";
import { maskerOf } from "../places/secrets.ts";
import { userEnvironment } from "../process/environment.ts";
import type { ProcessHost } from "../process/process.ts";
import { PORT_BASE, portBaseOf } from "../seats/port-base.ts";
import type { Allowance } from "../workflow/workflow.ts";
import { type Bench, checkoutAt, TASK } from "./check-bench.ts";
import { oncePerStep, stepText } from "./check-steps.ts";
import type { JudgingWorkflow } from "./judging-workflow.ts";
import { surroundingsOf } from "./own-surroundings.ts";
import type { Subject } from "./subject.ts";

/** Work, and what judges it. */
export interface JudgedFrom {
	readonly host: ProcessHost;
	readonly subject: Subject;
	readonly judging: JudgingWorkflow;
}

/** The ground on which work without a run is judged. */
export async function standOf(
	bench: Bench,
	{ host, subject, judging }: JudgedFrom,
): Promise<Stand> {
	const { options, runId, home, directory, vault, env, signal, watch } = bench;
	const { workflow } = judging;
	const { onNotice = () => undefined, allow = [] } = options;
	const { onStep = (step) => onNotice(stepText(step)) } = options;
	const { environment, shown } = surroundingsOf(subject, env);
	const createdAt = isoTime(systemClock.now());
	const run = { runId, baseCommit: subject.base, createdAt };
	const ports = { [PORT_BASE]: String(portBaseOf(runId, 0)) };
	const within = { ...bench, vault: judgingVault({ vault, workflow }, subject.base) };
	return {
		run,
		workflow,
		task: {
			id: TASK,
			description: options.task ?? "",
			acceptanceCriteria: [...(options.criteria ?? [])],
			allow: allow.filter((one): one is Allowance => !one.change.startsWith("s-")),
		},
		evidence: evidenceInMemory(subject.base),
		clock: systemClock,
		masker: maskerOf(env, workflow, copiedSecrets(vault.copied)),
		vault,
		signal,
		host: watch.watched(host),
		onStep: oncePerStep(onStep),
		environment: (names) => ({ ...environment(names), ...ports }),
		userEnvironment: () => userEnvironment(env),
		shown,
		setups: setupsOf({ run, workflow, shelf: join(home, "setups"), env, signal, onNotice }),
		baselines: new FirstAlone(),
		bases: await keptEvidence(join(home, "evidence"), { run, workflow, env, signal, host, vault }),
		// What is made here goes with the check's own objects.
		refs: { keep: async () => undefined },
		blobs: { put: async () => undefined },
		places: {
			checks: checkoutAt(within, "checks"),
			clean: checkoutAt(within, "clean"),
			work: join(directory, TASK),
			outputs: "outputs",
		},
	};
}
