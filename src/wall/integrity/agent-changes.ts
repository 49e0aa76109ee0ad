import { whole } from "../../evidence/path-match.ts";
import { isManifest } from "../../setups/setup-key.ts";
import { impliedBy } from "../reading/command-words.ts";
import type { AgentCommand, TreePair } from "../reading/tree-pair.ts";
import { edited, final, type Violation } from "../reading/violation.ts";
import { scriptsOf } from "./command-closure.ts";
import { type Followed, followCommand } from "./followed-files.ts";
import { hijackChanges } from "./runner-hijack.ts";

/**
 * Changes of what starts an agent: its program, what this imports or is configured by, files that it gets by name, and new
 * ones that would be found first. A judge whose script the player can write would say what the player likes, so no task
 * can allow them, but for scripts of package.json.
 */
export async function agentChanges(
	pair: TreePair,
	commands: readonly AgentCommand[],
): Promise<Violation[]> {
	const found: Violation[] = [];
	const manifest = await pair.readBase("package.json");
	for (const { owner, run, files = [] } of commands) {
		const readBase = (file: string) => pair.readBase(file);
		const followed = await followCommand(run, { readBase, manifest, reach: "all" });
		found.push(
			...(await changedScripts(pair, owner, followed)),
			...changedFiles(pair, owner, followed, files),
			...(await hijackChanges(pair, owner, followed)),
		);
	}
	return found;
}

async function changedScripts(
	pair: TreePair,
	owner: string,
	{ closure }: Followed,
): Promise<Violation[]> {
	if (!pair.changes.some((change) => change.path === "package.json")) return [];
	const [base, head] = [await pair.readBase("package.json"), await pair.readHead("package.json")];
	const [before, after] = [scriptsOf(base), scriptsOf(head)];
	return closure.scripts
		.filter((name) => before.get(name) !== after.get(name))
		.map((name) => {
			const change = before.has(name) ? "changed; restore it" : "added; remove it";
			return edited("package.json", `the script "${name}" that ${owner} runs was ${change}`);
		});
}

function changedFiles(
	{ changes }: TreePair,
	owner: string,
	{ named, shadows, closure }: Followed,
	files: readonly string[],
): Violation[] {
	const isImplied = impliedBy(closure.words);
	return changes.flatMap((change) => {
		const { kind, path: file } = change;
		const isRead = isImplied(file);
		const isUsed = (kind === "added" ? shadows : named).has(file) && !isManifest(file);
		const isGiven = kind !== "added" && files.includes(file);
		return isRead || isGiven || isUsed
			? [final(file, whole(change, `a file that ${owner} runs`))]
			: [];
	});
}
