import { notCounted } from "../evidence/uncounted.ts";
import type { Records } from "../store/records.ts";

/** Results that the acceptance checks of each task's newest turn did not count, one text for each check. */
export async function notCountedOf(
	records: Pick<Records, "tasks" | "evidence">,
	runId: string,
): Promise<ReadonlyMap<string, readonly string[]>> {
	const found = new Map<string, readonly string[]>();
	for (const { taskId, turns } of await records.tasks(runId)) {
		if (turns === 0) continue;
		const before = new Map(
			(await records.evidence(runId, taskId, 0)).map((piece) => [piece.check, piece]),
		);
		const evidence = (await records.evidence(runId, taskId, turns)).filter(
			({ kind, purpose }) => kind === "acceptance" && purpose === "turn",
		);
		const last = new Map(evidence.map((piece) => [piece.check, piece]));
		const texts = [...last].flatMap(([check, piece]) => {
			const text = notCounted(piece, before.get(check));
			return text === "" ? [] : [`${check}: not counted: ${text}`];
		});
		if (texts.length > 0) found.set(taskId, texts);
	}
	return found;
}
