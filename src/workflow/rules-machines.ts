import { holdsPassword } from "../kernel/holds-password.ts";
import { quote } from "./diagnostic.ts";
import type { Field } from "./field.ts";
import type { Reporter } from "./reporter.ts";
import { nameProblem } from "./safe-name.ts";
import { UNTAGGED } from "./tags-of.ts";

/** Rules about what several machines share: the remote, the store, and the tags of agents. */
export function reportMachines(root: Field, report: Reporter): void {
	reportRemote(root.at("code").at("remote"), report);
	reportStore(root.at("store"), report);
	for (const { field: agent } of root.at("agents").entries()) reportTags(agent.at("tags"), report);
}

/** An address in its place could hold a password, and each machine may reach the remote by its own. */
function reportRemote(remote: Field, report: Reporter): void {
	const { text } = remote;
	if (text === undefined || /^\w[\w./-]*$/.test(text)) return;
	report.error(
		remote,
		"code.remote must be the name of a git remote",
		"such as origin; `git remote -v` lists the names",
	);
}

function reportStore(store: Field, report: Reporter): void {
	const { text } = store;
	if (text === undefined) return;
	// The address itself is not shown: it may hold a password.
	if (URL.parse(text)?.protocol !== "postgres:")
		report.error(
			store,
			"store must be a postgres:// address",
			"such as postgres://spar@db.example.org/sparring",
		);
	else if (holdsPassword(text))
		report.error(
			store,
			"store must not contain a password",
			"give it outside of the file: in SPAR_STORE, in PGPASSWORD, or in a passfile (~/.pgpass)",
		);
}

function reportTags(tags: Field, report: Reporter): void {
	const seen = new Set<string>();
	for (const tag of tags.items()) {
		const { text } = tag;
		if (text === undefined) continue;
		const problem = nameProblem(text);
		if (problem !== undefined) report.error(tag, `tag ${quote(text)} ${problem}`);
		else if (text === UNTAGGED)
			report.error(
				tag,
				`a tag cannot be named ${quote(text)}`,
				"agents that any machine can run have no tags: remove it",
			);
		else if (seen.has(text)) report.error(tag, `tag ${quote(text)} is listed twice`);
		seen.add(text);
	}
}
