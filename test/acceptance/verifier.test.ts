import { describe, expect, test } from "vitest";
import { verifyForAnother } from "../../src/machines/serve-verifier.ts";
import { placesOf } from "../../src/places/places.ts";
import type { VerificationJob } from "../../src/verification/remote-job.ts";
import { thorough } from "../support/amount.ts";
import { APPROVES, type Stage, stage, textLike, WORKS } from "./stage.ts";

const set = (verification: object) =>
	stage({ steps: [WORKS, APPROVES], workflow: { verifier: "coach", verification } });

test("spar verifier serves no workflow whose runs verify themselves", async () => {
	const { code, stderr } = await set({}).spar(["verifier"]);
	expect(code).toBe(2);
	expect(stderr).toContain("verification.via is in_process: each run verifies itself");
	expect(stderr).toContain("Set verification.via to nats in the workflow file");
});

thorough("spar verifier says which server it cannot reach", async () => {
	const nats = { servers: ["nats://127.0.0.1:1"], context_timeout: "1ms" };
	const { code, stderr } = await set({ via: "nats", nats }).spar(["verifier", "--slots", "2"]);
	expect(code).toBe(2);
	expect(stderr).toContain("error: NATS at nats://127.0.0.1:1 cannot be reached");
	expect(stderr).toContain("name another one with NATS_URL or verification.nats.servers");
});

test("a run says so too, before it calls an agent", async () => {
	const nats = { servers: ["nats://127.0.0.1:1"] };
	const play = set({ via: "nats", nats });
	const { code, stderr } = await play.spar(["run"]);
	expect(code).toBe(2);
	expect(stderr).toContain("verification goes over NATS: NATS at nats://127.0.0.1:1 cannot be");
	expect(play.agents.calls()).toEqual([]);
});

test("a run whose work is verified elsewhere is not recorded", async () => {
	const { code, stderr } = await set({ via: "nats" }).spar(["run", "--record", "calls.jsonl"]);
	expect(code).toBe(2);
	expect(stderr).toContain(
		"verification.via is nats, and a cassette has one process that writes it",
	);
	expect(stderr).toContain("Record with `via: in_process`.");
});

/** A run of one task, as its process has left it: the lease still has the epoch of that one. */
const held = stage({ steps: [WORKS, APPROVES], workflow: { verifier: "coach" } });
const { report, task } = await held.run();
const { run_id: runId } = report;
const commit = task.commit ?? "";

describe("a job that cannot be done is refused with the reason", () => {
	/** A job of the process that held the run, about its task as it was. */
	const jobOf = (part: Partial<VerificationJob> = {}, request: object = {}): VerificationJob => ({
		request: {
			run: runId,
			task: { id: "one", description: "Do the work.", acceptanceCriteria: [] },
			subtask: null,
			turn: 1,
			base: commit,
			commit,
			verifier: "coach",
			spec: "s1",
			directive: null,
			suites: [],
			withdrawn: [],
			disputes: [],
			...request,
		},
		fence: { runId, scope: "run", epoch: 1 },
		epoch: 1,
		items: 0,
		asked: 0,
		slot: 0,
		...part,
	});

	const answerTo = (job: VerificationJob, { repo }: Pick<Stage, "repo"> = held) => {
		const { env } = repo;
		const place = { places: placesOf(repo.root, env), env, onNotice: () => undefined };
		return verifyForAnother(job, place, new AbortController().signal);
	};

	test.each([
		[
			"of another run",
			{ fence: { runId: "r0", scope: "run", epoch: 1 } },
			{},
			"run-not-found",
			"there is no run r0",
		],
		[
			"whose sender lost the run",
			{ fence: { runId, scope: "run", epoch: 0 } },
			{},
			"lease-lost",
			"was taken over by another process",
		],
		[
			"of a fence that nobody ever held",
			{ fence: { runId, scope: { task: "one" }, epoch: 1 } },
			{},
			"lease-lost",
			"was taken over by another process",
		],
		[
			"about a task of another run",
			{},
			{ run: "r0" },
			"task-not-found",
			"is about no task that its sender holds",
		],
		[
			"about a task that is not there",
			{},
			{ task: { id: "two", description: "", acceptanceCriteria: [] } },
			"task-not-found",
			"is about no task that its sender holds",
		],
		[
			"about a task that was reopened since",
			{ epoch: 0 },
			{},
			"lease-lost",
			"was reopened since it was asked about",
		],
		[
			"about a commit that is not here",
			{},
			{ commit: "c".repeat(40) },
			"verifier-unavailable",
			"of task one is not in",
		],
	] as const)("%s", async (_which, part, request, code, message) => {
		expect(await answerTo(jobOf(part, request))).toMatchObject({
			kind: "refused",
			fault: { code, message: textLike(message) },
		});
	});

	test("without a secret of the verifier's environment", async () => {
		const { env, root } = held.repo;
		const secret = "hunter2-hunter2-hunter2";
		const place = {
			places: placesOf(root, env),
			env: { ...env, SERVICE_TOKEN: secret },
			onNotice: () => undefined,
		};
		const answer = await verifyForAnother(
			jobOf({}, { commit: secret }),
			place,
			new AbortController().signal,
		);
		expect(answer).toMatchObject({ fault: { message: textLike("commit [MASKED:") } });
		expect(JSON.stringify(answer)).not.toContain(secret);
	});

	thorough(
		"whose agent's account has reached its limit: an answer, and no fault of the verifier",
		async () => {
			const line = {
				...({ task: "one", subtask: null, role: "verifier", turn: 1, call: 1, ms: 1 } as const),
				...({ outcome: "quota_exhausted", usage: null, report: null, files: {} } as const),
				output: "You've hit your usage limit.",
			};
			const there = stage({
				steps: [WORKS, APPROVES],
				files: { "eve.jsonl": `${JSON.stringify(line)}\n` },
				workflow: { agents: { eve: { adapter: "cassette", file: "eve.jsonl" } } },
			});
			const { report: run, task: done } = await there.run();
			const at = { run: run.run_id, base: done.commit ?? "", commit: done.commit, verifier: "eve" };
			const fence = { runId: run.run_id, scope: "run", epoch: 1 } as const;
			expect(await answerTo(jobOf({ fence }, at), there)).toMatchObject({
				kind: "outcome",
				outcome: { kind: "account_spent", agent: "eve", said: textLike("quota_exhausted") },
			});
		},
	);

	test("in a repository without runs", async () => {
		expect(await answerTo(jobOf(), stage({ steps: [] }))).toMatchObject({
			kind: "refused",
			fault: { code: "run-not-found", message: "this repository has no runs yet" },
		});
	});

	test("a job that is handed back gives no answer", async () => {
		const { env, root } = held.repo;
		const place = { places: placesOf(root, env), env, onNotice: () => undefined };
		const reason = new Error("told to end");
		await expect(verifyForAnother(jobOf(), place, AbortSignal.abort(reason))).rejects.toBe(reason);
	});
});
