import type { NormalisedRequest, Script, Step } from "../model-server/exchange.ts";

/** The one criterion of the task that `pairScript` plays. */
export const CRITERION = "triple(n) is three times n, and double(n) stays as it is";

/** What each answer of the scripted model claims to have used. */
export const TOKENS = { input: 1_200, cached: 200, output: 40 };

/** Breaks what was there: the tests of the repository say so. */
const WRONG = `export const double = (n) => n * n;
export const triple = (n) => n * 2;
`;
/** What the task wants. */
export const RIGHT = `export const double = (n) => n + n;
export const triple = (n) => n + n + n;
`;

const WORK = {
	files_modified: ["math.mjs"],
	files_created: [],
	tests_written: [],
	implementation_notes: "Added triple.",
	concerns: [],
	disputes: [],
};

const judged = (met: boolean) => [{ criterion: CRITERION, met, evidence: "ran it", tests: [] }];

const ATTEMPTS = [{ what: "the number 3", command: "node math.mjs", outcome: "looked at it" }];

const FEEDBACK = {
	decision: "feedback",
	rationale: "double is broken and triple is wrong.",
	requirements_status: judged(false),
	findings_status: [],
	attempts: ATTEMPTS,
	feedback_items: [
		{
			issue: "double(3) is 9 and triple(3) is 6",
			severity: "major",
			file: "math.mjs",
			line: 1,
			criterion: CRITERION,
			suggestion: "Add, do not multiply.",
		},
	],
};

function approval(findings: readonly string[]): unknown {
	return {
		decision: "approve",
		rationale: "Both are right now.",
		requirements_status: judged(true),
		findings_status: findings.map((id) => ({ id, status: "fixed" })),
		attempts: ATTEMPTS,
		feedback_items: [],
	};
}

/** Where the verifier writes its test, and the test. */
export const VERIFIER_TEST = "test/integration/triple.test.mjs";
const TRIPLES = `import assert from "node:assert/strict";
import { test } from "node:test";
import * as math from "../../math.mjs";

test("triples zero and four", () => assert.deepEqual([0, 4].map(math.triple), [0, 12]));
`;
const TESTS = {
	tests_written: [VERIFIER_TEST],
	run: `node --test ${VERIFIER_TEST}`,
	notes: "From the criterion.",
	disputes_status: [],
};

/** Where a request belongs: the seat and the turn that its prompt names; a verifier's names none, and is asked in turn 2. */
export function placeOf({ prompt }: NormalisedRequest): {
	readonly seat: "player" | "coach" | "verifier";
	readonly turn: number;
} {
	if (prompt.includes("You are the verifier")) return { seat: "verifier", turn: 2 };
	const seat = prompt.includes("You are the player") ? "player" : "coach";
	const turn = Number(/This is turn (\d+)/.exec(prompt)?.[1]);
	if (!Number.isInteger(turn)) throw new Error("a prompt without a turn");
	return { seat, turn };
}

function stepsOf(request: NormalisedRequest): readonly [Step, ...Step[]] {
	const { seat, turn } = placeOf(request);
	const read: Step = { kind: "read", path: "math.mjs" };
	if (seat === "player") {
		const content = turn === 1 ? WRONG : RIGHT;
		// Some harnesses refuse to write a file that was not read.
		return [
			read,
			{ kind: "write", path: "math.mjs", content },
			{ kind: "structured", value: WORK },
		];
	}
	if (seat === "verifier")
		return [
			read,
			{ kind: "write", path: VERIFIER_TEST, content: TRIPLES },
			{ kind: "structured", value: TESTS },
		];
	if (turn === 1) return [read, { kind: "structured", value: FEEDBACK }];
	const findings = [...request.prompt.matchAll(/^### (\S+) \(/gm)].map(([, id = ""]) => id);
	return [read, { kind: "structured", value: approval(findings) }];
}

/** A task of two turns: wrong work, feedback, right work, approval. */
export const pairScript: Script = (request) => {
	const steps = stepsOf(request);
	const step = steps[Math.min(request.answers, steps.length - 1)] ?? steps[0];
	return { ...step, tokens: TOKENS };
};
