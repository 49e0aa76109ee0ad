import { createHash } from "node:crypto";
import type { Finding } from "../review/finding.ts";
import { isOpen } from "../review/finding-state.ts";
import { stepWrite, type Write } from "../store/records.ts";
import type { VerificationCause } from "../verification/cause.ts";
import {
	type DeclaredName,
	declaredNames,
	declaresNames,
	partOf,
} from "../verification/component.ts";
import {
	type ChangedText,
	causesOfDiff,
	changedDeclarations,
} from "../verification/diff-causes.ts";
import { type Requirement, requirementOf } from "../verification/requirement.ts";
import type { Suite } from "../verification/suite.ts";
import type {
	TestDispute,
	VerificationResult,
	WithdrawnTest,
} from "../verification/verification.ts";
import { failureText } from "../verification/verification-text.ts";
import type { NodeInput } from "./node-input.ts";
import { findingChanged } from "./records/findings.ts";
import type { Journal } from "./records/task-log.ts";
import {
	suitesStep,
	type TurnVerification,
	verificationReport,
	verificationStep,
} from "./records/turn-verification.ts";

const MAX_FINDINGS = 20;
const LONGEST_ISSUE = 2_000;

export type TestFinding = Finding & { readonly test: string };

export function testFindings(
	findings: readonly Finding[],
	subtask: string | null,
): readonly TestFinding[] {
	return findings.flatMap((finding) =>
		finding.source === "verification" &&
		finding.test !== undefined &&
		(finding.subtask ?? null) === subtask
			? [{ ...finding, test: finding.test }]
			: [],
	);
}

export function withdrawnTests(findings: readonly TestFinding[]): WithdrawnTest[] {
	return findings
		.filter(({ state }) => state === "withdrawn" || state === "overruled")
		.map(({ test, ruling }) => ({ test, why: ruling?.rationale ?? "" }));
}

export function openDisputes(findings: readonly TestFinding[]): TestDispute[] {
	return findings.flatMap(({ id, test, state, dispute }) =>
		state === "disputed" && dispute !== null
			? [{ finding: id, test, reason: dispute.reason, evidence: dispute.evidence }]
			: [],
	);
}

// A failing test has an open finding afterwards, a new one or the one that it had; one that passes closes its
// finding. An answer to a dispute withdraws or upholds. What was withdrawn or overruled stays so. Returns the
// findings that changed.
export function verifiedFindings({
	known,
	result,
	nextNumber,
	turn,
	subtask,
}: Pick<Finding, "subtask"> & {
	readonly known: readonly TestFinding[];
	readonly result: Pick<VerificationResult, "failing" | "answers">;
	readonly nextNumber: number;
	readonly turn: number;
}): TestFinding[] {
	const failing = new Map(result.failing.slice(0, MAX_FINDINGS).map((each) => [each.test, each]));
	const answers = new Map(result.answers.map((answer) => [answer.finding, answer.status]));
	const changed = known.flatMap((finding): TestFinding[] => {
		const state = stateOf(finding, failing.has(finding.test), answers.get(finding.id));
		return state === finding.state ? [] : [{ ...finding, state, changedTurn: turn }];
	});
	const have = new Set(known.map(({ test }) => test));
	const fresh = [...failing.values()].filter(({ test }) => !have.has(test));
	return [
		...changed,
		...fresh.map((each, index): TestFinding => {
			const issue = failureText(each);
			return {
				id: `F${nextNumber + index}`,
				issue: issue.length > LONGEST_ISSUE ? `${issue.slice(0, LONGEST_ISSUE - 1)}…` : issue,
				severity: "major",
				state: "open",
				file: null,
				line: null,
				criterion: null,
				suggestion: null,
				dispute: null,
				source: "verification",
				test: each.test,
				late: false,
				subtask,
				raisedTurn: turn,
				changedTurn: turn,
			};
		}),
	];
}

function stateOf(
	finding: TestFinding,
	fails: boolean,
	answer: "withdrawn" | "upheld" | undefined,
): Finding["state"] {
	const { state } = finding;
	if (state === "withdrawn" || state === "overruled") return state;
	if (answer === "withdrawn") return "withdrawn";
	if (!fails) return isOpen(finding) ? "fixed" : state;
	if (answer === "upheld" && state === "disputed") return "upheld";
	return isOpen(finding) ? state : "reopened";
}

export function verificationDecided(
	log: Journal,
	decided: TurnVerification,
	suites: readonly Suite[] | null,
): Write[] {
	const { verdict } = decided;
	const phase = PHASES[verdict];
	return [
		stepWrite(verificationStep(log, log.turn), decided),
		...(suites === null ? [] : [stepWrite(suitesStep(log), suites)]),
		log.task(phase === null ? { verification: verdict } : { verification: verdict, phase }),
		log.event("verification-decided", verificationReport(decided)),
	];
}

const PHASES = {
	passed: "verified",
	failed: "verification_failed",
	skipped: "verification_skipped",
	inconclusive: null,
} as const;

export function testsJudged(
	log: Journal,
	changed: readonly Finding[],
	{ answers }: Pick<VerificationResult, "answers">,
): Write[] {
	return changed.flatMap((finding) => {
		const said = answers.find((answer) => answer.finding === finding.id)?.reason ?? "";
		const text = said === "" ? WORDS[finding.state] : said;
		return findingChanged(log, finding, { by: "verifier", text, evidence: null });
	});
}

const WORDS: Readonly<Record<Finding["state"], string>> = {
	open: "the test fails",
	reopened: "the test fails again",
	fixed: "the test passes",
	disputed: "the player disputes the test",
	upheld: "the test stands",
	withdrawn: "the test is withdrawn",
	overruled: "the test counts no more",
};

const MAX_DECLARATIONS = 12;
const MAX_MANIFESTS = 60;

export async function requirementFor(input: NodeInput): Promise<Requirement> {
	const { facts, state, commits } = input;
	const declared = requirementOf(facts.task);
	if (declared.by !== "heuristic") return declared;
	const changes = await commits.changes(state.start, state.commit);
	// Whatever the task names: tests and texts for people break no component.
	const isHarmless = changes.every(({ path }) => ["test", "harmless"].includes(partOf(path)));
	if (changes.length > 0 && isHarmless) return { ...declared, required: false, causes: [] };
	return declared.required ? declared : requirementOf(facts.task, await causesFound(input));
}

async function causesFound({ state, commits }: NodeInput): Promise<VerificationCause[]> {
	const { start, commit } = state;
	const texts = await commits.texts(start, commit);
	const files = await commits.files(commit);
	const names: DeclaredName[] = [];
	for (const path of files.filter(declaresNames).slice(0, MAX_MANIFESTS))
		names.push(...declaredNames(path, (await commits.textAt(commit, path)) ?? ""));
	return causesOfDiff(texts, { files, names, users: await usersOf({ commits, commit }, texts) });
}

async function usersOf(
	{ commits, commit }: Pick<NodeInput, "commits"> & { readonly commit: string },
	texts: readonly ChangedText[],
): Promise<ReadonlyMap<string, readonly string[]>> {
	const names = [...new Set(texts.flatMap(changedDeclarations))].slice(0, MAX_DECLARATIONS);
	const users = new Map<string, readonly string[]>();
	for (const name of names) users.set(name, await commits.naming(commit, name));
	return users;
}

export function specKey(
	{ description, acceptanceCriteria }: NodeInput["facts"]["task"],
	directive: string | null,
): string {
	const spec = JSON.stringify([description, acceptanceCriteria, directive]);
	return createHash("sha256").update(spec).digest("hex").slice(0, 16);
}
