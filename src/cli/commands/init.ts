import { initWorkflow, rootAround, type WrittenWorkflow } from "../../app/init/init.ts";
import { KNOWN_AGENTS } from "../../app/init/starter-agents.ts";
import type { CliCommand } from "../command.ts";
import { EXIT } from "../exit-code.ts";
import { lineWidth, printJson, type Shell } from "../shell.ts";
import { descriptions } from "../table.ts";

interface InitFlags {
	readonly force?: boolean;
	readonly json?: boolean;
}

function summary({ project, agents, unignored }: WrittenWorkflow, columns: number): string {
	const [player, coach, ...others] = agents.map(({ name, adapter, run }, index) => {
		const program = adapter === "acp" ? (run?.[0] ?? adapter) : adapter;
		return index < 2 ? `${name} (${program})` : name;
	});
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

async function init(shell: Shell, version: string, flags: InitFlags): Promise<number> {
	const root = rootAround(shell.directory);
	const written = await initWorkflow({
		root,
		env: shell.env,
		version,
		force: flags.force === true,
	});
	if (flags.json === true) {
		const { path, agents, project } = written;
		const names = agents.map(({ name, adapter }) => ({ name, adapter }));
		printJson(shell, { path, agents: names, setup: project.setup, checks: project.checks });
	} else shell.out.print(`${written.path}\n`);
	shell.err.print(summary(written, lineWidth(shell.err)));
	return EXIT.done;
}

export const command: CliCommand = {
	examples: ["spar init", "spar init --force", "spar init --json"],
	page: "getting-started",
	define: (command, shell, finish) => {
		command
			.option("--force", "replace an existing sparring.yaml")
			.option("--json", "print JSON")
			.action(async (flags: InitFlags) => {
				finish(await init(shell, command.parent?.version() ?? "", flags));
			});
	},
};
