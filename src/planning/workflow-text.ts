import { realpath, rename, rm, stat, writeFile } from "node:fs/promises";
import { dirname, join, relative, resolve } from "node:path";
import { asideOf } from "../kernel/aside.ts";
import { Fault } from "../kernel/fault.ts";
import { systemCode } from "../kernel/system-code.ts";
import { WORKFLOW_FILE } from "../places/places.ts";
import { type LoadedWorkflow, loadWorkflow } from "../workflow/load.ts";
import { readWorkflowFile } from "../workflow/read-workflow-file.ts";

export interface WorkflowText {
	readonly file: string;
	/** Without a byte order mark; empty for what is not UTF-8, which `load` reports. */
	readonly text: string;
	readonly load: (text?: string) => LoadedWorkflow;
	/** Puts another text in its place, whole or not at all. @throws Fault `usage` when the file was changed meanwhile */
	readonly replace: (text: string) => Promise<void>;
}

const MARK = "\u{feff}";

/** Opens a workflow file for editing; `mayLackTasks`: it is about to get its tasks. */
export async function openWorkflowText(
	path: string | undefined,
	place: {
		readonly root: string;
		readonly directory: string;
		readonly valueAgents: readonly string[];
	},
	mayLackTasks = false,
): Promise<WorkflowText> {
	const full =
		path === undefined ? join(place.root, WORKFLOW_FILE) : resolve(place.directory, path);
	const file = relative(place.directory, full) || full;
	const bytes = Buffer.from(await readWorkflowFile(full));
	const whole = bytes.toString("utf8");
	const mark = whole.startsWith(MARK) ? MARK : "";
	return {
		file,
		text: whole.slice(mark.length),
		load: (text) =>
			loadWorkflow({
				content: text ?? bytes,
				file,
				directory: dirname(full),
				repositoryRoot: place.root,
				mayLackTasks,
				valueAgents: place.valueAgents,
			}),
		replace: async (text) => {
			const now = Buffer.from(await readWorkflowFile(full));
			if (!now.equals(bytes)) throw changed(file);
			await write(full, mark + text);
		},
	};
}

function changed(file: string): Fault {
	return new Fault(`${file} was changed in the meantime; nothing was written`, {
		code: "usage",
		hint: "Run the command again: it works on the file as it is now.",
		retryable: true,
	});
}

async function write(path: string, text: string): Promise<void> {
	const target = await realpath(path);
	const aside = asideOf(target);
	try {
		const { mode } = await stat(target);
		await writeFile(aside, text, { mode: mode & 0o777, flag: "wx" });
		await rename(aside, target);
	} catch (error) {
		await rm(aside, { force: true });
		const code = systemCode(error);
		const full = code === "ENOSPC" || code === "EDQUOT";
		throw new Fault(`${path} cannot be written (${code}); it is as it was`, {
			code: full ? "disk-full" : "state-unwritable",
			hint: full ? "Free some space, then run the command again." : "Make its folder writable.",
			cause: error,
		});
	}
}
