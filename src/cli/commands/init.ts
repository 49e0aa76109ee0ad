import { initWorkflow, rootAround, type WrittenWorkflow } from "../../ready/init/init.ts";
import { KNOWN_AGENTS } from "../../ready/init/starter-agents.ts";
import { commandOf, packageVersion } from "../terminal/command.ts";
import { EXIT } from "../terminal/exit-code.ts";
import { lineWidth, printJson } from "../terminal/shell.ts";
import { descriptions } from "../terminal/table.ts";

function summary({ project, agents, unignored }: WrittenWorkflow, columns: number): string {
	const [player, coach, ...others] = agents.map(({ name, adapter, run }) =>
		[adapter, run?.[0]].includes(name) ? name : `${name} (${adapter})`,
	);
	const idle = others.length === 0 ? "" : `; without a seat: ${others.join(", ")}`;
	const found = agents[0]?.found === true;
	const rows: (readonly [name: string, text: string])[] = [
		[
			"agents",
			found
				? `player ${player}, coach ${coach}${idle}`
				: `none on the PATH; install one of ${KNOWN_AGENTS.join(", ")}, or write yours into the file`,
		],
		...project.setup.map((command) => ["setup", command] as const),
		...project.checks.map(({ name, run }) => [name, run] as const),
		...(project.checks.length === 0
			? [["tests", "no command found; write yours into the file"] as const]
			: []),
		...unignored.map(
			(folder) => ["ignore", `add ${folder} to .gitignore before the first run`] as const,
		),
	];
	return `${descriptions(rows, columns)}\nNext: edit the task in it and commit it. Then: spar doctor, and spar run\n`;
}

export const command = commandOf<{ readonly force?: boolean }>(
	{
		examples: ["spar init", "spar init --force", "spar init --json"],
		page: "getting-started",
		options: { "--force": "replace an existing sparring.yaml" },
	},
	async (shell, { force = false, json = false }) => {
		const root = rootAround(shell.directory);
		const version = packageVersion();
		const written = await initWorkflow({ root, env: shell.env, version, force });
		if (json) {
			const { path, agents, project } = written;
			const names = agents.map(({ name, adapter }) => ({ name, adapter }));
			printJson(shell, { path, agents: names, setup: project.setup, checks: project.checks });
		} else shell.out.print(`${written.path}\n`);
		shell.err.print(summary(written, lineWidth(shell.err)));
		return EXIT.done;
	},
);
