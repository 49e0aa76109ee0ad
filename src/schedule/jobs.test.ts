import { expect, test } from "vitest";
import { jobsContract } from "./jobs.contract.ts";
import { serves } from "./jobs.ts";
import { memoryJobs } from "./memory-jobs.fixture.ts";

jobsContract("memory", memoryJobs);

test("a worker takes from the queues whose tags it all has", () => {
	const own = new Set(["gpu", "linux"]);
	expect(serves(own, { kind: "task", tags: [] })).toBe(true);
	expect(serves(own, { kind: "task", tags: ["gpu"] })).toBe(true);
	expect(serves(own, { kind: "task", tags: ["gpu", "mac"] })).toBe(false);
});
