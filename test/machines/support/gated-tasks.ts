import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { waitUntil } from "../../support/wait-until.ts";
import { workflow } from "../../support/workflow.ts";
import type { Site } from "./site.ts";

/** Says that it was called, waits for its gate where there is one, then writes the file of its task. */
const PLAYER = `cat > /dev/null
echo "$SPAR_TASK" >> "$SITE/calls"
if [ -e "$SITE/shut/$SPAR_TASK" ]; then
	: > "$SITE/waits-$SPAR_TASK"
	while [ -e "$SITE/shut/$SPAR_TASK" ]; do sleep 0.1; done
fi
[ -e "$SITE/refused-$SPAR_TASK" ] || echo "$SPAR_TASK" > "out-$SPAR_TASK.txt"
echo '{}' > "$SPAR_REPORT"
`;

/** Files of a repository with tasks whose player can be made to wait. */
export function gatedTasks(
	tasks: readonly string[],
	more: Readonly<Record<string, unknown>> = {},
): Readonly<Record<string, string>> {
	return {
		"player.sh": PLAYER,
		"sparring.yaml": workflow({
			max_parallel: 4,
			human: { enabled: false },
			agents: { dev: { adapter: "command", run: ["sh", "player.sh"], env: ["SITE"] } },
			checks: {
				tests: { kind: "acceptance", run: "ls out-*.txt", report: { format: "exit" } },
			},
			tasks: Object.fromEntries(
				tasks.map((id) => [
					id,
					{ agent: "dev", description: `write ${id}`, acceptance_criteria: ["the file is there"] },
				]),
			),
			...more,
		}),
	};
}

/** Lets the player of a task wait from its next call on. */
export function shut(site: Site, task: string): void {
	mkdirSync(join(site.scratch, "shut"), { recursive: true });
	writeFileSync(join(site.scratch, "shut", task), "");
}

/** Resolves when the player of a task waits. */
export async function isWaiting(site: Site, task: string): Promise<void> {
	await waitUntil(`the player of ${task} waits`, () =>
		existsSync(join(site.scratch, `waits-${task}`)),
	);
}

/** From now on the player of a task does nothing: it fails where no other one has merged yet. */
export function refuse(site: Site, task: string): void {
	writeFileSync(join(site.scratch, `refused-${task}`), "");
}
