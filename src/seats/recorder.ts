import { stat, writeFile } from "node:fs/promises";
import { readCassette } from "../agents/cassette/read-cassette.ts";
import { appendLine, type RecordedFile, recordedLine } from "../agents/cassette/recorded-line.ts";
import { changesBetween, readFileAt } from "../git/changes.ts";
import type { Vault } from "../git/vault.ts";
import { Fault } from "../kernel/fault.ts";
import { stateFault } from "../kernel/state-fault.ts";
import type { CallRecorder, RecordedCall } from "../loop/context.ts";
import type { Masker } from "../masking/masking.ts";
import type { Workflow } from "../workflow/workflow.ts";

const GITLINK = "160000";

/**
 * Refuses to record over somebody's work: a file is new or empty, or an older cassette, and lies in no git directory, and is
 * not what the workflow itself replays. @throws Fault `usage`
 */
export async function requireRecordable(
	file: string,
	{ workflow, gitDir }: { readonly workflow: Workflow; readonly gitDir: string },
): Promise<void> {
	const newFile = "Name a new file, such as cassettes/run.jsonl.";
	const refuse = (why: string, hint = newFile): never => {
		throw new Fault(`--record ${file}: ${why}`, { code: "usage", hint });
	};
	if (workflow.verification.via !== undefined)
		refuse(
			`verification.via is ${workflow.verification.via}, and a cassette has one process that writes it`,
			"Record with `via: in_process`.",
		);
	if (file === gitDir || file.startsWith(`${gitDir}/`)) refuse("that is inside the git directory");
	const replayed = Object.values(workflow.agents).some(
		(agent) => agent.adapter === "cassette" && agent.file === file,
	);
	if (replayed) refuse("the workflow replays that very cassette");
	const present = await stat(file).catch(() => null);
	if (present === null || present.size === 0) return;
	if (!present.isFile()) refuse("that is not a file");
	await readCassette(file).catch(() => refuse("that file exists and is no cassette"));
}

/** Begins a cassette: what stood in the file is gone. @throws Fault `state-unwritable` or `disk-full` */
export async function beginCassette(file: string): Promise<void> {
	try {
		await writeFile(file, "");
	} catch (error) {
		throw stateFault(file, error);
	}
}

/** Writes every finished call into a cassette, masked: one line after the other, since tasks finish calls at once. */
export function cassetteRecorder(
	file: string,
	options: {
		readonly vault: Vault;
		readonly masker: Masker;
		readonly onNotice: (text: string) => void;
	},
): CallRecorder {
	let written: Promise<void> = Promise.resolve();
	return {
		record: async (call) => {
			const files = await changedFiles(options.vault, call);
			const { line, maskedPaths } = recordedLine(call, call.outcome, files, options.masker);
			const append = written.then(() => appendLine(file, line));
			// A line that could not be written is the fault of its own call.
			written = append.catch(() => undefined);
			await append;
			for (const path of maskedPaths) {
				options.onNotice(
					`a secret in ${path} was masked in the cassette: replaying turn ${call.turn} of ${call.task} will not give the same file`,
				);
			}
		},
	};
}

async function changedFiles(vault: Vault, call: RecordedCall): Promise<RecordedFile[]> {
	if (call.change === null) return [];
	const { from, to } = call.change;
	const files: RecordedFile[] = [];
	for (const change of await changesBetween(vault, from, to)) {
		if (change.newMode === GITLINK || change.oldMode === GITLINK) continue;
		const content =
			change.kind === "deleted" ? null : ((await readFileAt(vault, to, change.path)) ?? null);
		files.push({ path: change.path, content, mode: change.newMode });
	}
	return files;
}
