import { formatDuration } from "../../src/kernel/duration.ts";
import { formatUsd } from "../../src/kernel/money.ts";

/** An amount in US dollars; null is unknown. */
export function money(usd: number | null): string {
	return usd === null ? "–" : formatUsd(usd);
}

/** A duration as people read it: `span(3_200)` is `"3.2s"`, `span(90_000_000)` is `"1d 1h"`. */
export function span(ms: number): string {
	const hours = Math.floor(ms / 3_600_000);
	return hours < 24 ? formatDuration(ms) : `${Math.floor(hours / 24)}d ${hours % 24}h`;
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

/** A size: `size(2_048)` is `"2.0 KB"`. */
export function size(bytes: number): string {
	if (bytes < 1_000) return `${bytes} B`;
	return bytes < 1_000_000
		? `${(bytes / 1_000).toFixed(1)} KB`
		: `${(bytes / 1_000_000).toFixed(1)} MB`;
}

/** A share or score from 0.0 to 1.0 with two decimals; null is no value. */
export function share(score: number | null): string {
	return score === null ? "–" : score.toFixed(2);
}

/** `counted(1, "turn")` is `"1 turn"`, `counted(2, "turn")` is `"2 turns"`. */
export function counted(count: number, noun: string): string {
	return `${count.toLocaleString("en")} ${noun}${count === 1 ? "" : "s"}`;
}

/** The time of day, in the reader's own zone: `"14:03:21"`. */
export function clock(time: string): string {
	const date = new Date(time);
	const two = (value: number): string => String(value).padStart(2, "0");
	return `${two(date.getHours())}:${two(date.getMinutes())}:${two(date.getSeconds())}`;
}
