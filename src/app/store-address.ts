import { readFileSync } from "node:fs";
import { join } from "node:path";

/** A line of the workflow file that names the store. The loader refuses what is no address. */
const STORE_LINE = /^store:[ \t]*["']?(postgres(?:ql)?:\/\/[^\s"'#]+)/m;

/**
 * The Postgres that several machines share: `SPAR_STORE`, else the key `store` of `sparring.yaml`. The file is not parsed
 * for it: commands that only look must be fast.
 *
 * @returns null where neither names one
 * @example `"postgres://spar@db.example/sparring"`
 */
export function storeAddressOf(
	root: string,
	env: Readonly<Record<string, string | undefined>>,
): string | null {
	const named = env["SPAR_STORE"];
	if (named !== undefined && named !== "") return named;
	try {
		return STORE_LINE.exec(readFileSync(join(root, "sparring.yaml"), "utf8"))?.[1] ?? null;
	} catch {
		return null;
	}
}
