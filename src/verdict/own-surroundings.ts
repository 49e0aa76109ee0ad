import { basename } from "node:path";
import { splitFailing } from "../checks/judge-results.ts";
import type { Evidence } from "../evidence/evidence.ts";
import type { ChangedFileText } from "../git/changed-texts.ts";
import type { Stand } from "../judge/stand.ts";
import { usedOfUser } from "../judge/what-is-lacking.ts";
import { quote } from "../kernel/quote.ts";
import {
	childEnvironment,
	type EnvironmentSource,
	userEnvironment,
} from "../process/environment.ts";
import type { ShownHome } from "../setups/execution.ts";
import type { Subject } from "./subject.ts";

/** Environment and home in which work is judged. */
export interface Surroundings {
	/** Of a child, with the named variables besides. */
	readonly environment: (names: readonly string[]) => Readonly<Record<string, string>>;
	/** Set where executions see the user's home. */
	readonly shown: ShownHome | undefined;
}

/** The user's own for what the user could have started; little of it for work of somebody else. */
export function surroundingsOf(
	{ isForeign }: Pick<Subject, "isForeign">,
	env: EnvironmentSource,
): Surroundings {
	if (isForeign) return { environment: (names) => childEnvironment(env, names), shown: undefined };
	return { environment: () => userEnvironment(env), shown: { written: new Set() } };
}

/** Notes of what red tests of one's own work use that no other work is given: the cause may be there. */
export async function usedByRed(
	stand: Stand,
	pair: Readonly<Record<"start" | "commit", string>>,
	checked: readonly Evidence[],
	baseline: ReadonlyMap<string, Evidence>,
): Promise<string[]> {
	if (stand.shown === undefined) return [];
	const red = checked.filter(({ kind, status }) => kind === "acceptance" && status === "fail");
	const used = await Promise.all(
		red.map((piece) => {
			const { newly } = splitFailing(piece.cases, baseline.get(piece.check));
			return usedOfUser(stand, pair, { piece, cases: newly.map(({ id }) => id) });
		}),
	);
	const names = [...new Set(used.flat())];
	return names.length === 0 ? [] : [`these tests use your surroundings: ${names.join(", ")}`];
}

/**
 * Tells what executions wrote into the user's home, where one could have left an answer for the next. Only what the work
 * itself names: other programs write there, too.
 */
export function tellWritten(
	shown: ShownHome | undefined,
	changed: readonly Pick<ChangedFileText, "parts">[],
	onNotice: ((text: string) => void) | undefined,
): void {
	const fresh = changed.flatMap(({ parts }) =>
		(parts ?? []).flatMap((part) => ("fresh" in part ? part.fresh : [])),
	);
	const own = [...(shown?.written ?? [])].filter((path) =>
		fresh.some((line) => line.includes(basename(path))),
	);
	if (own.length === 0) return;
	const named = own.slice(0, 3).map((path) => quote(`~/${path}`));
	const more = own.length > named.length ? ` and ${own.length - named.length} more` : "";
	onNotice?.(
		`written in your home while this was checked: ${named.join(", ")}${more}. A later execution may have read it; with a sandbox none can`,
	);
}
