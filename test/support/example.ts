import { spawn } from "node:child_process";
import { cpSync } from "node:fs";
import { join } from "node:path";
import { repository, type TestRepository } from "./repository.ts";
import { tidyLater } from "./tidy.ts";

/** A copy of an example in a repository of its own, removed after the tests of the file. */
export function exampleRepository(name: string): TestRepository {
	const repo = repository({ name });
	tidyLater(() => repo.remove());
	cpSync(join(import.meta.dirname, "../../examples", name), repo.root, { recursive: true });
	repo.commit("Start");
	return repo;
}

const FROM_SOURCE = join(import.meta.dirname, "sparring-from-source.mjs");

/** How a program ended. */
export interface ProgramResult {
	readonly code: number | null;
	readonly stdout: string;
	readonly stderr: string;
}

/** Runs a program that imports `sparring` in a repository; it gets the source of this checkout. */
export async function runProgram(repo: TestRepository, file: string): Promise<ProgramResult> {
	const child = spawn(process.execPath, ["--import", FROM_SOURCE, file], {
		cwd: repo.root,
		env: { ...repo.env },
		stdio: ["ignore", "pipe", "pipe"],
	});
	const output = { stdout: "", stderr: "" };
	for (const name of ["stdout", "stderr"] as const) {
		child[name].setEncoding("utf8").on("data", (text: string) => {
			output[name] += text;
		});
	}
	const { promise, resolve, reject } = Promise.withResolvers<ProgramResult>();
	child.once("error", reject);
	child.once("close", (code) => resolve({ code, ...output }));
	return await promise;
}
