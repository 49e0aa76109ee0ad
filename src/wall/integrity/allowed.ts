import { pathMatcher, shown } from "../../evidence/path-match.ts";
import type { FileChange } from "../../git/file-change.ts";
import type { Allowance } from "../../workflow/workflow.ts";
import type { AllowedChange } from "../reading/tree-pair.ts";
import type { Violation } from "../reading/violation.ts";
import { allowedChange } from "./excuses.ts";

export interface Sorted<T> {
	/** Those that nothing lifts. */
	readonly left: readonly T[];
	readonly allowed: readonly AllowedChange[];
	readonly notes: readonly string[];
}

/**
 * Lets pass exactly what a task allows: a violation or a question of that kind at a path that matches. A renamed file is
 * one that is gone while a file of its kind is new.
 *
 * @param ofTests changes on the tests' side: what a replay takes as the player has it is allowed too
 */
export function sortByAllowance<T extends Pick<Violation, "path" | "change">>(
	all: readonly T[],
	{
		changes,
		ofTests,
	}: { readonly changes: readonly FileChange[]; readonly ofTests: readonly FileChange[] },
	allow: readonly Allowance[],
): Sorted<T> {
	const rules = allow.map((rule) => ({ rule, matches: pathMatcher([rule.path]) }));
	const left: T[] = [];
	const allowed: AllowedChange[] = [];
	const used = new Set<Allowance>();
	const finals = all.flatMap(({ path, change }) => (change === null ? [path] : []));
	const use = (rule: Allowance, path: string): void => {
		if (finals.includes(path)) return;
		used.add(rule);
		const { change, reason } = rule;
		if (!allowed.some((one) => one.path === path && one.change === change))
			allowed.push({ path, change, reason });
	};
	for (const one of all) {
		const found = rules.find(({ rule, matches }) => matches(one.path) && lifts(rule, one, changes));
		if (found === undefined) left.push(one);
		else use(found.rule, one.path);
	}
	for (const { rule } of rules) {
		const isTaken = allowedChange([rule]);
		for (const change of ofTests) if (isTaken(change)) use(rule, change.path);
	}
	const notes = rules
		.filter(({ rule }) => !used.has(rule))
		.map(({ rule: { path, change }, matches }) =>
			finals.some(matches)
				? `allow: no allowance lets pass "${change}" of ${path}`
				: `allow: nothing needed "${change}" of ${path}`,
		);
	return { left, allowed, notes };
}

function lifts(
	{ change }: Allowance,
	violation: Pick<Violation, "path" | "change">,
	changes: readonly FileChange[],
): boolean {
	if (violation.change === null) return false;
	if (change === violation.change) return true;
	if (change !== "rename" || violation.change !== "delete") return false;
	const ending = endingOf(violation.path);
	return changes.some(({ kind, path }) => kind === "added" && endingOf(path) === ending);
}

/** The extension of a path with the dot; empty without one. */
function endingOf(path: string): string {
	return /\.\w+$/.exec(path)?.[0] ?? "";
}

/** An allowed change in words: `edit of Makefile (the task adds a target)`. */
export function allowedText({ path, change, reason }: AllowedChange): string {
	return `${change} of ${shown(path)} (${reason})`;
}
