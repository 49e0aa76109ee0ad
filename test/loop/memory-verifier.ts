import { parseVerifierReport, type VerifierReport } from "../../src/agents/report.ts";
import type { Ground } from "../../src/loop/context.ts";
import { changesOf, type GitOfMaps } from "../../src/loop/git-of-maps.fixture.ts";
import type { MapCheckout } from "../../src/loop/map-commits.fixture.ts";
import { reportsRejected } from "../../src/loop/records/turn.ts";
import { ask } from "../../src/loop/roles.ts";
import { heardTwice } from "../../src/loop/seat-call.ts";
import { normaliseFindingId } from "../../src/review/apply-disputes.ts";
import type { CallRecord } from "../../src/store/records.ts";
import type {
	VerificationOutcome,
	VerificationRequest,
	Verifier,
} from "../../src/verification/verification.ts";
import {
	type VerificationParts,
	verifyWith,
	type Written,
} from "../../src/verification/verify-with.ts";
import type { MemoryChecks } from "./memory-checks.ts";

type Heard =
	| { readonly kind: "report"; readonly report: VerifierReport; readonly call: CallRecord }
	| Exclude<VerificationOutcome, { readonly kind: "decided" }>;

interface VerifierPlace {
	readonly git: GitOfMaps;
	readonly checkout: MapCheckout;
	readonly checks: MemoryChecks;
}

/**
 * A verifier whose agent plays a script and whose tests are programs. Its calls, and the rules by which tests are admitted
 * and judged, are the product's; it knows no mutants, and takes each new file for a test.
 */
export function memoryVerifier(ground: Ground, place: VerifierPlace): Verifier {
	return verifyWith(partsOf(ground, place));
}

function partsOf(ground: Ground, { git, checkout, checks }: VerifierPlace): VerificationParts {
	let nth = 0;
	const hear = async (
		request: VerificationRequest,
		mayBeEmpty: boolean,
		prompt: string,
	): Promise<Heard> => {
		const { verifier: agent, commit } = request;
		const told = { prompt, context: { role: "verifier", ...request } };
		const compose = () => Promise.resolve(told);
		const heard = await heardTwice(
			null,
			(_nth, refused) =>
				ask(ground, "verifier", { agent, commit, nth: nth++, works: true, refused, compose }),
			(report, problem) => parseVerifierReport(report, problem, mayBeEmpty),
		);
		if (heard.kind === "unpaid") return { kind: "unpaid", why: heard.reason };
		if (heard.refused.length > 0)
			await ground.commit(reportsRejected(ground.log, "verifier", heard.refused));
		if (heard.kind === "report") return heard;
		return { kind: "role_failed", agent: heard.agent, why: heard.reason, failure: heard.failure };
	};
	return {
		write: async (request, problem) => {
			const prompt = `Write tests.${problem === null ? "" : ` ${problem.kind}`}`;
			const heard = await hear(request, request.withdrawn.length > 0, prompt);
			if (heard.kind !== "report") return heard;
			return suiteOf(heard, request, { git, checkout, ground });
		},
		answer: async (request, disputes) => {
			const heard = await hear(request, true, "Answer the disputes.");
			if (heard.kind !== "report") return heard;
			const said = new Map(
				heard.report.disputes_status.map((each) => [normaliseFindingId(each.id), each]),
			);
			const answers = disputes.map(({ finding }) => {
				const { status = "upheld", reason = "" } = said.get(finding) ?? {};
				return { finding, status, reason };
			});
			return { kind: "answers", answers };
		},
		run: (request, suite, at) =>
			checks.testsAt(at === "base" ? request.base : request.commit, suite),
		change: async () => ({ touchesProduct: true, mutants: [] }),
		mutantsMs: 1_000,
	};
}

function suiteOf(
	{ report, call }: Extract<Heard, { kind: "report" }>,
	request: VerificationRequest,
	{ git, checkout, ground }: Pick<VerifierPlace, "git" | "checkout"> & { readonly ground: Ground },
): Written {
	const now = checkout.files();
	const fresh = changesOf(git.files(request.commit), now).filter(({ kind }) => kind === "added");
	if (fresh.length === 0) return { kind: "empty", left: [] };
	const files = fresh.map(({ path }) => path);
	const texts = files.map((path) => [path, now.get(path)?.text ?? ""] as const);
	const commit = git.commit(Object.fromEntries(texts));
	const { spec, subtask } = request;
	const id = `${ground.log.turn}-${call.call}`;
	return {
		kind: "tests",
		suite: { id, commit, files, run: report.run, spec, subtask, proof: null },
	};
}
