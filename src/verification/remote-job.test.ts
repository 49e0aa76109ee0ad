import { expect, test } from "vitest";
import { Fault } from "../kernel/fault.ts";
import {
	faultAsData,
	jobKey,
	remoteVerifier,
	type VerificationAnswer,
	type VerificationJob,
} from "./remote-job.ts";
import type { Suite } from "./suite.ts";

const SUITE: Suite = {
	id: "1-1",
	commit: "c1",
	files: ["a.test.sh"],
	run: "sh a.test.sh",
	spec: "s1",
	subtask: null,
	proof: { kind: "kills_mutant", test: "limits", mutant: "a.js:1" },
};

const JOB: VerificationJob = {
	request: {
		run: "r1",
		task: { id: "limiter", description: "Build it.", acceptanceCriteria: ["it limits"] },
		subtask: "one",
		turn: 2,
		base: "b1",
		commit: "c2",
		verifier: "eve",
		spec: "s1",
		directive: "harder",
		suites: [SUITE, { ...SUITE, proof: null }],
		withdrawn: [{ test: "limits", why: "" }],
		disputes: [{ finding: "F1", test: "limits", reason: "no", evidence: null }],
	},
	fence: { runId: "r1", scope: { task: "limiter" }, epoch: 3 },
	epoch: 1,
	items: 2,
	asked: 1,
	slot: 4,
};

test("a job has the same key under any lease and in any slot, and another one once anything else differs", () => {
	const key = jobKey(JOB);
	expect(key).toMatch(/^r1\/limiter\/2\/[0-9a-f]{16}$/);
	expect(jobKey({ ...JOB, slot: 0, fence: { ...JOB.fence, epoch: 9 } })).toBe(key);
	const others = [
		{ ...JOB, epoch: 2 },
		{ ...JOB, items: 3 },
		{ ...JOB, asked: 2 },
		{ ...JOB, request: { ...JOB.request, commit: "c3" } },
	];
	expect(new Set([key, ...others.map(jobKey)]).size).toBe(5);
});

test("each request of a node tells how many answers the ones before it used", async () => {
	const jobs: VerificationJob[] = [];
	const ask = async (job: VerificationJob): Promise<VerificationAnswer> => {
		jobs.push(job);
		const { asked } = job;
		return { kind: "outcome", asked: asked + 2, outcome: { kind: "spoilt", why: "" } };
	};
	const { request, asked: _asked, ...from } = JOB;
	const verifier = remoteVerifier(ask, { ...from, signal: new AbortController().signal });
	await verifier.verify(request);
	await verifier.verify(request);
	expect(jobs.map(({ asked }) => asked)).toEqual([0, 2]);
});

test("a refusal is thrown as the Fault that it was", async () => {
	const fault = new Fault("run r1 is lost", { code: "lease-lost", hint: "See.", retryable: true });
	const ask = async (): Promise<VerificationAnswer> => ({
		kind: "refused",
		fault: faultAsData(fault),
	});
	const { request, asked: _asked, ...from } = JOB;
	const verifier = remoteVerifier(ask, { ...from, signal: new AbortController().signal });
	await expect(verifier.verify(request)).rejects.toEqual(fault);
});
