import { join } from "node:path";
import { commitAll, type Environment, writeFiles } from "./scratch.ts";

/** Findings that are open after every turn. */
const OPEN_FINDINGS = 10;

/** Writes a file that differs in every turn but not in size, and a report. */
export const PLAYER = `printf 'turn %06d\\n' "$SPAR_TURN" > src/value.txt
printf '{"files_modified":["src/value.txt"],"implementation_notes":"set the value"}' > "$SPAR_REPORT"`;

/**
 * Raises ten findings in the first turn; then in each one new, and calls the oldest one fixed. So ten are open
 * after every turn, never the same ones, and the loop is no stall.
 */
export const COACH = `finding() { printf '{"issue":"case %06d is not covered by the value","severity":"major","suggestion":"cover it"}' "$1"; }
{
	printf '{"decision":"feedback","rationale":"cases are missing","requirements_status":[{"criterion":"the value follows the turn","met":true}],'
	if [ "$SPAR_TURN" = 1 ]; then
		printf '"feedback_items":['; finding 1
		for i in 2 3 4 5 6 7 8 9 ${OPEN_FINDINGS}; do printf ','; finding "$i"; done
		printf ']}'
	else
		printf '"findings_status":[{"id":"F%d","status":"fixed"}],' "$((SPAR_TURN - 1))"
		printf '"feedback_items":['; finding "$((SPAR_TURN + ${OPEN_FINDINGS - 1}))"; printf ']}'
	fi
} > "$SPAR_REPORT"`;

/** The trivial check. */
export const CHECK = "test -d src";

/** Files of the project besides the one that the player writes. */
const FILES = 200;

function workflow(turns: number): string {
	const agent = (script: string): string =>
		JSON.stringify({ adapter: "command", run: ["sh", "-c", script] });
	return `version: 1
name: bench
agents:
  dev: ${agent(PLAYER)}
  reviewer: ${agent(COACH)}
checks:
  tests: { kind: acceptance, run: "${CHECK}", report: { format: exit } }
tasks:
  bench:
    description: Keep the value up to date.
    acceptance_criteria: [the value follows the turn]
    max_turns: ${turns}
    overlays:
      paired_workflow: { enabled: true, driver_agent: dev, challenger_agent: reviewer, max_iterations: ${turns} }
human: { enabled: false }
`;
}

/** Writes the project whose turns are measured: 200 small files and a workflow with instant agents. */
export function makeLoopProject(directory: string, turns: number, environment: Environment): void {
	const files: Record<string, string> = {
		"sparring.yaml": workflow(turns),
		"src/value.txt": "turn 000000\n",
	};
	for (let index = 0; index < FILES; index += 1) {
		files[join("src", `part-${index % 10}`, `file-${index}.txt`)] = `file ${index}\n`.repeat(40);
	}
	writeFiles(directory, files);
	commitAll(directory, environment);
}
