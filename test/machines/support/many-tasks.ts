import { createHash } from "node:crypto";
import { pair, workflow } from "../../support/workflow.ts";
import { mergesOf } from "./merges-of.ts";
import type { Site } from "./site.ts";

const CRITERION = "its lines are there";

/** Two of ten tasks, neighbours, add a line to the same file: their work conflicts when both are under way. */
export const sharesList = (nth: number): boolean => nth % 10 < 2;

const listOf = (nth: number): string => `shared/${Math.floor(nth / 10)}.txt`;

/** Adds what its task is to add, and settles what a merge left. One line of `calls` for each call. */
const PLAYER = `cat > /dev/null
echo "$SPAR_TASK" >> "$SITE/calls"
sleep 0.$(( $$ % 7 ))
mkdir -p own shared
echo "$SPAR_TASK.txt" > "own/$SPAR_TASK.txt"
n=$(expr "\${SPAR_TASK#t}" + 0)
if [ $(( n % 10 )) -lt 2 ]; then
	list="shared/$(( n / 10 )).txt"
	{ [ -e "$list" ] && grep -v '^[<=>|][<=>|]' "$list"; echo "$SPAR_TASK"; } | LC_ALL=C sort -u > .list
	mv .list "$list"
fi
echo '{}' > "$SPAR_REPORT"
`;

const REVIEW = {
	decision: "approve",
	rationale: "All is there.",
	requirements_status: [{ criterion: CRITERION, met: true, evidence: "seen" }],
};

const COACH = `cat > /dev/null
echo "$SPAR_TASK" >> "$SITE/calls"
echo '${JSON.stringify(REVIEW)}' > "$SPAR_REPORT"
`;

/** Each own file holds its name, each list is in order. */
const CHECK = `for own in own/*; do
	[ -e "$own" ] || continue
	[ "$(cat "$own")" = "\${own#own/}" ] || { echo "$own is wrong"; exit 1; }
done
for list in shared/*; do
	[ -e "$list" ] || continue
	grep -q '^[<=>|][<=>|]' "$list" && { echo "$list holds both sides of a merge"; exit 1; }
	LC_ALL=C sort -u -c "$list" || exit 1
done
`;

/** @example `taskName(7)` is `t007` */
const taskName = (nth: number): string => `t${String(nth).padStart(3, "0")}`;

/** Ids of so many tasks: `t000` and on. */
export function taskNames(count: number): readonly string[] {
	return Array.from({ length: count }, (_, nth) => taskName(nth));
}

function taskOf(nth: number): Readonly<Record<string, unknown>> {
	return {
		agent: "dev",
		description: `Add the lines of ${taskName(nth)}.`,
		acceptance_criteria: [CRITERION],
		depends_on: nth % 10 === 7 ? [taskName(nth - 5)] : [],
		max_turns: 6,
		...(nth % 10 === 5 ? { overlays: pair() } : {}),
	};
}

/** Files of a repository whose workflow has so many small tasks; some depend on others, have a coach, or conflict. */
export function manyTasks(
	count: number,
	more: Readonly<Record<string, unknown>> = {},
): Readonly<Record<string, string>> {
	const tasks = taskNames(count).map((id, nth) => [id, taskOf(nth)]);
	return {
		"player.sh": PLAYER,
		"coach.sh": COACH,
		"check.sh": CHECK,
		"sparring.yaml": workflow({
			max_parallel: 8,
			human: { enabled: false },
			agents: {
				dev: { adapter: "command", run: ["sh", "player.sh"], env: ["SITE"] },
				coach: { adapter: "command", run: ["sh", "coach.sh"], env: ["SITE"] },
			},
			checks: {
				tests: { kind: "acceptance", run: "sh check.sh", report: { format: "exit" } },
			},
			tasks: Object.fromEntries(tasks),
			...more,
		}),
	};
}

const blobOf = (text: string): string =>
	createHash("sha1").update(`blob ${text.length}\0${text}`).digest("hex");

/** What is wrong with the files of a commit on the remote; empty: nothing. */
function faultsIn(site: Site, commit: string): readonly string[] {
	const entries = site.atRemote("ls-tree", "-r", "--format=%(objectname) %(path)", commit);
	return entries.split("\n").flatMap((entry) => {
		const [oid = "", path = ""] = entry.split(" ");
		const [folder, name = ""] = path.split("/");
		if (folder === "own" && oid !== blobOf(`${name}\n`)) return [`${commit}: ${path}`];
		if (folder !== "shared") return [];
		const lines = site.atRemote("cat-file", "blob", oid).split("\n");
		const isRight = lines.every(
			(line, at) => /^t\d{3}$/.test(line) && (at === 0 || (lines[at - 1] ?? "") < line),
		);
		return isRight ? [] : [`${commit}: ${path}`];
	});
}

/** What a run left on the remote. */
export interface Outcome {
	/** Tasks that its commits name, in the order of the merges. */
	readonly merges: readonly string[];
	/** Files of commits that are not as they should be. */
	readonly faults: readonly string[];
	/** Of the tip. */
	readonly tree: string;
	readonly files: readonly string[];
}

/** Looks at the integration branch of a run, and at each of its commits. */
export function outcomeOf(site: Site, run: string): Outcome {
	const branch = `sparring/${run}/integration`;
	const commits = site.atRemote("rev-list", `main..${branch}`).split("\n");
	return {
		merges: mergesOf(site, run),
		faults: commits.flatMap((commit) => faultsIn(site, commit)),
		tree: site.atRemote("rev-parse", `${branch}^{tree}`),
		files: site.atRemote("ls-tree", "-r", "--name-only", branch).split("\n"),
	};
}

/** What a run of so many tasks has to leave in files. */
export function filesOf(count: number): readonly string[] {
	const own = taskNames(count).map((id) => `own/${id}.txt`);
	const lists = new Set(own.flatMap((_, nth) => (sharesList(nth) ? [listOf(nth)] : [])));
	return [...own, ...lists];
}
