import { EXIT } from "../exit-code.ts";
import { printJson, type Shell, withSparring } from "../shell.ts";

/** `spar cancel`: stops a run and waits until it has stopped. */
export async function cancel(
	shell: Shell,
	runId: string | undefined,
	flags: { readonly json?: boolean },
): Promise<number> {
	return await withSparring(shell, "write", async (sparring) => {
		const report = await sparring.cancel(runId);
		if (flags.json === true) printJson(shell, report);
		else shell.out.write(`run ${report.run_id}: ${report.status}\n`);
		return EXIT.done;
	});
}
