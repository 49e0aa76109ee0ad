import { signal } from "@preact/signals";

export type TaskPart = "turns" | "findings" | "diff" | "output" | "timeline";

const TASK_PARTS: readonly TaskPart[] = ["turns", "findings", "diff", "output", "timeline"];

export type Route =
	| { readonly screen: "inbox"; readonly item: string | null }
	| { readonly screen: "runs"; readonly filter: string }
	| { readonly screen: "run"; readonly run: string }
	| {
			readonly screen: "task";
			readonly run: string;
			readonly task: string;
			readonly part: TaskPart;
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

function runRoute([run = "", tasks, task, part]: readonly string[], filter: string): Route {
	if (run === "") return { screen: "runs", filter };
	if (tasks !== "tasks" || task === undefined) return { screen: "run", run };
	return { screen: "task", run, task, part: TASK_PARTS.find((known) => known === part) ?? "turns" };
}

export function parseRoute(fragment: string): Route {
	const [path = "", query = ""] = fragment.replace(/^#\/?/, "").split("?");
	const [screen, ...rest] = path.split("/").map(decoded);
	switch (screen ?? "") {
		case "runs":
			return runRoute(rest, new URLSearchParams(query).get("filter") ?? "all");
		case "plan":
			return { screen: "plan" };
		case "calibration":
			return { screen: "calibration" };
		case "items":
			return { screen: "inbox", item: rest[0] ?? null };
		default:
			return { screen: "inbox", item: null };
	}
}

export function link(...parts: readonly string[]): string {
	return `#/${parts.map(encodeURIComponent).join("/")}`;
}

export const route = signal<Route>({ screen: "inbox", item: null });

export function followAddress(): void {
	const read = (): void => {
		route.value = parseRoute(location.hash);
	};
	addEventListener("hashchange", read);
	read();
}
