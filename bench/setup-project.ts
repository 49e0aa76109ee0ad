import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { commitAll, type Environment, writeFiles } from "./scratch.ts";

/** Dependencies of the project, each a tarball on the disk, with this many files of some 4 kB. */
const DEPENDENCIES = 300;
const FILES = 10;

/** The install; everything it needs is on the disk. */
export const INSTALL = "npm ci --offline --no-audit --no-fund --ignore-scripts";

/** Refuses the first turn and approves the second, after a while. */
function coach(seconds: number): string {
	const met = '"requirements_status":[{"criterion":"the value follows the turn","met":true}]';
	const refusal = `{"decision":"feedback","rationale":"not yet",${met},"feedback_items":[{"issue":"more","severity":"major"}]}`;
	const approval = `{"decision":"approve","rationale":"now",${met},"findings_status":[{"id":"F1","status":"fixed"}]}`;
	return `sleep ${seconds}; if [ "$SPAR_TURN" = 1 ]; then echo '${refusal}'; else echo '${approval}'; fi > "$SPAR_REPORT"`;
}

function workflow(seconds: number, cache: boolean): string {
	const agent = (script: string) => ({ adapter: "command", run: ["sh", "-c", script] });
	return JSON.stringify({
		version: 1,
		name: "bench",
		setup: [INSTALL],
		...(cache ? {} : { setup_cache: false }),
		agents: {
			dev: agent(`sleep ${seconds}; echo "$SPAR_TURN" > value.txt`),
			reviewer: agent(coach(seconds)),
		},
		checks: {
			tests: {
				kind: "acceptance",
				run: "test -f node_modules/dependency-1/package.json",
				report: { format: "exit" },
			},
		},
		tasks: {
			bench: {
				description: "Keep the value up to date.",
				acceptance_criteria: ["the value follows the turn"],
				overlays: {
					paired_workflow: { enabled: true, driver_agent: "dev", challenger_agent: "reviewer" },
				},
			},
		},
		human: { enabled: false },
	});
}

/** Writes the tarballs and a lock file for a project with 300 dependencies below `scratch`. Gives its directory. */
export function makeSetupProject(scratch: string, environment: Environment): string {
	const tarballs = join(scratch, "tarballs");
	mkdirSync(tarballs);
	for (let index = 0; index < DEPENDENCIES; index += 1) writeTarball(tarballs, index);
	const project = join(scratch, "project");
	const names = Array.from({ length: DEPENDENCIES }, (_each, index) => nameOf(index));
	const dependencies = Object.fromEntries(
		names.map((name) => [name, `file:${join(tarballs, `${name}.tgz`)}`]),
	);
	writeFiles(project, {
		"package.json": JSON.stringify({ name: "bench", version: "1.0.0", dependencies }),
		".gitignore": "node_modules/\n",
		"value.txt": "0\n",
	});
	execFileSync("npm", ["install", "--package-lock-only", "--offline", "--no-audit", "--no-fund"], {
		cwd: project,
		env: environment,
		stdio: "ignore",
	});
	// npm names tarballs relative to the project; from a checkout elsewhere it would have to search for each of them.
	const lock = join(project, "package-lock.json");
	const text = readFileSync(lock, "utf8");
	writeFileSync(lock, text.replaceAll("file:../tarballs/", `file:${tarballs}/`));
	return project;
}

const nameOf = (index: number): string => `dependency-${index}`;

function writeTarball(directory: string, index: number): void {
	const name = nameOf(index);
	const folder = join(directory, "package");
	const files: Record<string, string> = {
		"package.json": JSON.stringify({ name, version: "1.0.0" }),
	};
	for (let file = 1; file < FILES; file += 1) {
		files[`lib/part-${file % 5}/module-${file}.js`] =
			`export const value = "${name} ${file}";\n`.repeat(100);
	}
	writeFiles(folder, files);
	execFileSync("tar", ["-czf", join(directory, `${name}.tgz`), "-C", directory, "package"]);
	rmSync(folder, { recursive: true });
}

/** Makes the project a repository, with agents that take that many seconds a call. */
export function commitWorkflow(
	project: string,
	{ seconds, cache }: { readonly seconds: number; readonly cache: boolean },
	environment: Environment,
): void {
	rmSync(join(project, ".git"), { recursive: true, force: true });
	rmSync(join(project, ".sparring"), { recursive: true, force: true });
	writeFileSync(join(project, "sparring.yaml"), workflow(seconds, cache));
	commitAll(project, environment);
}
