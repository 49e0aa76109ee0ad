import { openRepository } from "../../git/repository.ts";
import { gitHost } from "../../places/places.ts";
import { bringShared } from "../../places/remote-ground.ts";
import { runMasker } from "../../places/run-masker.ts";
import { findTask } from "../opened.ts";
import { taskDiff } from "../task-diff.ts";
import { RUN_OPTION, TASK } from "./fields.ts";
import { verb } from "./verb.ts";

export const diff = verb({
	fields: {
		task: TASK,
		turn: { kind: "count", spelt: "--turn <n>", about: "only what this turn changed" },
		runId: RUN_OPTION,
		/**
		 * For `git apply`, not to be read: binary files whole, and in a line that is not UTF-8 each byte from 0x80 on as a
		 * low surrogate, U+DC80 to U+DCFF.
		 */
		forApply: { kind: "flag", spelt: null, about: "for git apply, not to be read" },
	},
	places: ["task"],
	access: "read",
	examples: [
		"spar diff limiter",
		"spar diff limiter --turn 2",
		"spar diff limiter | git apply --stat",
	],
	run: async (own, { task, turn, runId, forApply }) => {
		const { records, run, of } = await findTask(own, task, runId);
		const repository = await openRepository(own.root, gitHost(own.env));
		await bringShared(repository, run, { env: own.env, tasks: [of.taskId] });
		const wanted = { run, task: of.taskId, turn, forApply };
		const text = await taskDiff(records, repository, wanted);
		return (await runMasker(run, own)).mask(text);
	},
});
