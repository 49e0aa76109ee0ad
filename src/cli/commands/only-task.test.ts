import { expect, test } from "vitest";
import { runReport, spar, taskReport } from "../fakes.contract.ts";

const READERS = ["diff", "logs", "trace", "findings", "gate"] as const;

/** The readers of a run, which note the task that they are asked for. */
function readersOf(tasks: readonly string[]) {
	const asked: string[] = [];
	const note = (task: string) => {
		asked.push(task);
		return Promise.reject(new Error("asked"));
	};
	const report = Object.fromEntries(tasks.map((id) => [id, taskReport()]));
	const status = () => Promise.resolve({ ...runReport(), tasks: report });
	const sparring = { status, diff: note, logs: note, trace: note, findings: note, gate: note };
	return { asked, sparring };
}

test.each(READERS)("spar %s is about the only task where none is named", async (command) => {
	const { asked, sparring } = readersOf(["limiter"]);
	await spar([command], { sparring });
	await spar([command, "other"], { sparring });
	expect(asked).toEqual(["limiter", "other"]);
});

test.each(READERS)("spar %s names the tasks of a run that has several", async (command) => {
	const { asked, sparring } = readersOf(["limiter", "docs"]);
	const { code, out, err } = await spar([command, "--json"], { sparring });
	expect([code, out, asked]).toEqual([2, "", []]);
	expect(err).toContain("has 2 tasks, and none is named\nName one of them: limiter, docs\n");
});
