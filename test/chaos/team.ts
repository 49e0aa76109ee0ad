import { join } from "node:path";
import type { TestRepository } from "../support/repository.ts";
import { pair, workflow } from "../support/workflow.ts";

const CRITERION = "its lines are there";

/** Lists that several tasks add a line to, so that their work conflicts. */
const LISTS = ["one.txt", "two.txt", "three.txt"] as const;

/** Tasks in four layers; each depends on one or two of the layer before. */
const DEPENDS: Readonly<Record<string, readonly string[]>> = {
	t01: [],
	t02: [],
	t03: [],
	t04: [],
	t05: ["t01"],
	t06: ["t02", "t03"],
	t07: ["t04"],
	t08: [],
	t09: ["t05", "t06"],
	t10: ["t07"],
	t11: ["t08"],
	t12: ["t09", "t10"],
};

export const TASKS: readonly string[] = Object.keys(DEPENDS);

/** Which lists a task adds a line to: two of the three. */
const listsOf = (nth: number): readonly string[] => LISTS.filter((_, at) => at !== nth % 3);

/** A list is in order, without repetition, and without a marker of a conflict. */
const CHECK = `for list in ${LISTS.join(" ")}; do
	[ -e "$list" ] || continue
	grep -q '^[<=>|][<=>|]' "$list" && { echo "$list holds both sides of a merge"; exit 1; }
	LC_ALL=C sort -u -c "$list" || exit 1
done
for own in own/*; do
	[ -e "$own" ] || continue
	[ "$(cat "$own")" = "\${own#own/}" ] || exit 1
done
`;

/**
 * A player that adds its task's lines and settles what a merge left, at a speed of its own. It has no pipe
 * and ends with the first command that fails: killed in the middle, it must not report half of its work.
 */
const PLAYER = `set -e
cat > /dev/null
sleep 0.0$(( $$ % 7 ))
mkdir -p own
echo "$SPAR_TASK.txt" > "own/$SPAR_TASK.txt"
for list in $LISTS; do
	touch "$list"
	grep -v '^[<=>|][<=>|]' "$list" > .list || [ $? = 1 ]
	echo "line of $SPAR_TASK" >> .list
	LC_ALL=C sort -u -o .list .list
	mv .list "$list"
done
echo '{}' > "$SPAR_REPORT"
`;

/** A coach that sends every third first attempt back, and later approves. */
const COACH = `
const { readFileSync, writeFileSync } = require("node:fs");
const { findings = [] } = JSON.parse(readFileSync(process.env.SPAR_CONTEXT, "utf8"));
const requirements_status = [{ criterion: ${JSON.stringify(CRITERION)}, met: true, evidence: "seen" }];
const back = process.env.SPAR_TURN === "1" && process.pid % 3 === 0;
const report = back
	? { decision: "feedback", rationale: "Once more.", requirements_status,
		feedback_items: [{ issue: "look again", severity: "major" }] }
	: { decision: "approve", rationale: "All is there.", requirements_status,
		findings_status: findings.map(({ id }) => ({ id, status: "fixed" })) };
writeFileSync(process.env.SPAR_REPORT, JSON.stringify(report));
`;

/** Writes a workflow of twelve tasks with its agents; they lie beside the repository. */
export function writeTeam(repo: TestRepository): void {
	repo.write({ [join("..", "player.sh")]: PLAYER, [join("..", "coach.cjs")]: COACH });
	const tasks = Object.entries(DEPENDS).map(([id, depends_on], nth) => {
		const task = {
			agent: `p${nth % 3}`,
			description: `Add the lines of ${id}.`,
			acceptance_criteria: [CRITERION],
			overlays: pair({ driver_agent: `p${nth % 3}` }),
			max_turns: 6,
			depends_on,
		};
		return [id, task];
	});
	// Agents differ by the lists that they write.
	const players = [0, 1, 2].map((nth) => {
		const run = ["sh", "-c", `LISTS="${listsOf(nth).join(" ")}"; . "$HOME/player.sh"`];
		return [`p${nth}`, { adapter: "command", run }];
	});
	repo.write({
		"check.sh": CHECK,
		"sparring.yaml": workflow({
			max_parallel: 4,
			human: { enabled: false },
			agents: {
				...Object.fromEntries(players),
				coach: { adapter: "command", run: ["sh", "-c", 'exec node "$HOME/coach.cjs"'] },
			},
			checks: {
				tests: { kind: "acceptance", run: "sh check.sh", report: { format: "exit" } },
			},
			tasks: Object.fromEntries(tasks),
		}),
	});
}

/** What is wrong with the files of a commit of the integration branch; empty: nothing. */
export function faultsOf(repo: TestRepository, commit: string): readonly string[] {
	const paths = repo.git("ls-tree", "-r", "--name-only", commit).split("\n");
	const text = (path: string): string => repo.git("show", `${commit}:${path}`);
	const lists = paths.filter((path) => LISTS.some((list) => list === path));
	const wrongLists = lists.filter((path) => {
		const lines = text(path).split("\n");
		return lines.some((line) => !/^line of t\d\d$/.test(line)) || !isStrictlySorted(lines);
	});
	const wrongOwn = paths.filter(
		(path) => path.startsWith("own/") && text(path) !== path.slice("own/".length),
	);
	return [...wrongLists, ...wrongOwn].map((path) => `${commit}: ${path}`);
}

const isStrictlySorted = (lines: readonly string[]): boolean =>
	lines.every((line, at) => at === 0 || (lines[at - 1] ?? "") < line);
