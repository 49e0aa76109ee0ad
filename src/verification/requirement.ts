import { verifierOf } from "../workflow/verifier-of.ts";
import type { TaskDefinition, Workflow } from "../workflow/workflow.ts";
import { causesOfText, causeText, type VerificationCause } from "./cause.ts";
import { causesOfPaths } from "./diff-causes.ts";
import { verificationReasonText } from "./verification-text.ts";

/** Need of a task for independent tests, who says so, and why. */
export interface Requirement {
	readonly required: boolean;
	/**
	 * `planner` and `person`: `spar plan` and `spar approve` wrote it. `file`: it was written into the workflow file, or
	 * into its `defaults`. `heuristic`: what the task and its diff touch.
	 */
	readonly by: "planner" | "person" | "file" | "heuristic";
	/** The words beside a choice in the file; null where nobody said. */
	readonly said: string | null;
	/** Empty where the file says it, and where nothing speaks for it. */
	readonly causes: readonly VerificationCause[];
}

/**
 * Tells whether a task requires independent verification. What stands in the file wins; with `auto` one cause is
 * enough, of the declared paths or of the diff (`found`; empty before there is one).
 */
export function requirementOf(
	task: Pick<
		TaskDefinition,
		| ("requiresVerification" | "verificationReason" | "verificationBy")
		| ("contextFiles" | "description")
	>,
	found: readonly VerificationCause[] = [],
): Requirement {
	const { requiresVerification: flag, verificationBy, contextFiles, description } = task;
	const said = task.verificationReason ?? null;
	if (flag !== "auto") {
		const isDeclined = verificationBy === "planner" && flag === "false";
		const by = isDeclined ? "file" : (verificationBy ?? "file");
		return { required: flag === "true", by, said, causes: [] };
	}
	const paths = causesOfPaths([...new Set([...contextFiles, ...namedPaths(description)])]);
	const causes = [...(paths.length > 0 ? paths : causesOfText(description)), ...found];
	const seen = new Map(causes.map((cause) => [JSON.stringify(cause), cause]));
	return { required: seen.size > 0, by: "heuristic", said, causes: [...seen.values()] };
}

const PATH =
	/(?<![\w/.:-])(?:\.\/)?(?:[\w@.-]+\/)+[\w@.*-]*|(?<![\w/.:-])[\w-]+(?:\.[\w-]+)*\.(?:[cm]?[jt]sx?|py|go|rs|rb|java|kts?|cs|php|sql|proto|graphqls?|gql|ya?ml|toml|json)\b/g;

const LOOKED_THROUGH = 50_000;

// `"change src/a.ts and ./db/"` gives `["src/a.ts", "db/"]`.
export function namedPaths(text: string): string[] {
	const found = text.slice(0, LOOKED_THROUGH).match(PATH) ?? [];
	return [...new Set(found.map((path) => path.replace(/^\.\//, "").replace(/\.+$/, "")))];
}

/** Decision about the verification of a task before anything is built. */
export interface VerificationForecast {
	/** Tells whether independent tests will be written, as far as can be told without a diff. */
	readonly effective: boolean;
	readonly by: Requirement["by"];
	readonly reason: string | null;
	/** Agent that would write them; null where nobody can. */
	readonly verifier: string | null;
}

/**
 * Tells whether a task will be verified, by whose word, and why. With `auto` only the paths that it names are known
 * yet.
 */
export function approvalOf(
	workflow: Pick<Workflow, "agents" | "verification" | "waive">,
	task: TaskDefinition,
): VerificationForecast {
	const verifier = verifierOf(workflow, task);
	if (task.formalReview === true)
		return {
			effective: false,
			by: "file",
			reason: verificationReasonText({ kind: "formal_review" }),
			verifier: null,
		};
	const { required, by, said, causes } = requirementOf(task);
	const why = workflow.waive?.verification?.trim() ?? "";
	if (required && why !== "") {
		const reason = verificationReasonText({ kind: "waived", why });
		return { effective: false, by: "file", reason, verifier };
	}
	if (by !== "heuristic") return { effective: required, by, reason: said, verifier };
	const reason = causes.length > 0 ? causes.map(causeText).join("; ") : NOTHING_NAMED;
	return { effective: required, by, reason, verifier };
}

const NOTHING_NAMED = "nothing in its text asks for it; its diff decides later";
