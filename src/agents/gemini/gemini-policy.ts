import { assertNever } from "../../kernel/assert-never.ts";
import type { Rights } from "../rights.ts";

const READING = ["read_file", "read_many_files", "list_directory", "glob", "grep_search"] as const;
const EDITING = ["write_file", "replace"] as const;

function rule(
	tools: readonly string[],
	decision: "allow" | "deny",
	priority: number,
	more = "",
): string {
	const names = JSON.stringify(tools);
	return `[[rule]]\ntoolName = ${names}\ndecision = "${decision}"\npriority = ${priority}\n${more}`;
}

/** A tool that is denied without a condition is not even offered to the model. */
const only = (tools: readonly string[]): string =>
	[rule(tools, "allow", 500), rule(["*"], "deny", 400)].join("\n");

/**
 * The rules of Gemini CLI's policy engine (TOML) for a seat. They are written for its approval mode `default`, in which
 * it asks nobody when it has no terminal: whatever is not allowed here is denied.
 *
 * Neither the restricted nor the reading seat has a shell: in a checkout that is not trusted Gemini CLI runs no git
 * command, whatever a rule says, and no other command is for them.
 */
export function geminiPolicy(rights: Rights): string {
	switch (rights) {
		case "write":
			return [
				rule(EDITING, "allow", 500),
				rule(["run_shell_command"], "allow", 500, "allowRedirection = true\n"),
				// Leaving plan mode would change the approval mode.
				rule(["enter_plan_mode", "exit_plan_mode"], "deny", 900),
			].join("\n");
		case "restricted":
			return only([...READING, ...EDITING]);
		case "read":
			return only(READING);
		default:
			return assertNever(rights);
	}
}
