import { EXIT } from "../exit-code.ts";
import { printJson, type Shell, withSparring } from "../shell.ts";
import { oneLine } from "../visible-text.ts";

/** Options of `spar prune`. */
export interface PruneFlags {
	readonly force?: boolean;
	readonly json?: boolean;
}

/** `spar prune`: removes checkouts and refs of ended runs; says which it kept, and why. */
export async function prune(shell: Shell, flags: PruneFlags): Promise<number> {
	return await withSparring(shell, "write", async (sparring) => {
		const report = await sparring.prune({ force: flags.force === true });
		if (flags.json === true) {
			printJson(shell, report);
			return EXIT.done;
		}
		const lines = [
			...report.pruned.map((run) => `pruned ${run}`),
			...report.kept.map(({ run_id, reason }) => `kept ${run_id}: ${oneLine(reason, 1_000)}`),
		];
		if (lines.length === 0) shell.err.write("nothing to prune\n");
		else shell.out.write(`${lines.join("\n")}\n`);
		return EXIT.done;
	});
}
