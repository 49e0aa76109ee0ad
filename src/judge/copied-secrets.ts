import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { CopiedFiles } from "../git/copied-files.ts";
import type { KnownSecret } from "../masking/masking.ts";
import { secretsInFile } from "../masking/secrets-in-files.ts";

/** The values in copied files that must not be printed, and belong into no commit. */
export function copiedSecrets(copied: CopiedFiles | null): KnownSecret[] {
	return (copied?.files ?? []).flatMap((_file, index) =>
		secretsInFile(readFileSync(join(copied?.dir ?? "", String(index)), "utf8")),
	);
}
