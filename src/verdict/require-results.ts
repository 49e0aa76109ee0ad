import { lacksSetup } from "../checks/suite.ts";
import type { Evidence } from "../evidence/evidence.ts";
import { tellingLines } from "../judge/telling-lines.ts";
import { Fault } from "../kernel/fault.ts";

const WAY_OUT =
	"Name a command that shows which tests ran: spar check --command CMD. One that is judged by its exit code alone stands in sparring.yaml, with `report: { format: exit }`.";

/**
 * Refuses a judgement by a check that gives no result on the base either: it says nothing of the work.
 *
 * @param where hints to where commands run
 * @param setup commands that make each checkout ready
 * @throws Fault `usage`, with what the check or its setup printed
 */
export function requireResults(
	checked: readonly Evidence[],
	baseline: ReadonlyMap<string, Evidence>,
	where: readonly string[],
	setup: readonly string[],
): void {
	const silent = checked.find(
		(piece) =>
			piece.kind === "acceptance" && isSilent(piece) && isSilent(baseline.get(piece.check)),
	);
	if (silent === undefined) return;
	const { check, reason, details } = silent;
	const said = details.length > 0 ? details.slice(0, 5) : tellingLines(silent);
	throw new Fault(
		`check ${check} gives no result, on the base as little as on the work: ${reason ?? "no reason is known"}`,
		{
			code: "usage",
			hint: [...said, ...where, lacksSetup(silent) ? setupWay(setup) : WAY_OUT].join("\n"),
		},
	);
}

const setupWay = (setup: readonly string[]): string =>
	`Each checkout was to be made ready by: ${setup.join("; ")}. By another command: spar check --setup CMD. Where the tests need none: spar check --no-setup`;

const isSilent = (piece: Evidence | undefined): boolean =>
	piece?.status === "error" || piece?.status === "absent";
