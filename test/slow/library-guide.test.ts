import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { exampleRepository, runProgram } from "../support/example.ts";

/** Each program of the page, with what the page says that it prints. */
const PROGRAMS = [
	...readFileSync("docs/user-guide/library.md", "utf8").matchAll(
		/```ts\n(?<program>[\s\S]*?)```\n\n```text\n(?<printed>[\s\S]*?)```/g,
	),
].map(({ groups }) => ({ program: groups?.["program"] ?? "", printed: groups?.["printed"] ?? "" }));

test("every program of library.md runs, in the order of the page, and prints what stands there", async () => {
	expect(PROGRAMS.length).toBeGreaterThan(4);
	const repo = exampleRepository("02-two-at-once");
	for (const [index, { program, printed }] of PROGRAMS.entries()) {
		const file = `program-${index + 1}.ts`;
		repo.write({ [file]: program });
		const { code, stdout, stderr } = await runProgram(repo, file);
		expect({ code, stdout, stderr }, file).toEqual({ code: 0, stdout: printed, stderr: "" });
	}
});
