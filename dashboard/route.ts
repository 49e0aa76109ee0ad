import { signal } from "@preact/signals";
import { enterAddress, keepScrolls } from "./scrolls.ts";

export type TaskPart = "turns" | "findings" | "diff" | "output" | "timeline";

const TASK_PARTS: readonly TaskPart[] = ["turns", "findings", "diff", "output", "timeline"];

/** A place on a screen: turns, file and line of a diff, or a finding. */
export interface Spot {
	readonly turn: number | null;
	/** The turn behind which a diff begins. */
	readonly since: number | null;
	readonly file: string | null;
	/** From 1; below 0 one of the old side. */
	readonly line: number | null;
	readonly finding: string | null;
}

export type Route =
	| { readonly screen: "inbox"; readonly item: string | null; readonly at: Spot }
	| { readonly screen: "runs"; readonly filter: string }
	| { readonly screen: "run"; readonly run: string }
	| {
			readonly screen: "task";
			readonly run: string;
			readonly task: string;
			readonly part: TaskPart;
			readonly at: Spot;
	  }
	| { readonly screen: "plan" }
	| { readonly screen: "calibration" };

const decoded = (part: string): string => {
	try {
		return decodeURIComponent(part);
	} catch {
		return part;
	}
};

function spotOf(query: URLSearchParams): Spot {
	const number = (name: string): number | null => {
		const text = query.get(name) ?? "";
		return /^-?\d{1,9}$/.test(text) ? Number(text) : null;
	};
	return {
		turn: number("turn"),
		since: number("since"),
		file: query.get("file"),
		line: number("line"),
		finding: query.get("finding"),
	};
}

function runRoute([run = "", tasks, task, part]: readonly string[], query: URLSearchParams): Route {
	if (run === "") return { screen: "runs", filter: query.get("filter") ?? "all" };
	if (tasks !== "tasks" || task === undefined) return { screen: "run", run };
	const known = TASK_PARTS.find((name) => name === part) ?? "turns";
	return { screen: "task", run, task, part: known, at: spotOf(query) };
}

export function parseRoute(fragment: string): Route {
	const [path = "", ...rest] = fragment.replace(/^#\/?/, "").split("?");
	const query = new URLSearchParams(rest.join("?"));
	const [screen, ...parts] = path.split("/").map(decoded);
	switch (screen ?? "") {
		case "runs":
			return runRoute(parts, query);
		case "plan":
			return { screen: "plan" };
		case "calibration":
			return { screen: "calibration" };
		case "items":
			return { screen: "inbox", item: parts[0] ?? null, at: spotOf(query) };
		default:
			return { screen: "inbox", item: null, at: spotOf(query) };
	}
}

export function link(...parts: readonly string[]): string {
	return `#/${parts.map(encodeURIComponent).join("/")}`;
}

export const route = signal<Route>(parseRoute(""));

/** Address of a place on the screen that is open: a question has a diff of its own, a task one among its parts. */
export function spotLink(spot: Partial<Spot>): string {
	const at = route.value;
	const given = Object.entries(spot).filter(([, value]) => value !== null);
	const query = new URLSearchParams(given.map(([name, value]) => [name, String(value)]));
	if (at.screen === "inbox") return `${link("items", at.item ?? "")}?${query}`;
	if (at.screen !== "task") return link();
	const part = query.has("finding") ? "findings" : "diff";
	return `${link("runs", at.run, "tasks", at.task, part)}?${query}`;
}

const screenOf = ({ screen, ...more }: Route): string =>
	JSON.stringify([screen, { ...more, at: null, part: null }]);

export function followAddress(): void {
	const read = (): void => {
		const next = parseRoute(location.hash);
		enterAddress(screenOf(next) !== screenOf(route.value));
		route.value = next;
	};
	keepScrolls();
	addEventListener("hashchange", read);
	read();
}
