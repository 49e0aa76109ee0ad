import type { Blobs } from "../kernel/blobs.ts";
import type { Records } from "../store/records.ts";

/** A file that other tools read of each task, such as `state/gate-reports` of `limiter`. */
export interface SharedFile {
	readonly runId: string;
	readonly taskId: string;
	readonly folder: (typeof SHARED_FOLDERS)[number];
}

/** Folders in which the newest run's files stand for other tools, each file naming its run. */
export const SHARED_FOLDERS = [
	"traces",
	"state/pair-sessions",
	"state/gate-reports",
	"state/verification",
] as const;

/** Folder of such files under their run, as `runs/RUN/gate-reports`. */
export const ownFolder = (runId: string, folder: SharedFile["folder"]): string =>
	`runs/${runId}/${folder.replace("state/", "")}`;

/** Key under its run, as `runs/RUN/gate-reports/TASK.json`. */
export const ownKey = ({ runId, taskId, folder }: SharedFile): string =>
	`${ownFolder(runId, folder)}/${taskId}.json`;

/** Key for other tools, as `state/gate-reports/TASK.json`. */
export const topKey = ({ taskId, folder }: SharedFile): string => `${folder}/${taskId}.json`;

export async function sharedKeys(
	{ records }: { readonly records: Pick<Records, "newestRun"> },
	file: SharedFile,
): Promise<readonly string[]> {
	return (await records.newestRun()) === file.runId ? [ownKey(file), topKey(file)] : [ownKey(file)];
}

/** Writes it wherever it stands. Harmless when repeated. */
export async function writeShared(
	ground: { readonly records: Pick<Records, "newestRun">; readonly blobs: Blobs },
	file: SharedFile,
	text: string,
): Promise<void> {
	for (const key of await sharedKeys(ground, file)) await ground.blobs.put(key, text);
}
