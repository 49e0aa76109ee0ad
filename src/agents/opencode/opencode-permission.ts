import { join } from "node:path";
import { assertNever } from "../../kernel/assert-never.ts";
import type { HarnessSeat } from "../harness/harness.ts";

type Decision = "allow" | "deny";

/** What an agent of opencode's may do, by tool; of the patterns of one tool the last that fits decides. */
type Permission = Readonly<Record<string, Decision | Readonly<Record<string, Decision>>>>;

const READING = { read: "allow", glob: "allow", grep: "allow", list: "allow" } as const;

/** `git diff` writes where an option or a redirection tells it to, and a shell has many ways to spell an option. */
const READING_GIT: Readonly<Record<string, Decision>> = {
	"*": "deny",
	...Object.fromEntries(
		["diff", "log", "show", "status", "blame"].flatMap((command) => [
			[`git ${command}`, "allow"],
			[`git ${command} *`, "allow"],
		]),
	),
	...Object.fromEntries(
		["--ou", ">", "<", '"', "'", "\\", "$", "`", "{", "|", "&", ";", "\n"].map((part) => [
			`*${part}*`,
			"deny",
		]),
	),
};

/**
 * Outside of the checkout only the call's own files, unless our sandbox guards the rest. Asking would end the turn:
 * nobody is there to answer.
 */
function outside({ rights, workDir, confined }: HarnessSeat): Permission {
	if (confined && rights === "write") return { external_directory: "allow" };
	const own = { [join(workDir, "*")]: "allow", [join(workDir, "**")]: "allow" } as const;
	return { external_directory: { "*": "deny", ...own } };
}

/**
 * What a seat may do. `edit` stands for every tool that writes files, `task` for agents below, whose tokens nobody
 * would count.
 */
export function opencodePermission(seat: HarnessSeat): Permission {
	const { rights } = seat;
	switch (rights) {
		case "write":
			return {
				"*": "allow",
				task: "deny",
				webfetch: "deny",
				websearch: "deny",
				skill: "deny",
				question: "deny",
				plan_enter: "deny",
				plan_exit: "deny",
				...outside(seat),
			};
		case "restricted":
			return {
				"*": "deny",
				...READING,
				edit: "allow",
				bash: READING_GIT,
				...outside(seat),
			};
		case "read":
			return { "*": "deny", ...READING, ...outside(seat) };
		default:
			return assertNever(rights);
	}
}
