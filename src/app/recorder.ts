import { writeFile } from "node:fs/promises";
import { appendLine } from "../agents/cassette/append-line.ts";
import { type ChangedFile, recordedLine } from "../agents/cassette/recorded-line.ts";
import { changesBetween, readFileAt } from "../git/changes.ts";
import type { Vault } from "../git/vault.ts";
import type { Masker } from "../kernel/masking.ts";
import type { CallRecorder, RecordedCall } from "../loop/context.ts";
import { stateFault } from "./state-fault.ts";

const GITLINK = "160000";

/** Begins a cassette: what stood in the file is gone. @throws Fault `state-unwritable` or `disk-full` */
export async function beginCassette(file: string): Promise<void> {
	try {
		await writeFile(file, "");
	} catch (error) {
		throw stateFault(file, error);
	}
}

/** Writes every finished call into a cassette, masked (contract section 2). */
export function cassetteRecorder(
	file: string,
	options: {
		readonly vault: Vault;
		readonly masker: Masker;
		readonly onNotice: (text: string) => void;
	},
): CallRecorder {
	return {
		record: async (call) => {
			const files = await changedFiles(options.vault, call);
			const { line, maskedPaths } = recordedLine(call, call.outcome, files, options.masker);
			await appendLine(file, line);
			for (const path of maskedPaths) {
				options.onNotice(
					`a secret in ${path} was masked in the cassette: replaying turn ${call.turn} of ${call.task} will not give the same file`,
				);
			}
		},
	};
}

async function changedFiles(vault: Vault, call: RecordedCall): Promise<ChangedFile[]> {
	if (call.change === null) return [];
	const { from, to } = call.change;
	const files: ChangedFile[] = [];
	for (const change of await changesBetween(vault, from, to)) {
		if (change.newMode === GITLINK || change.oldMode === GITLINK) continue;
		const content =
			change.kind === "deleted" ? null : ((await readFileAt(vault, to, change.path)) ?? null);
		files.push({ path: change.path, content, mode: change.newMode });
	}
	return files;
}
