import { access } from "node:fs/promises";

/** Whether a path exists and may be looked at. */
export async function exists(path: string): Promise<boolean> {
	try {
		await access(path);
		return true;
	} catch {
		return false;
	}
}
