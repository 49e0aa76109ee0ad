import { formatUsd } from "../../src/kernel/money.ts";

export function money(usd: number | null): string {
	return usd === null ? "–" : formatUsd(usd);
}

export function ago(time: string, now: number): string {
	const seconds = Math.floor((now - Date.parse(time)) / 1_000);
	if (seconds < 2) return "now";
	if (seconds < 60) return `${seconds}s ago`;
	if (seconds < 3_600) return `${Math.floor(seconds / 60)}m ago`;
	return seconds < 86_400
		? `${Math.floor(seconds / 3_600)}h ago`
		: `${Math.floor(seconds / 86_400)}d ago`;
}

export function share(score: number | null): string {
	return score === null ? "–" : score.toFixed(2);
}

export function clock(time: string): string {
	const date = new Date(time);
	const two = (value: number): string => String(value).padStart(2, "0");
	return `${two(date.getHours())}:${two(date.getMinutes())}:${two(date.getSeconds())}`;
}
