import { expect, test } from "vitest";
import { thorough } from "../support/amount.ts";
import type { Step } from "../support/scripted-agents.ts";
import { pair } from "../support/workflow.ts";
import { APPROVES, CRITERION, type Stage, stage } from "./stage.ts";

/** `feature` fails until there is a file `fixed`, and as soon as there is one called `broken`. */
const CHECK = `echo "TAP version 13"; echo "1..2"; echo "ok 1 - base"
if [ -e fixed ] && [ ! -e broken ]; then echo "ok 2 - feature"; exit 0; fi
echo "not ok 2 - feature"; exit 1
`;
const CHECKS = { tests: { kind: "acceptance", run: "sh check.sh", report: { format: "tap" } } };

const task = { description: "Do it.", acceptance_criteria: [CRITERION], overlays: pair() };

/** Adds a file in each task: its own, or one that the check looks for. */
const adds = (name: string, more = ""): Step => ({
	role: "player",
	task: name,
	run: `echo x > ${name}; ${more}`,
});

/** Tasks one after the other, each on top of what was merged before. */
function chain(names: readonly string[], steps: readonly Step[], files: object = {}): Stage {
	const tasks = names.map((name, nth) => {
		const before = names.slice(nth - 1, nth);
		return [name, nth === 0 ? task : { ...task, depends_on: before }] as const;
	});
	return stage({
		steps: [...steps, APPROVES],
		files: { "check.sh": CHECK, ...files },
		workflow: { checks: CHECKS, tasks: Object.fromEntries(tasks), defaults: { max_turns: 2 } },
	});
}

async function expectNotLanded({ repo, spar }: Stage, tests = 2): Promise<void> {
	const base = repo.git("rev-parse", "main");
	const { code, shown } = await spar(["land"]);
	expect(shown).toContain(`1 of ${tests} tests failed: feature; output`);
	expect(code).toBe(1);
	expect(repo.git("rev-parse", "main")).toBe(base);
}

thorough(
	"what failed before the run is known to each task, also to one that begins on another's merge",
	async () => {
		const at = chain(["one", "two", "three"], [adds("one"), adds("two"), adds("three")]);
		const { code, stderr } = await at.run();
		expect(code, stderr).toBe(0);
	},
);

thorough("what one task made green is red when the next one breaks it", async () => {
	const at = chain(["fixed", "broken"], [adds("fixed"), adds("broken")]);
	const { code, report } = await at.run();
	expect(code).toBe(1);
	expect(report.tasks["fixed"]?.merged).toBe(true);
	expect(report.tasks["broken"]?.merged).toBe(false);
});

thorough("what the run made green is red when the base that moved breaks it", async () => {
	const at = chain(["fixed"], [adds("fixed")]);
	expect((await at.run()).code).toBe(0);
	at.repo.write({ broken: "x" });
	at.repo.commit("The base moves");
	await expectNotLanded(at);
});

thorough(
	"what the run made green is red when a commit by hand on the integration branch breaks it",
	async () => {
		const at = chain(["fixed"], [adds("fixed")]);
		const { report } = await at.run();
		at.repo.git("switch", "--quiet", report.branch);
		at.repo.write({ broken: "x" });
		at.repo.commit("By hand");
		at.repo.git("switch", "--quiet", "main");
		await expectNotLanded(at);
	},
);

/** A commit by hand on the integration branch, in the middle of the run. */
const BY_HAND = `(cd "$HOME/project"
git worktree add --quiet ../hand "$(git for-each-ref --format='%(refname:short)' 'refs/heads/sparring/*/integration')"
cd ../hand && echo x > broken && git add broken
git -c user.name=A -c user.email=a@b.c commit --quiet --message "By hand"
cd ../project && git worktree remove ../hand)`;

/** As `CHECK`, beside a test that has failed since before the run. */
const OLD_FAILURE = CHECK.replace("1..2", "1..3")
	.replace("\n", '\necho "not ok 3 - old"\n')
	.replace("exit 0", "exit 1");

test("what a commit by hand broke is not known to the landing, although a task merged onto it", async () => {
	const at = chain(["one"], [adds("one", BY_HAND)], { "check.sh": OLD_FAILURE, fixed: "x" });
	const { code, task: done, stderr } = await at.run();
	expect(code, stderr).toBe(0);
	expect(done.merged).toBe(true);
	await expectNotLanded(at, 3);
});

thorough(
	"what failed before the run and still fails keeps no work from landing on a base that moved",
	async () => {
		const at = chain(["one", "two"], [adds("one"), adds("two")]);
		expect((await at.run()).code).toBe(0);
		at.repo.write({ other: "x" });
		at.repo.commit("The base moves");
		const { code, stderr } = await at.spar(["land"]);
		expect(code, stderr).toBe(0);
	},
);
