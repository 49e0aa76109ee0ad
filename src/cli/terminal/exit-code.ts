import type { RunReport } from "../../view/report.ts";

// Where several hold: waiting before stopped before failed.
export const EXIT = {
	done: 0,
	failed: 1,
	usage: 2,
	waiting: 3,
	stopped: 4,
	bug: 70,
	interrupted: 130,
} as const;

export function exitCodeOfReport(report: RunReport): number {
	const tasks = Object.values(report.tasks);
	const statuses = tasks.map(({ status }) => status);
	if (report.status === "paused_for_user_escalation" || statuses.includes("paused_for_human")) {
		return EXIT.waiting;
	}
	if (report.status === "cancelled" || statuses.includes("cancelled")) return EXIT.stopped;
	const isSpent = (flag: string): boolean => flag === "budget" || flag === "quota";
	if (tasks.some(({ status, flags }) => status === "failed" && flags.some(isSpent))) {
		return EXIT.stopped;
	}
	if (report.status !== "completed" || report.landing_refused !== null) return EXIT.failed;
	return statuses.some((status) => status === "failed" || status === "blocked")
		? EXIT.failed
		: EXIT.done;
}
