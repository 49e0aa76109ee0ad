import type { Site } from "./site.ts";

/** Tasks that the commits of a run's integration branch name, in the order of the merges. */
export function mergesOf(site: Site, run: string): readonly string[] {
	const trailer = "--format=%(trailers:key=Sparring-Task,valueonly,separator=)";
	const commits = `main..sparring/${run}/integration`;
	const lines = site.atRemote("log", "--reverse", trailer, commits).split("\n");
	return lines.filter((line) => line !== "");
}
