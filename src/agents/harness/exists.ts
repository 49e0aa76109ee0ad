import { access } from "node:fs/promises";

/** Whether something stands at a path that we may look at. */
export async function exists(path: string): Promise<boolean> {
	try {
		await access(path);
		return true;
	} catch {
		return false;
	}
}
