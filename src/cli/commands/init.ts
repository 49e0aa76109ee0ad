import { initWorkflow, rootAround, type WrittenWorkflow } from "../../app/init/init.ts";
import type { CliCommand } from "../command.ts";
import { EXIT } from "../exit-code.ts";
import type { Shell } from "../shell.ts";
import { table } from "../table.ts";

/** What was found, a line each, and what to do next. */
function summary({ project, agents, unignored }: WrittenWorkflow): string {
	const [player, coach, ...others] = agents.map(({ name, adapter, run }, index) => {
		const program = adapter === "acp" ? (run?.[0] ?? adapter) : adapter;
		return index < 2 ? `${name} (${program})` : name;
	});
	const idle = others.length === 0 ? "" : `; without a seat: ${others.join(", ")}`;
	const found = agents[0]?.found === true;
	const rows = [
		[
			"agents",
			found
				? `player ${player}, coach ${coach}${idle}`
				: "none on the PATH; write yours into the file",
		],
		...project.setup.map((command) => ["setup", command]),
		...project.checks.map(({ name, run }) => [name, run]),
		...(project.checks.length === 0
			? [["tests", "no command found; write yours into the file"]]
			: []),
		...unignored.map((folder) => ["ignore", `add ${folder} to .gitignore before the first run`]),
	];
	return `${table(rows)}\nNext: edit the task in it and commit it. Then: spar doctor, and spar run\n`;
}

/** `spar init`: writes `sparring.yaml` at the root of the repository. */
async function init(
	shell: Shell,
	{ version, force }: { readonly version: string; readonly force: boolean },
): Promise<number> {
	const root = rootAround(shell.directory);
	const written = await initWorkflow({ root, env: shell.env, version, force });
	shell.out.write(`${written.path}\n`);
	shell.err.write(summary(written));
	return EXIT.done;
}

export const command: CliCommand = {
	example: "spar init",
	define: (command, shell, finish) => {
		command
			.option("--force", "replace an existing sparring.yaml")
			.action(async (flags: { readonly force?: boolean }) => {
				const version = command.parent?.version() ?? "";
				finish(await init(shell, { version, force: flags.force === true }));
			});
	},
};
