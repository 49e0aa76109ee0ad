import { z } from "zod";
import type { FaultCode } from "../kernel/fault.ts";
import type { Proof, SuiteProblem } from "./admission.ts";
import type { VerificationCause } from "./cause.ts";
import type { JobFault, VerificationAnswer, VerificationJob } from "./remote-job.ts";
import type { Suite, TestStatus } from "./suite.ts";
import type {
	VerificationOutcome,
	VerificationReason,
	VerificationRequest,
	VerificationResult,
} from "./verification.ts";

const whole = z.int().min(0);
const texts = z.array(z.string());
const tested = <Kind extends string>(kind: Kind) =>
	z.object({ kind: z.literal(kind), test: z.string() });
const ofKind = <Kind extends string>(kind: Kind) => z.object({ kind: z.literal(kind) });

const proof: z.ZodType<Proof> = z.discriminatedUnion("kind", [
	tested("fails_on_base"),
	tested("broken_by_change"),
	tested("fails_on_commit"),
	z.object({ kind: z.literal("kills_mutant"), test: z.string(), mutant: z.string() }),
	ofKind("product_unchanged"),
]);

const suite: z.ZodType<Suite> = z.object({
	id: z.string(),
	commit: z.string(),
	files: texts,
	run: z.string(),
	spec: z.string(),
	subtask: z.string().nullable(),
	proof: proof.nullable(),
	isSpent: z.boolean().optional(),
});

const leftFile = z.object({
	path: z.string(),
	why: z.enum(["outside_test_paths", "not_new", "no_plain_file", "name_taken", "ignored"]),
});

const suiteProblem: z.ZodType<SuiteProblem> = z.discriminatedUnion("kind", [
	z.object({ kind: z.literal("empty"), left: z.array(leftFile) }),
	ofKind("stopped"),
	ofKind("not_started"),
	ofKind("setup"),
	ofKind("no_tests"),
	ofKind("not_loaded"),
	ofKind("network"),
	ofKind("touched"),
	ofKind("unclear"),
	z.object({ kind: z.literal("vacuous"), mutants: whole }),
]);

const cause: z.ZodType<VerificationCause> = z.union([
	z.object({ kind: z.literal("several_packages"), packages: texts }),
	z.object({
		kind: z.literal("shared_type"),
		path: z.string(),
		name: z.string().nullable(),
	}),
	z.object({ kind: z.literal("cross_component_call"), path: z.string(), to: z.string() }),
	z.object({
		kind: z.enum(["api_contract", "migration", "shared_configuration", "unreadable"]),
		path: z.string(),
	}),
]);

const reason: z.ZodType<VerificationReason> = z.union([
	z.object({ kind: z.enum(["not_required", "no_verifier", "formal_review", "nothing_left"]) }),
	z.object({ kind: z.enum(["declined", "demanded"]), said: z.string().nullable() }),
	z.object({ kind: z.enum(["waived", "verifier_failed"]), why: z.string() }),
	z.object({ kind: z.literal("unverified"), why: z.string().nullable() }),
	z.object({ kind: z.literal("cause"), cause }),
	z.object({ kind: z.literal("proof"), proof }),
	z.object({ kind: z.enum(["tests_passed", "tests_failed"]), count: whole }),
	z.object({ kind: z.literal("suite"), problem: suiteProblem }),
]);

const testStatus: z.ZodType<TestStatus> = z.object({
	path: z.string(),
	name: z.string(),
	status: z.enum(["passed", "failed", "skipped", "withdrawn"]),
});

const result: z.ZodType<VerificationResult> = z.object({
	verdict: z.enum(["passed", "failed", "skipped", "inconclusive"]),
	reasons: z.array(reason),
	suites: z.array(suite),
	tests: z.array(testStatus),
	failing: z.array(z.object({ test: z.string(), message: z.string() })),
	answers: z.array(
		z.object({
			finding: z.string(),
			status: z.enum(["withdrawn", "upheld"]),
			reason: z.string(),
		}),
	),
	run: z.string().nullable(),
	outputPath: z.string().nullable(),
	commit: z.string(),
});

const outcome: z.ZodType<VerificationOutcome> = z.union([
	z.object({ kind: z.literal("decided"), result }),
	z.object({ kind: z.literal("unpaid"), why: z.string() }),
	z.object({ kind: z.literal("role_failed"), agent: z.string(), why: z.string() }),
	z.object({ kind: z.literal("spoilt"), why: z.string() }),
	z.object({
		kind: z.literal("account_spent"),
		agent: z.string(),
		resetsAt: z.string().nullable(),
		said: z.string(),
		fails: z.boolean(),
	}),
]);

const request: z.ZodType<VerificationRequest> = z.object({
	run: z.string(),
	task: z.object({ id: z.string(), description: z.string(), acceptanceCriteria: texts }),
	subtask: z.string().nullable(),
	turn: z.int().min(1),
	base: z.string(),
	commit: z.string(),
	verifier: z.string(),
	spec: z.string(),
	directive: z.string().nullable(),
	suites: z.array(suite),
	withdrawn: z.array(z.object({ test: z.string(), why: z.string() })),
	disputes: z.array(
		z.object({
			finding: z.string(),
			test: z.string(),
			reason: z.string(),
			evidence: z.string().nullable(),
		}),
	),
});

export const jobSchema: z.ZodType<VerificationJob> = z.object({
	request,
	fence: z.object({
		runId: z.string(),
		scope: z.union([z.enum(["run", "integration"]), z.object({ task: z.string() })]),
		epoch: whole,
	}),
	epoch: whole,
	items: whole,
	asked: whole,
	slot: whole,
});

const faultCode = z.string().transform((code) => code as FaultCode);

const fault: z.ZodType<JobFault> = z.object({
	message: z.string(),
	code: faultCode,
	hint: z.string().nullable(),
	retryable: z.boolean(),
});

export const answerSchema: z.ZodType<VerificationAnswer> = z.union([
	z.object({ kind: z.literal("outcome"), outcome, asked: whole }),
	z.object({ kind: z.literal("refused"), fault }),
]);

/**
 * Reads what another process sent.
 *
 * @returns undefined for what is not JSON, or not what the schema says
 * @example `readMessage(answerSchema, "{}")` is undefined
 */
export function readMessage<T>(schema: z.ZodType<T>, text: string): T | undefined {
	try {
		return schema.safeParse(JSON.parse(text)).data;
	} catch {
		return undefined;
	}
}
