import { saysMissing } from "../checks/baseline-stand.ts";
import type { Evidence } from "../evidence/evidence.ts";

const TELLING =
	/error\b|exception\b|not found|no such|no module|cannot|can't|could not|unable|denied|missing|unknown|invalid|failed|fatal|threshold\b|not (?:met|reached)\b/i;

// Speaks of errors and says nothing of this one; or has no words: a rule, a bracket, a stack's place.
const NOISE =
	/^(?:npm|pnpm) (?:warn|notice)\b|complete log of this run|^'test failed'$|^at .*:\d+\)?$|^[^\p{L}]*$|^[=!_-]{3,} .* [=!_-]{3,}$|^OK\b|^[ℹ#] \w+ [\d.]+$|^(?:Test (?:Suites|Files)|Tests|Snapshots):? +\d+ (?:passed|total)\b|^(?:Time|Duration|Start at):? +\d|^Ran all test suites\b/iu;

const MAX_LINES = 2;
const LAST_LINES = 3;
const MAX_LINE = 200;

export function isByExitCode({ status, counts, results, details = [] }: PrintedEvidence): boolean {
	if (status !== "fail" || counts === undefined || results !== undefined) return false;
	return counts === null ? details.length === 0 : counts.failed === 0;
}

type PrintedEvidence = Pick<Evidence, "status"> &
	Partial<Pick<Evidence, "counts" | "results" | "details" | "cases">>;

/**
 * The last lines of the output of a check without a value, or of a failed setup, that say why, at most two: those
 * that name a missing program or package, else what its failed cases say, else those that speak of an error, else the
 * very last one. Of a check whose exit code alone says that it failed, or whose runner names no failed case, the first of these
 * and the last three of its output: a threshold of coverage, say, or what a linter behind the tests found.
 */
export function tellingLines(piece: PrintedEvidence & Pick<Evidence, "outputTail">): string[] {
	const { status, outputTail } = piece;
	const isFailed = isByExitCode(piece) || isNameless(piece);
	if (status !== "absent" && status !== "error" && !isFailed) return [];
	const lines = outputTail
		.split("\n")
		.map((line) => line.trim())
		// The output of a setup has its commands among what they print.
		.filter((line) => !(line.startsWith("$ ") || NOISE.test(line)));
	const missing = [...new Set(lines.filter(saysMissing))];
	const messages = isFailed ? [] : saidByCases(piece);
	const telling = [missing, messages].find(({ length }) => length > 0) ?? lines.filter(isTelling);
	const known = telling.length > 0 ? telling : lines.slice(-1);
	const said = isFailed
		? new Set([...telling.slice(0, 1), ...lines.slice(-LAST_LINES)])
		: known.slice(-MAX_LINES);
	return [...said].map((line) => (line.length > MAX_LINE ? `${line.slice(0, MAX_LINE)}...` : line));
}

const isNameless = ({ status, counts, cases }: PrintedEvidence): boolean =>
	status === "fail" && cases === null && (counts?.failed ?? 0) > 0;

const isTelling = (line: string): boolean => TELLING.test(line);

/** First lines of what failed cases say, with what a colon announces. */
function saidByCases({ cases }: PrintedEvidence): string[] {
	const said = (cases ?? []).flatMap(({ status, message = "" }) => {
		const [first = "", next = ""] = message.split("\n").filter((line) => line.trim() !== "");
		if (status !== "failed" || first === "") return [];
		return [(first.endsWith(":") ? `${first} ${next.trim()}` : first).trim()];
	});
	return [...new Set(said)].slice(0, MAX_LINES);
}
