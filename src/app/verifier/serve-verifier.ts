import { Fault } from "../../kernel/fault.ts";
import type { Serving } from "../../verification/nats/serve-nats.ts";
import type { VerificationAnswer } from "../../verification/remote-job.ts";
import type { VerificationOutcome } from "../../verification/verification.ts";
import type { NatsSettings } from "../../workflow/nats-settings.ts";
import type { Workflow } from "../../workflow/workflow.ts";
import { findRoot } from "../find-root.ts";
import { gitHost } from "../git-host.ts";
import { loadSource, requireWorkflow } from "../load-source.ts";
import { type Places, placesOf } from "../places.ts";
import { silenceTracing } from "../run/silence-tracing.ts";
import type { WorkflowSource } from "../sparring.ts";
import { requireSameStore } from "../store-address.ts";
import { verifyForAnother } from "./verifier-service.ts";

/** A request, as a verifier tells of it. */
interface ToldRequest {
	readonly run: string;
	readonly task: string;
	readonly turn: number;
	/** Names the request, such as `r1/limiter/1/3/9f86d081884c7d65/0`. */
	readonly id: string;
}

/** What a verifier that serves other processes tells, in order. */
export type VerifierNews =
	| { readonly kind: "serving"; readonly where: string; readonly slots: number }
	| ({ readonly kind: "request" } & ToldRequest)
	| ({
			readonly kind: "result";
			/** A verdict, or how there came to be none. */
			readonly outcome: VerdictWord;
			readonly why: string | null;
			readonly ms: number;
	  } & ToldRequest)
	| { readonly kind: "notice"; readonly text: string };

/** How a request ended; `handed_back` is for another verifier, `refused` for nobody. */
export type VerdictWord =
	| "passed"
	| "failed"
	| "skipped"
	| "inconclusive"
	| Exclude<VerificationOutcome["kind"], "decided">
	| "refused"
	| "handed_back";

/** What `serveVerifier` works with. */
export interface ServeVerifierOptions {
	/** Any directory inside the repository. */
	readonly directory: string;
	readonly env: Readonly<Record<string, string | undefined>>;
	/** Says in its file how requests come. */
	readonly source: WorkflowSource;
	/** Requests that are worked on at once; 1 or more. */
	readonly slots: number;
	readonly onNews: (news: VerifierNews) => void;
	/** Told of a bug that a request met; the verifier goes on. */
	readonly onBug: (error: unknown) => void;
	/** Told of the workflow, whose secrets are to be masked. */
	readonly onWorkflow: (workflow: Workflow) => void;
}

/**
 * Verifies the work of runs in other processes, until the signal aborts: what is worked on then is handed back.
 *
 * @throws Fault `workflow-invalid`; `usage` where the file says that runs verify themselves; `program-missing`;
 * `verifier-unavailable` where NATS cannot be reached
 */
export async function serveVerifier(
	options: ServeVerifierOptions,
	signal: AbortSignal,
): Promise<void> {
	const { directory, env, source } = options;
	silenceTracing(process.env);
	const root = await rootOf(directory, env);
	const workflow = requireWorkflow(await loadSource(source, { root, directory }), source);
	options.onWorkflow(workflow);
	const places = placesOf(root, env);
	requireSameStore(workflow.store, places.store, env);
	const { via, nats } = workflow.verification;
	if (via === "nats" && nats !== undefined) return await overNats(nats, places, options, signal);
	throw new Fault("verification.via is in_process: each run verifies itself", {
		code: "usage",
		hint: "Set verification.via to nats in the workflow file; `spar verifier` serves runs that ask in that way.",
	});
}

async function overNats(
	settings: NatsSettings,
	places: Places,
	{ env, slots, onNews, onBug }: ServeVerifierOptions,
	signal: AbortSignal,
): Promise<void> {
	const onNotice = (text: string): void => onNews({ kind: "notice", text });
	const { serveNats } = await import("../../verification/nats/serve-nats.ts");
	await serveNats(
		{
			settings,
			env,
			slots,
			onNotice,
			handle: (job, during) => verifyForAnother(job, { places, env, onNotice }, during),
			onReady: (where) => onNews({ kind: "serving", where, slots }),
			...telling(onNews),
			onProblem: (text, error) => {
				onNotice(text);
				if (error !== undefined) onBug(error);
			},
		},
		signal,
	);
}

/** Tells of requests and their results, with the time in between. */
function telling(onNews: ServeVerifierOptions["onNews"]): Pick<Serving, "onRequest" | "onResult"> {
	const begun = new Map<string, number>();
	return {
		onRequest: ({ run, task, turn, id }) => {
			begun.set(id, performance.now());
			onNews({ kind: "request", run, task, turn, id });
		},
		onResult: ({ run, task, turn, id }, answer) => {
			const ms = Math.round(performance.now() - (begun.get(id) ?? performance.now()));
			begun.delete(id);
			onNews({ kind: "result", run, task, turn, id, ms, ...toldAnswer(answer) });
		},
	};
}

async function rootOf(directory: string, env: ServeVerifierOptions["env"]): Promise<string> {
	const root = findRoot(directory);
	if (root !== undefined) return root;
	// Git explains best what is wrong.
	const { openRepository } = await import("../../git/repository.ts");
	return (await openRepository(directory, gitHost(env))).root;
}

function toldAnswer(answer: VerificationAnswer | null): {
	readonly outcome: VerdictWord;
	readonly why: string | null;
} {
	if (answer === null) return { outcome: "handed_back", why: null };
	if (answer.kind === "refused") return { outcome: "refused", why: answer.fault.message };
	const { outcome } = answer;
	if (outcome.kind === "decided") return { outcome: outcome.result.verdict, why: null };
	const why = outcome.kind === "account_spent" ? outcome.said : outcome.why;
	return { outcome: outcome.kind, why };
}
