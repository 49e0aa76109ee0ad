import type { TestCase } from "../evidence/evidence.ts";

/** A case is named by its last parts too; no name that is worth reading has more. */
const MOST_PARTS = 16;

const SEPARATORS = [" > ", "::"];

/** How names are compared: white space runs are one space, none at the ends. */
export function caseName(text: string): string {
	return text.replaceAll(/\s+/gu, " ").trim();
}

/** `a > b::c` has the names `c`, `b::c` and `a > b::c`. The second case of an id, `x #2`, is also an `x`. */
function namesOf(id: string): string[] {
	const single = id.replace(/ #\d+$/u, "");
	return single === id ? endings(id) : [...endings(id), ...endings(single)];
}

function endings(id: string): string[] {
	const names = [id];
	let end = id.length;
	while (names.length < MOST_PARTS) {
		const starts = SEPARATORS.map((separator) => {
			const at = end === 0 ? -1 : id.lastIndexOf(separator, end - 1);
			return { at, start: at + separator.length };
		});
		const next = starts.reduce((a, b) => (b.at > a.at ? b : a));
		if (next.at < 0) return names;
		names.push(id.slice(next.start));
		end = next.at;
	}
	return names;
}

/**
 * Which of the wanted names stand for a test case that ran and passed.
 *
 * A name means every case whose id it is, or whose id ends with it after ` > ` or `::`. Where it means several, all
 * of them must have passed; a skipped case did not.
 *
 * @param wanted names as `caseName` gives them
 * @example `limiter > refuses the 4th call` is meant by `refuses the 4th call` and by its whole id, not by `4th call`
 */
export function passedNames(
	wanted: ReadonlySet<string>,
	cases: readonly TestCase[],
): ReadonlySet<string> {
	const states = new Map<string, TestCase["status"]>();
	for (const { id, status } of cases) {
		for (const name of namesOf(caseName(id))) {
			if (!wanted.has(name)) continue;
			const before = states.get(name) ?? "passed";
			states.set(name, before === "passed" ? status : before);
		}
	}
	return new Set([...states].filter(([, status]) => status === "passed").map(([name]) => name));
}
