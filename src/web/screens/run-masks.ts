import { statSync } from "node:fs";
import { join } from "node:path";
import type { Masker } from "../../masking/masking.ts";
import { runMasker } from "../../places/run-masker.ts";
import { maskerOf } from "../../places/secrets.ts";
import { maskAllButNames } from "../../store/mask-texts.ts";
import type { RunRecord } from "../../store/records.ts";
import type { Workflow } from "../../workflow/workflow.ts";

type Environment = Readonly<Record<string, string | undefined>>;

export class RunMasks {
	readonly #root: string;
	readonly #env: Environment;
	readonly #kept = new Map<
		string,
		{ readonly changedMs: number; readonly masker: Promise<Masker> }
	>();
	#plain: Masker | null = null;

	constructor(root: string, env: Environment) {
		this.#root = root;
		this.#env = env;
	}

	plain(): Masker {
		this.#plain ??= maskerOf(this.#env, null);
		return this.#plain;
	}

	ofWorkflow(workflow: Workflow): Masker {
		return maskerOf(this.#env, workflow);
	}

	async of(run: Pick<RunRecord, "runId" | "workflow">): Promise<Masker> {
		const { file } = run.workflow;
		const stat = statSync(join(this.#root, file ?? "sparring.yaml"), { throwIfNoEntry: false });
		const changedMs = stat?.mtimeMs ?? 0;
		const kept = this.#kept.get(run.runId);
		if (kept?.changedMs === changedMs) return await kept.masker;
		const masker = runMasker(run, { root: this.#root, env: this.#env });
		this.#kept.set(run.runId, { changedMs, masker });
		return await masker;
	}
}

// As one text it is looked at first, which is quicker than each of its texts, and finds nothing as a rule.
export function maskedValue<T extends object>(maskers: readonly Masker[], value: T): T {
	return maskers.reduce((masked, masker) => {
		const text = JSON.stringify(masked);
		return masker.mask(text) === text ? masked : maskAllButNames(masker, masked);
	}, value);
}
