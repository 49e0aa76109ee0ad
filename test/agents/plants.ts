import { mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { HarnessName } from "./harnesses.ts";

/** Words in the instruction files of the user and of the checkout, which no model should be told. */
export const WORDS = { user: "quokka-of-the-user", checkout: "wombat-of-the-checkout" } as const;

/** Where things are planted that a harness runs by itself: each makes a file of its name when it does. */
export interface Garden {
	/** The user's home directory. */
	readonly home: string;
	/** The checkout. */
	readonly cwd: string;
	/** Holds one file for each plant that was run. */
	readonly fired: string;
}

/** Files by absolute path, and their content; what is no text is written as JSON. */
type Files = Readonly<Record<string, unknown>>;

/** What one place of settings can run. */
interface Bed {
	/** A shell command that shows that this plant was run. */
	readonly touch: (plant: string) => string;
	/** The same as a program with its arguments. */
	readonly program: (plant: string) => readonly [string, ...string[]];
	/** A name for a server of tools, so that none stands in another's place. */
	readonly name: string;
}

const bedOf = ({ fired }: Garden, place: string): Bed => {
	const fileOf = (plant: string): string => join(fired, `${place}-${plant}`);
	return {
		name: `planted-${place}`,
		touch: (plant) => `touch '${fileOf(plant)}'`,
		program: (plant) => ["touch", fileOf(plant)],
	};
};

const instructions = (place: keyof typeof WORDS): string => `Always say ${WORDS[place]}.\n`;

/** Hooks in the form that Claude Code, Codex and Gemini CLI share, one for each event. */
const hooksOf = ({ touch }: Bed, events: readonly string[]): unknown =>
	Object.fromEntries(
		events.map((event) => [
			event,
			[{ matcher: "*", hooks: [{ type: "command", name: event, command: touch(event) }] }],
		]),
	);

const skill = (place: keyof typeof WORDS): string =>
	`---\nname: planted\ndescription: ${WORDS[place]}\n---\n${WORDS[place]}\n`;

const CLAUDE_EVENTS = ["SessionStart", "UserPromptSubmit", "PreToolUse", "PostToolUse", "Stop"];

function claudeSettings(bed: Bed): unknown {
	return { hooks: hooksOf(bed, CLAUDE_EVENTS), enableAllProjectMcpServers: true };
}

function claudeServer({ name, program }: Bed): unknown {
	const [command, ...args] = program("mcp");
	return { [name]: { type: "stdio", command, args } };
}

function claudePlants(garden: Garden): Files {
	const { home, cwd } = garden;
	const [user, checkout] = [bedOf(garden, "user"), bedOf(garden, "checkout")];
	const store = join(home, ".claude");
	const market = join(store, "plugins/marketplaces/market");
	const plugin = join(store, "plugins/cache/market/planted/1.0.0");
	const [scope, version] = ["user", "1.0.0"];
	return {
		[join(store, "settings.json")]: {
			...(claudeSettings(user) as object),
			enabledPlugins: { "planted@market": true },
		},
		[join(store, "CLAUDE.md")]: instructions("user"),
		[join(store, "skills/planted/SKILL.md")]: skill("user"),
		[join(store, "plugins/installed_plugins.json")]: {
			version: 2,
			plugins: { "planted@market": [{ scope, installPath: plugin, version }] },
		},
		[join(store, "plugins/known_marketplaces.json")]: {
			market: {
				source: { source: "directory", path: market },
				...{ installLocation: market, lastUpdated: "2026-01-01T00:00:00.000Z" },
			},
		},
		[join(market, ".claude-plugin/marketplace.json")]: {
			...{ name: "market", owner: { name: "Nobody" } },
			plugins: [{ name: "planted", source: "./planted", version }],
		},
		[join(market, "planted/.claude-plugin/plugin.json")]: { name: "planted", version },
		[join(plugin, ".claude-plugin/plugin.json")]: { name: "planted", version },
		[join(plugin, "hooks/hooks.json")]: { hooks: hooksOf(bedOf(garden, "plugin"), CLAUDE_EVENTS) },
		[join(home, ".claude.json")]: {
			hasCompletedOnboarding: true,
			mcpServers: claudeServer(user),
			projects: { [cwd]: { hasTrustDialogAccepted: true, mcpServers: claudeServer(bedOf(garden, "local")) } },
		},
		[join(cwd, ".claude/settings.json")]: claudeSettings(checkout),
		[join(cwd, ".claude/settings.local.json")]: claudeSettings(bedOf(garden, "local")),
		[join(cwd, ".claude/skills/planted/SKILL.md")]: skill("checkout"),
		[join(cwd, ".mcp.json")]: { mcpServers: claudeServer(checkout) },
		[join(cwd, "CLAUDE.md")]: instructions("checkout"),
	};
}

const CODEX_EVENTS = ["SessionStart", "UserPromptSubmit", "PreToolUse", "PostToolUse", "Stop"];

function codexConfig({ name, program }: Bed, more = ""): string {
	const [command, ...args] = program("mcp");
	const notify = JSON.stringify(program("notify"));
	const planted = `[mcp_servers.${name}]\ncommand = "${command}"\nargs = ${JSON.stringify(args)}\n`;
	return `notify = ${notify}\n[features]\nhooks = true\n${planted}${more}`;
}

function codexPlants(garden: Garden): Files {
	const { home, cwd } = garden;
	const [user, checkout] = [bedOf(garden, "user"), bedOf(garden, "checkout")];
	const store = join(home, ".codex");
	const trust = `[projects.${JSON.stringify(cwd)}]\ntrust_level = "trusted"\n`;
	return {
		[join(store, "config.toml")]: codexConfig(user, trust),
		[join(store, "hooks.json")]: { hooks: hooksOf(user, CODEX_EVENTS) },
		[join(store, "AGENTS.md")]: instructions("user"),
		[join(store, "skills/planted/SKILL.md")]: skill("user"),
		[join(home, ".agents/skills/planted/SKILL.md")]: skill("user"),
		[join(cwd, ".codex/config.toml")]: codexConfig(checkout),
		[join(cwd, ".codex/hooks.json")]: { hooks: hooksOf(checkout, CODEX_EVENTS) },
		[join(cwd, ".agents/skills/planted/SKILL.md")]: skill("checkout"),
		[join(cwd, "AGENTS.md")]: instructions("checkout"),
	};
}

const GEMINI_EVENTS = ["SessionStart", "BeforeAgent", "BeforeModel", "BeforeTool", "AfterAgent"];

function geminiSettings(bed: Bed): unknown {
	const [command, ...args] = bed.program("mcp");
	return {
		hooksConfig: { enabled: true },
		hooks: hooksOf(bed, GEMINI_EVENTS),
		mcpServers: { [bed.name]: { command, args, timeout: 2_000 } },
		tools: { discoveryCommand: bed.touch("discovery") },
	};
}

function geminiPlants(garden: Garden): Files {
	const { home, cwd } = garden;
	const [user, checkout] = [bedOf(garden, "user"), bedOf(garden, "checkout")];
	const extension = bedOf(garden, "extension");
	const store = join(home, ".gemini");
	const [command, ...args] = extension.program("mcp");
	return {
		[join(store, "settings.json")]: {
			...(geminiSettings(user) as object),
			security: { auth: { selectedType: "gemini-api-key" }, folderTrust: { enabled: true } },
		},
		[join(store, "trustedFolders.json")]: { [cwd]: "TRUST_FOLDER" },
		[join(store, "GEMINI.md")]: instructions("user"),
		[join(store, "skills/planted/SKILL.md")]: skill("user"),
		[join(store, "extensions/planted/gemini-extension.json")]: {
			...{ name: "planted", version: "1.0.0" },
			mcpServers: { [extension.name]: { command, args, timeout: 2_000 } },
		},
		[join(store, "extensions/planted/hooks/hooks.json")]: {
			hooks: hooksOf(extension, GEMINI_EVENTS),
		},
		[join(cwd, ".gemini/settings.json")]: geminiSettings(checkout),
		[join(cwd, ".gemini/skills/planted/SKILL.md")]: skill("checkout"),
		[join(cwd, "GEMINI.md")]: instructions("checkout"),
	};
}

function opencodeConfig(bed: Bed): unknown {
	const formatter = { command: [...bed.program("formatter"), "$FILE"], extensions: [".txt"] };
	return {
		mcp: { [bed.name]: { type: "local", command: bed.program("mcp"), enabled: true } },
		formatter: { [bed.name]: formatter },
	};
}

function opencodePlants(garden: Garden): Files {
	const { home, cwd, fired } = garden;
	const [user, checkout] = [bedOf(garden, "user"), bedOf(garden, "checkout")];
	const config = join(home, ".config/opencode");
	const plugin = (name: string): string => {
		const file = JSON.stringify(join(fired, name));
		return `import { writeFileSync } from "node:fs";\nwriteFileSync(${file}, "");\nexport const Planted = async () => ({});\n`;
	};
	return {
		[join(config, "opencode.json")]: opencodeConfig(user),
		[join(config, "plugin/planted.js")]: plugin("user-plugin"),
		[join(config, "AGENTS.md")]: instructions("user"),
		[join(home, ".opencode/plugin/planted.js")]: plugin("home-plugin"),
		[join(home, ".claude/CLAUDE.md")]: instructions("user"),
		[join(cwd, "opencode.json")]: opencodeConfig(checkout),
		[join(cwd, ".opencode/opencode.json")]: opencodeConfig(bedOf(garden, "folder")),
		[join(cwd, "AGENTS.md")]: instructions("checkout"),
	};
}

const PLANTS = {
	claude: claudePlants,
	codex: codexPlants,
	gemini: geminiPlants,
	opencode: opencodePlants,
} as const;

/** Writes all that a harness runs and reads by itself into a home and a checkout. */
export function plant(name: HarnessName, garden: Garden): void {
	mkdirSync(garden.fired, { recursive: true });
	for (const [path, content] of Object.entries(PLANTS[name](garden))) {
		mkdirSync(dirname(path), { recursive: true });
		writeFileSync(path, typeof content === "string" ? content : JSON.stringify(content));
	}
}

/** Names of the plants that were run, such as `user-SessionStart` or `checkout-mcp`. */
export const firedIn = ({ fired }: Garden): readonly string[] => readdirSync(fired).toSorted();
