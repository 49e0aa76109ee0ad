import { Fault } from "../kernel/fault.ts";

export interface ToldBranch {
	readonly remote: string | null;
	readonly branch: string;
}

/** @example `main on origin` */
export const placed = ({ remote, branch }: ToldBranch): string =>
	remote === null ? branch : `${branch} on ${remote}`;

export function putBack(
	{ remote, branch }: ToldBranch,
	{ tip, to }: { readonly tip: string | null; readonly to: string },
): string {
	return remote === null
		? `git branch -f ${branch} ${to}`
		: `git push --force-with-lease=${branch}:${tip ?? ""} ${remote} ${to}:refs/heads/${branch}`;
}

/**
 * Fault of an integration branch that no longer holds what was merged into it.
 *
 * @param next what a person does once it is put back, such as "resume"
 */
export function setBack(
	told: ToldBranch,
	{ tip, lost }: { readonly tip: string; readonly lost: string },
	next: string,
): Fault {
	return new Fault(
		`the branch ${placed(told)} stands at ${tip}, which does not hold the merged work of ${lost}`,
		{
			code: "ref-in-the-way",
			hint: `Put it back with \`${putBack(told, { tip, to: lost })}\`, then ${next}.`,
		},
	);
}

/** Fault of an integration branch that is gone while tasks merge into it. */
export function branchGone({ remote, branch }: ToldBranch): Fault {
	return new Fault(`the branch ${branch} is gone${remote === null ? "" : ` from ${remote}`}`, {
		code: "ref-in-the-way",
		hint: "`spar resume` puts it back where the last merge left it.",
	});
}

/** Fault of a task's branch that is not where the run left it. */
export function branchMovedAway(
	told: ToldBranch,
	{ present, expected }: { readonly present: string | undefined; readonly expected: string | null },
): Fault {
	const { remote, branch } = told;
	if (expected === null) {
		const way = remote === null ? `with \`git branch -m ${branch} ${branch}-kept\`` : "there";
		return new Fault(`there is a branch ${placed(told)} that this run did not make`, {
			code: "ref-in-the-way",
			hint: `Sparring takes over no branch. Rename it ${way}, then resume.`,
		});
	}
	const now = present === undefined ? "is gone" : `stands at ${present}`;
	const command = putBack(told, { tip: present ?? null, to: expected });
	const other = remote === null ? ", or rename it" : "";
	return new Fault(
		`the branch ${placed(told)} ${now}, not at ${expected}, where this run left it`,
		{
			code: "ref-in-the-way",
			hint: `Sparring never resets a branch. Put it back with \`${command}\`${other}, then resume.`,
		},
	);
}
