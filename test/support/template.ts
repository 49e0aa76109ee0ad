import { cpSync, existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";

const TEMPLATES = join(import.meta.dirname, "../../node_modules/.cache/templates");

/**
 * Copies a folder that is made once and kept beside the packages: a copy starts no process.
 *
 * @param name of the template; another one where `make` makes something else
 * @param into an existing folder
 * @param make fills the template's folder, and leaves nothing in it that tells where it stands
 */
export function copyTemplate(name: string, into: string, make: (folder: string) => void): void {
	const template = join(TEMPLATES, name);
	if (!existsSync(template)) {
		mkdirSync(TEMPLATES, { recursive: true });
		const fresh = mkdtempSync(join(TEMPLATES, "new-"));
		make(fresh);
		try {
			renameSync(fresh, template);
		} catch (error) {
			rmSync(fresh, { recursive: true });
			// Another worker was faster, and made the same.
			if (!existsSync(template)) throw error;
		}
	}
	cpSync(template, into, { recursive: true });
}
