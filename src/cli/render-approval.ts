import type { TaskApproval } from "../planning/planning-reports.ts";
import { oneLine } from "../words/visible-text.ts";
import { table } from "./table.ts";

function renderVerifier({ effective, by, verifier }: TaskApproval): string {
	if (effective) return verifier ?? "nobody can";
	return by === "heuristic" && verifier !== null ? `${verifier}, if the diff asks for it` : "-";
}

export function renderApprovals(tasks: readonly TaskApproval[], columns: number): string {
	const rows = tasks.map((task) => [
		task.id,
		String(task.requires_verification),
		renderVerifier(task),
		task.by,
		task.reason === null ? "-" : oneLine(task.reason),
	]);
	const allowed = tasks.flatMap(({ id, allow }) =>
		allow.map(
			({ path, change, reason }) =>
				`${id} allows "${change}" of ${oneLine(path)}: ${oneLine(reason)}\n`,
		),
	);
	const head = ["task", "requires_verification", "verifier", "by", "reason"];
	return `${table([head, ...rows], columns)}\n${allowed.join("")}`;
}
