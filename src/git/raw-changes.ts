import { zeroFields } from "./parsing.ts";

/** One line of `--raw -z` output, its path as bytes. */
export interface RawChange {
	/** Six octal digits such as `"100644"`; `"000000"` where there is nothing. */
	readonly oldMode: string;
	readonly newMode: string;
	readonly oldOid: string;
	readonly newOid: string;
	readonly status: string;
	readonly path: Buffer;
}

/** Reads what `diff-tree` and `diff-index` print with `--raw -z --no-renames`. */
export function parseRawChanges(bytes: Buffer): RawChange[] {
	const fields = zeroFields(bytes);
	const changes: RawChange[] = [];
	for (let index = 0; index + 1 < fields.length; index += 2) {
		const match = /^:(\d{6}) (\d{6}) ([0-9a-f]+) ([0-9a-f]+) ([A-Z])/.exec(
			fields[index]?.toString("latin1") ?? "",
		);
		const path = fields[index + 1];
		if (match === null || path === undefined) continue;
		const [, oldMode = "", newMode = "", oldOid = "", newOid = "", status = ""] = match;
		changes.push({ oldMode, newMode, oldOid, newOid, status, path });
	}
	return changes;
}
