import { expect, test } from "vitest";
import { APPROVES, stage, WORKS } from "../acceptance/stage.ts";

test("a question that is answered while no process holds its run waits for nobody: the next step is to resume", async () => {
	const made = stage({ steps: [WORKS, APPROVES], human: true, task: { requires_human: true } });
	const { code, report, task } = await made.run();
	const [run, item] = [report.run_id, task.human_item ?? ""];
	expect(code).toBe(3);
	const stdout = async (...args: readonly string[]) => (await made.spar(args)).stdout;
	const before = await stdout("status");
	expect(before).toContain(": waiting for you\n");
	expect(before).toContain(`spar questions ${item}`);

	await made.spar(["hil", "resolve", item]);
	const after = {
		status: await stdout("status"),
		runs: await stdout("runs"),
		trace: await stdout("trace", "one"),
		report: await stdout("report"),
	};
	expect(after.status).toContain(": answered (spar resume goes on)\n");
	expect(after.status).toContain(`spar resume ${run}  go on with the answer`);
	expect(after.runs).toContain("0 of 1 done, 1 answered");
	expect(after.trace).toContain(`of run ${run}: answered\n`);
	expect(after.report).toContain(`goes on with \`spar resume ${run}\``);
	for (const text of [after.status, after.runs, after.report]) {
		expect(text).not.toMatch(/waiting for (you|a person)|1 waiting|hil show/);
	}
	// What is stored stays as it was, for programs.
	expect(await made.json("status")).toMatchObject({
		status: "paused_for_user_escalation",
		tasks: { one: { status: "paused_for_human", human_item: item, human_item_answered: true } },
	});
	expect(await made.json("runs")).toMatchObject([
		{ status: "paused_for_user_escalation", holder: null, tasks: { waiting: 1, answered: 1 } },
	]);

	const { task: done } = await made.resume();
	expect(done).toMatchObject({ status: "completed", merged: true });
	expect(await stdout("status")).not.toContain("answered");
});
