import type { FileChange } from "../../git/changes.ts";
import type { SideReason } from "../replay/sides.ts";
import { isCode } from "../replay/test-places.ts";
import { type Suspicion, type SuspicionKind, suspicion } from "../suspicion.ts";
import type { TreePair } from "./tree-pair.ts";
import { type Line, rewritten } from "./vanished.ts";

/** Code that can disarm the tests around it. */
const DISARMING =
	/\breturn;?\s*$|^@\w|\b(?:vi|jest|mock|sinon|td)\.(?:mock|fn|stub|spyOn|module|method|replace)\b|\bmonkeypatch\b|\bpatch\s*[(.]|\bsetattr\s*\(|\btry\b|\bcatch\b|\bexcept\b|\bfinally\b|process\.(?:exit|on)\b|\bos\._exit\b|\bsys\.(?:exit|modules)\b|\.prototype\b|\bexpect\.extend\b|\buseFakeTimers\b|\bretry\b|\btimeout\b|\b(?:assert|expect)\w*\s*=|\b(?:function|def)\s+(?:assert|expect)/;

/** How many lines of each side a suspicion shows. */
const SHOWN = 6;
const LONGEST = 160;

/**
 * Changes of what the base's tests consist of, where a replay showed that these tests hold without the changes. Lines
 * that only moved, formatting, comments and additions that disarm nothing are none.
 *
 * @param tests the base's files on the tests' side
 * @param isSettled whether the change blocks already, or is allowed
 */
export async function suspectChanges(
	pair: TreePair,
	tests: ReadonlyMap<string, SideReason>,
	isSettled: (change: FileChange) => boolean,
): Promise<Suspicion[]> {
	const changed = pair.changes.filter(({ path, kind }) => kind !== "added" && tests.has(path));
	if (changed.length === 0) return [];
	const added = await Promise.all(
		pair.changes
			.filter(({ kind, path }) => kind === "added" && isCode(path))
			.map(async ({ path }) => (await pair.readHead(path)) ?? ""),
	);
	const found: Suspicion[] = [];
	for (const change of changed) {
		if (isSettled(change)) continue;
		const { path, kind } = change;
		const head = kind === "deleted" ? "" : ((await pair.readHead(path)) ?? "");
		const lines = rewritten((await pair.readBase(path)) ?? "", head, added);
		const fresh =
			lines.gone.length > 0 ? lines.fresh : lines.fresh.filter(({ text }) => DISARMING.test(text));
		if (lines.gone.length + fresh.length === 0) continue;
		found.push(
			suspicion(
				{
					kind: kindOf(path, tests.get(path)),
					file: path,
					line: fresh[0]?.number ?? lines.gone[0]?.number ?? null,
					text: [...shownLines("-", lines.gone), ...shownLines("+", fresh)].join("\n"),
				},
				[head],
			),
		);
	}
	return found;
}

function kindOf(path: string, reason: SideReason | undefined): SuspicionKind {
	if (reason === "command") return "check_changed";
	return isCode(path) ? "test_changed" : "test_data_changed";
}

function shownLines(mark: string, lines: readonly Line[]): string[] {
	const shown = lines.slice(0, SHOWN).map(({ text }) => `${mark} ${text.slice(0, LONGEST)}`);
	const more = lines.length - shown.length;
	return more > 0 ? [...shown, `${mark} ... ${more} more`] : shown;
}
