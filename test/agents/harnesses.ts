import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { HARNESSES, type HarnessName } from "../../src/workflow/harnesses.ts";

/** A harness that is there to be driven. */
export interface Installed {
	readonly name: HarnessName;
	readonly version: string;
	/** Absolute path of its program. */
	readonly bin: string;
}

/** A harness that is not, and why. */
export interface Missing {
	readonly name: HarnessName;
	readonly reason: string;
}

const fileSchema = z.record(
	z.string(),
	z.union([
		z.object({ version: z.string(), bin: z.string() }),
		z.object({ notTested: z.string() }),
	]),
);

const CACHE =
	process.env["SPAR_HARNESSES"] ??
	join(import.meta.dirname, "..", "..", "node_modules", ".cache", "harnesses");

function noted(): z.infer<typeof fileSchema> {
	const file = join(CACHE, "harnesses.json");
	const content: unknown = existsSync(file) ? JSON.parse(readFileSync(file, "utf8")) : {};
	return fileSchema.parse(content);
}

function look(): {
	readonly installed: readonly Installed[];
	readonly missing: readonly Missing[];
} {
	const all = noted();
	const installed: Installed[] = [];
	const missing: Missing[] = [];
	for (const name of HARNESSES) {
		const found = all[name] ?? { notTested: "node scripts/install-harnesses.ts has not run" };
		if ("notTested" in found) missing.push({ name, reason: found.notTested });
		else installed.push({ name, ...found });
	}
	return { installed, missing };
}

/** What `scripts/install-harnesses.ts` has left. */
export const { installed, missing } = look();
