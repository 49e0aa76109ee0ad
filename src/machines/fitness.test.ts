import { expect, test } from "vitest";
import { Fitness, servedBy, tagsOfNext, unfitFor } from "./fitness.ts";

// Only what the functions read of a workflow.
const workflow = {
	agents: {
		dev: { name: "dev", fallback: "spare" },
		spare: { name: "spare" },
		rev: { name: "rev" },
		qa: { name: "qa" },
	},
	verification: { agent: "qa" },
	tieBreaker: undefined,
} as unknown as Parameters<typeof unfitFor>[0];
const task = {
	id: "limiter",
	player: "dev",
	pair: { challenger: "rev" },
	requiresVerification: "auto",
} as unknown as Parameters<typeof unfitFor>[1];
const lack = (agent: string | null, why = `${agent} is gone`) => ({ runId: "r1", agent, why });

test("a machine is unfit for a task when nobody can take one of its seats there", () => {
	expect(unfitFor(workflow, task, [])).toBeUndefined();
	expect(unfitFor(workflow, task, [lack("dev")])).toBeUndefined();
	expect(unfitFor(workflow, task, [lack("spare")])).toBeUndefined();
	expect(unfitFor(workflow, task, [lack("dev"), lack("spare")])).toBe("dev is gone");
	expect(unfitFor(workflow, task, [lack("rev")])).toBe("rev is gone");
	expect(unfitFor(workflow, task, [lack(null, "no remote origin")])).toBe("no remote origin");
});

test("a verifier is needed where it runs", () => {
	expect(unfitFor(workflow, task, [lack("qa")])).toBe("qa is gone");
	const elsewhere = {
		...workflow,
		verification: { ...workflow.verification, via: "nats" as const },
	};
	expect(unfitFor(elsewhere, task, [lack("qa")])).toBeUndefined();
	expect(
		unfitFor(workflow, { ...task, requiresVerification: "false" }, [lack("qa")]),
	).toBeUndefined();
});

test("a task is served by a worker that has its tags, lacks nothing for it and takes something new", () => {
	const run = { runId: "r1", workflow };
	const worker = { host: "one", tags: ["gpu", "mac"], lacks: [], draining: false };
	const served = (tags: readonly string[], ...workers: Parameters<typeof servedBy>[2]) =>
		servedBy(run, { task, tags, isMerged: false }, workers);
	expect(served([])).toEqual({ served: false, unfit: [] });
	expect(served(["gpu"], worker)).toEqual({ served: true, unfit: [] });
	expect(served(["gpu"], { ...worker, tags: ["mac"] })).toEqual({ served: false, unfit: [] });
	expect(served([], { ...worker, draining: true })).toEqual({ served: false, unfit: [] });
	const unfit = { ...worker, lacks: [lack("rev")] };
	const why = { machine: "one", why: "rev is gone" };
	expect(served([], unfit)).toEqual({ served: false, unfit: [why] });
	expect(served([], unfit, { ...worker, host: "two" })).toEqual({ served: true, unfit: [why] });
	const ofAnotherRun = { ...worker, lacks: [{ ...lack("rev"), runId: "r2" }] };
	expect(served([], ofAnotherRun)).toEqual({ served: true, unfit: [] });
});

test("a task that only has to be merged is served by any worker: its agents' tags and programs are of no matter", () => {
	const run = { runId: "r1", workflow };
	const unfit = { host: "one", tags: [], lacks: [lack("rev")], draining: false };
	expect(servedBy(run, { task, tags: [], isMerged: true }, [unfit])).toEqual({
		served: true,
		unfit: [],
	});
	const noRemote = { ...unfit, lacks: [lack(null, "no remote origin")] };
	expect(servedBy(run, { task, tags: [], isMerged: true }, [noRemote]).served).toBe(false);
	const tagged = { ...workflow, agents: { ...workflow.agents, dev: { tags: ["gpu"] } } };
	// As above.
	const whole = tagged as unknown as Parameters<typeof tagsOfNext>[0];
	expect(tagsOfNext(whole, task, { phase: "merging" })).toEqual([]);
	expect(tagsOfNext(whole, task, { phase: "gating" })).toContain("gpu");
});

test("what a worker cannot do is news once, until it can do it, or for another reason", () => {
	const fitness = new Fitness({ env: {} });
	const job = { runId: "r1", taskId: "limiter" };
	expect(fitness.canDo(job)).toBe(false);
	expect(fitness.cannotDo(job, "dev is gone")).toBe(true);
	expect(fitness.cannotDo(job, "dev is gone")).toBe(false);
	expect(fitness.cannotDo(job, "no remote origin")).toBe(true);
	expect(fitness.isUnfit(job)).toBe(true);
	expect(fitness.canDo(job)).toBe(true);
	expect(fitness.isUnfit(job)).toBe(false);
	fitness.cannotDo(job, "dev is gone");
	fitness.keep(new Set(["r2"]));
	expect(fitness.isUnfit(job)).toBe(false);
});
