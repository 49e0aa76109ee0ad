import { Fault } from "../kernel/fault.ts";
import { quote } from "../kernel/quote.ts";
import type { Suspicion } from "../wall/suspicion.ts";
import type { Allowance } from "../workflow/workflow.ts";

/** An allowance of a task, or a person's answer to one suspicion by its id. */
export interface CheckAllowance extends Pick<Allowance, "path" | "reason"> {
	readonly change: Allowance["change"] | `s-${string}`;
}

/**
 * Reads `PATH:KIND:REASON`.
 *
 * @throws Fault `usage`
 * @example `"test/a.js:edit:the rule changed"` gives `{ path: "test/a.js", change: "edit", reason: "the rule changed" }`
 */
export function checkAllowance(text: string): CheckAllowance {
	const [, path, kind, said] =
		/^(.+?):(delete|rename|skip|weaken|edit|s-[0-9a-f]+):(.*)$/s.exec(text) ?? [];
	const reason = said?.trim() ?? "";
	// The pattern lets no other through.
	const change = kind as CheckAllowance["change"];
	if (path !== undefined && reason !== "") return { path, change, reason };
	throw new Fault(`--allow ${quote(text)} is not PATH:KIND:REASON`, {
		code: "usage",
		hint: `KIND is delete, rename, skip, weaken, edit, or the id of a suspicion: --allow "test/old.test.js:delete:the feature goes"`,
	});
}

/** An allowance as `--allow` takes it. */
export const allowanceText = ({ path, change, reason }: CheckAllowance): string =>
	`${path}:${change}:${reason}`;

/** The answer to a suspicion among allowances, if there is one. */
export function answerTo(
	{ file, id }: Pick<Suspicion, "file" | "id">,
	answers: readonly CheckAllowance[],
): CheckAllowance | undefined {
	return answers.find(({ path, change }) => path === file && change === id);
}
