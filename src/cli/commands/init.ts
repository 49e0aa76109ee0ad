import { type AgentFile, agentFiles } from "../../ready/init/agent-files.ts";
import { initWorkflow, rootAround, type WrittenWorkflow } from "../../ready/init/init.ts";
import { KNOWN_AGENTS } from "../../ready/init/starter-agents.ts";
import { commandOf, packageFolder, type Told } from "../terminal/command.ts";
import { EXIT } from "../terminal/exit-code.ts";
import { usageFault } from "../terminal/option-values.ts";
import { lineWidth, printJson, type Shell } from "../terminal/shell.ts";
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

interface InitFlags {
	readonly force?: boolean;
	readonly agents?: boolean;
	readonly remove?: boolean;
}

// A check asks about files that steer agents as long as they are new: they are no product.
const COMMIT = "Next: look at these files and commit them; until then each check asks about them.";

const agentLine = ({ path, outcome, note }: AgentFile): string =>
	`${outcome.padEnd(9)}  ${path}${note === null ? "" : `: ${note}`}`;

async function tellAgents(shell: Shell, root: string, { force, remove }: InitFlags): Promise<Told> {
	if (force === true)
		throw usageFault(
			"--force replaces sparring.yaml, which --agents leaves alone",
			"Leave it out.",
		);
	const plugin = packageFolder("plugin");
	const isRemoval = remove === true;
	const files = await agentFiles({ root, env: shell.env, plugin, isRemoval });
	const text = files.map(agentLine).join("\n") || "nothing of Sparring's is here";
	const isNew = files.some(({ outcome }) => outcome === "written");
	return { json: files, text, ...(isNew ? { note: COMMIT } : {}) };
}

export const command = commandOf<InitFlags>(
	{
		examples: ["spar init", "spar init --agents", "spar init --json"],
		page: "getting-started",
		options: {
			"--force": "replace an existing sparring.yaml",
			"--agents": "write no sparring.yaml, but a skill and a hook for coding agents",
			"--remove": "with --agents: take them away again",
		},
	},
	async (shell, { json = false, ...flags }) => {
		const root = rootAround(shell.directory);
		if (flags.agents === true) return await tellAgents(shell, root, flags);
		if (flags.remove === true)
			throw usageFault("--remove says nothing without --agents", "spar init --agents --remove");
		const { force = false } = flags;
		const place = { root, env: shell.env, packageFolder: packageFolder("") };
		const written = await initWorkflow({ ...place, force });
		if (json) {
			const { path, agents, project } = written;
			const names = agents.map(({ name, adapter }) => ({ name, adapter }));
			printJson(shell, { path, agents: names, setup: project.setup, checks: project.checks });
		} else shell.out.print(`${written.path}\n`);
		shell.err.print(summary(written, lineWidth(shell.err)));
		return EXIT.done;
	},
);
