import { delimiter, dirname } from "node:path";
import { expect, test } from "vitest";
import type { Script } from "../model-server/exchange.ts";
import { startModelServer } from "../model-server/model-server.ts";
import { repository } from "../support/repository.ts";
import { spar } from "../support/spar.ts";
import { pair, workflow } from "../support/workflow.ts";
import { connectionOf } from "./connection.ts";
import { installed } from "./harnesses.ts";
import { APPROVAL, WORK_DONE } from "./native-steps.ts";
import { placeOf } from "./pair-script.ts";

const TASKS = ["red", "blue"];
const LIMIT = "You exceeded your current quota, please check your plan and billing details.";

/** A script that writes and approves the file asked for, unless the account has reached its limit. */
function scriptWith(account: { isSpent: boolean }): Script {
	return (request) => {
		const { prompt, answers } = request;
		if (account.isSpent) return { kind: "error", status: 429, message: LIMIT };
		const [, id = ""] = /Write (\w+)\.txt/.exec(prompt) ?? [];
		if (placeOf(request).seat === "coach") {
			const met = { criterion: `${id}.txt exists`, met: true, evidence: "looked", tests: [] };
			const attempts = [{ what: "read it", command: "cat", outcome: "there" }];
			const empty = { findings_status: [], suspicions_status: [], feedback_items: [] };
			const value = { ...APPROVAL, requirements_status: [met], attempts, ...empty };
			return { kind: "structured", value };
		}
		return answers === 0 ? { kind: "write", path: `${id}.txt`, content: `${id}\n` } : WORK_DONE;
	};
}

/** Each harness plays once, and coaches once. */
const PAIRS = installed.flatMap((player, at) => {
	const coach = installed[(at + 1) % installed.length];
	return coach === undefined ? [] : [{ player, coach }];
});

test.each(PAIRS)(
	"$player.name and $coach.name at the limit of their account: one question, and all merges after one answer",
	async ({ player, coach }) => {
		const account = { isSpent: true };
		const server = await startModelServer({ script: scriptWith(account) });
		const repo = repository({ files: { "check.sh": "printf '1..1\\nok 1 - works\\n'\n" } });
		const seats = [player, coach].map((harness) => ({
			harness,
			connection: connectionOf(harness.name, server.url, repo.home),
		}));
		const [dev, challenger] = seats.map(({ harness, connection: { model, args, env } }) => ({
			adapter: harness.name,
			model,
			login: "key",
			env: Object.keys(env),
			timeout: "2m",
			...(args.length === 0 ? {} : { args }),
		}));
		const tasks = TASKS.map((id) => [
			id,
			{
				description: `Write ${id}.txt.`,
				acceptance_criteria: [`${id}.txt exists`],
				overlays: pair(),
			},
		]);
		repo.write({
			"sparring.yaml": workflow({
				agents: { dev, coach: challenger },
				checks: { tests: { kind: "acceptance", run: "sh check.sh", report: { format: "tap" } } },
				tasks: Object.fromEntries(tasks),
			}),
		});
		repo.commit("Workflow");
		const programs = seats.map(({ harness: { bin } }) => dirname(bin));
		const env = {
			...Object.fromEntries(seats.flatMap(({ connection }) => Object.entries(connection.env))),
			PATH: [...programs, repo.env["PATH"] ?? ""].join(delimiter),
		};
		try {
			const first = await spar(repo, ["run", "--json"], { env });
			expect(first.code, `${first.stderr}${first.stdout}`).toBe(3);
			const listed = await spar(repo, ["questions", "--json"], { env });
			const waiting = JSON.parse(listed.stdout) as readonly { readonly id: string }[];
			expect(waiting, first.stderr).toMatchObject([{ trigger: "quota" }]);
			account.isSpent = false;
			await spar(repo, ["answer", waiting[0]?.id ?? ""], { env });
			const { code, stdout, stderr } = await spar(repo, ["resume", "--json"], { env });
			expect(code, `${stderr}${stdout}`).toBe(0);
			const report = JSON.parse(stdout) as { readonly tasks: object };
			for (const task of Object.values(report.tasks))
				expect(task).toMatchObject({ status: "completed", merged: true, turns: 1 });
		} finally {
			await server.close();
			repo.remove();
		}
	},
);
