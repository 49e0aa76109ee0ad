import { existsSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { gatedTasks } from "./support/gated-tasks.ts";
import { Site } from "./support/site.ts";

const CRITERION = "the file is there";
const APPROVAL = {
	decision: "approve",
	rationale: "it is there",
	requirements_status: [{ criterion: CRITERION, met: true, evidence: "ls" }],
	feedback_items: [],
};
const COACH = `cat > /dev/null
echo judged
cat > "$SPAR_REPORT" <<'END'
${JSON.stringify(APPROVAL)}
END
`;
const by = (script: string) => ({ adapter: "command", run: ["sh", script], env: ["SITE"] });
const pair = { enabled: true, driver_agent: "dev", challenger_agent: "judge" };

let site: Site;
let run: string;

/** A run that machine `one` has brought to a question, and that the others have only heard of. */
beforeEach(async () => {
	const files = gatedTasks([], {
		human: { enabled: true },
		agents: { dev: by("player.sh"), judge: by("coach.sh") },
		tasks: {
			t1: {
				description: "write t1",
				acceptance_criteria: [CRITERION],
				requires_human: true,
				overlays: { paired_workflow: pair },
			},
		},
	});
	site = await Site.make({ files: { ...files, "coach.sh": COACH }, machines: ["one", "two"] });
	await site.worker("one", 1);
	run = site.begin();
	expect(await site.start("office", ["watch", run]).ended).toBe(0);
});
afterEach(() => site.remove());

interface Item {
	readonly id: string;
	readonly context: {
		readonly diff_path: string;
		readonly evidence: readonly { readonly output_path: string | null }[];
	};
}

const inClone = (machine: string, path: string): string => join(site.at(machine), path);
const tracePath = (): string => {
	const report = JSON.parse(site.spar("two", "status", "--json")) as {
		readonly tasks: { readonly t1: { readonly trace_path: string } };
	};
	return report.tasks.t1.trace_path;
};

test("the files that status and hil show name are in the clone that asks", () => {
	expect(existsSync(inClone("two", ".sparring"))).toBe(false);
	const trace = tracePath();
	expect(JSON.parse(readFileSync(inClone("two", trace), "utf8"))).toMatchObject({ run_id: run });
	for (const path of ["state/gate-reports/t1.json", `runs/${run}/gate-reports/t1.json`])
		expect(JSON.parse(readFileSync(inClone("two", `.sparring/${path}`), "utf8"))).toMatchObject({
			task_id: "t1",
		});
	const [{ id } = { id: "" }] = JSON.parse(site.spar("two", "hil", "list", "--json")) as Item[];
	const { context } = JSON.parse(site.spar("two", "hil", "show", id, "--json")) as Item;
	const outputs = context.evidence.flatMap(({ output_path: output }) => output ?? []);
	expect(outputs, JSON.stringify(context.evidence)).not.toEqual([]);
	for (const path of [context.diff_path, ...outputs])
		expect(existsSync(inClone("two", path)), path).toBe(true);
	expect(readFileSync(inClone("two", context.diff_path), "utf8")).toContain("out-t1.txt");
	expect(site.spar("two", "trace", "t1", "--json")).toContain(`transcripts/${run}/t1/`);
	expect(existsSync(inClone("two", `.sparring/transcripts/${run}/t1`))).toBe(true);
});

test("a copy is made once, and again where it is missing or different", () => {
	const copy = inClone("two", tracePath());
	const first = statSync(copy);
	tracePath();
	expect(statSync(copy)).toMatchObject({ ino: first.ino, mtimeMs: first.mtimeMs });
	const text = readFileSync(copy, "utf8");
	writeFileSync(copy, "{}");
	tracePath();
	expect(readFileSync(copy, "utf8")).toBe(text);
	rmSync(copy);
	tracePath();
	expect(readFileSync(copy, "utf8")).toBe(text);
});

test("a clone in which nothing can be written is told everything all the same", () => {
	writeFileSync(inClone("two", ".sparring"), "in the way");
	expect(tracePath()).toBe(".sparring/traces/t1.json");
	expect(readFileSync(inClone("two", ".sparring"), "utf8")).toBe("in the way");
});

test("prune removes the copies of its clone, also where another clone pruned the run before", () => {
	for (const machine of ["two", "office"]) site.spar(machine, "trace", "t1");
	site.spar("two", "cancel", run);
	for (const machine of ["two", "office"]) {
		const folders = ["runs", "transcripts"].map((name) =>
			inClone(machine, `.sparring/${name}/${run}`),
		);
		expect(folders.map((folder) => existsSync(folder))).toEqual([true, true]);
		site.spar(machine, "prune", "--force");
		expect(folders.map((folder) => existsSync(folder))).toEqual([false, false]);
	}
});
