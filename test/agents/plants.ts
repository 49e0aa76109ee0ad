import { mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { HarnessName } from "../../src/workflow/harnesses.ts";

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
	/** Path of a script that shows it as `discovery`, and finds no tools. */
	readonly script: string;
	/** A name for a server of tools, so that none stands in another's place. */
	readonly name: string;
}

const bedOf = ({ fired }: Garden, place: string): Bed => {
	const fileOf = (plant: string): string => join(fired, `${place}-${plant}`);
	return {
		name: `planted-${place}`,
		script: `${fired}-${place}.sh`,
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

/** Events of Claude Code, whose names Codex has too. */
const SHARED = ["SessionStart", "UserPromptSubmit", "PreToolUse", "PostToolUse", "Stop"];

function claudeSettings(bed: Bed): object {
	return { hooks: hooksOf(bed, SHARED), enableAllProjectMcpServers: true };
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
	const plugin = join(market, "planted");
	const source = { source: "directory", path: market };
	const [scope, version] = ["user", "1.0.0"];
	return {
		[join(store, "settings.json")]: {
			...claudeSettings(user),
			enabledPlugins: { "planted@market": true },
			extraKnownMarketplaces: { market: { source } },
		},
		[join(store, "CLAUDE.md")]: instructions("user"),
		[join(store, "skills/planted/SKILL.md")]: skill("user"),
		[join(store, "plugins/installed_plugins.json")]: {
			version: 2,
			plugins: { "planted@market": [{ scope, installPath: plugin, version }] },
		},
		[join(store, "plugins/known_marketplaces.json")]: {
			market: { source, installLocation: market, lastUpdated: "2026-01-01T00:00:00.000Z" },
		},
		[join(market, ".claude-plugin/marketplace.json")]: {
			name: "market",
			owner: { name: "Nobody" },
			plugins: [{ name: "planted", source: "./planted", version }],
		},
		[join(plugin, ".claude-plugin/plugin.json")]: { name: "planted", version },
		[join(plugin, "hooks/hooks.json")]: { hooks: hooksOf(bedOf(garden, "plugin"), SHARED) },
		[join(home, ".claude.json")]: {
			hasCompletedOnboarding: true,
			mcpServers: claudeServer(user),
			projects: {
				[cwd]: { hasTrustDialogAccepted: true, mcpServers: claudeServer(bedOf(garden, "local")) },
			},
		},
		[join(cwd, ".claude/settings.json")]: claudeSettings(checkout),
		[join(cwd, ".claude/settings.local.json")]: claudeSettings(bedOf(garden, "local")),
		[join(cwd, ".claude/skills/planted/SKILL.md")]: skill("checkout"),
		[join(cwd, ".mcp.json")]: { mcpServers: claudeServer(checkout) },
		[join(cwd, "CLAUDE.md")]: instructions("checkout"),
	};
}

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
		[join(store, "hooks.json")]: { hooks: hooksOf(user, SHARED) },
		[join(store, "AGENTS.md")]: instructions("user"),
		[join(store, "skills/planted/SKILL.md")]: skill("user"),
		[join(home, ".agents/skills/planted/SKILL.md")]: skill("user"),
		[join(cwd, ".codex/config.toml")]: codexConfig(checkout),
		[join(cwd, ".codex/hooks.json")]: { hooks: hooksOf(checkout, SHARED) },
		[join(cwd, ".agents/skills/planted/SKILL.md")]: skill("checkout"),
		[join(cwd, "AGENTS.md")]: instructions("checkout"),
	};
}

const GEMINI_EVENTS = ["SessionStart", "BeforeAgent", "BeforeModel", "BeforeTool", "AfterAgent"];

function geminiSettings(bed: Bed): object {
	const [command, ...args] = bed.program("mcp");
	return {
		hooksConfig: { enabled: true },
		hooks: hooksOf(bed, GEMINI_EVENTS),
		mcpServers: { [bed.name]: { command, args, timeout: 2_000 } },
		tools: { discoveryCommand: `sh ${bed.script}` },
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
			...geminiSettings(user),
			security: { auth: { selectedType: "gemini-api-key" }, folderTrust: { enabled: true } },
		},
		[join(store, "trustedFolders.json")]: { [cwd]: "TRUST_FOLDER" },
		[join(store, "GEMINI.md")]: instructions("user"),
		[join(store, "skills/planted/SKILL.md")]: skill("user"),
		[join(store, "extensions/planted/gemini-extension.json")]: {
			name: "planted",
			version: "1.0.0",
			mcpServers: { [extension.name]: { command, args, timeout: 2_000 } },
		},
		[join(store, "extensions/planted/hooks/hooks.json")]: {
			hooks: hooksOf(extension, GEMINI_EVENTS),
		},
		[join(cwd, ".gemini/settings.json")]: geminiSettings(checkout),
		[user.script]: `${user.touch("discovery")}; echo []\n`,
		[checkout.script]: `${checkout.touch("discovery")}; echo []\n`,
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

/** A module that makes a file as soon as it is loaded. */
const pluginText = (file: string): string =>
	[
		'import { writeFileSync } from "node:fs";',
		`writeFileSync(${JSON.stringify(file)}, "");`,
		"export const Planted = async () => ({});",
		"",
	].join("\n");

function opencodePlants(garden: Garden): Files {
	const { home, cwd, fired } = garden;
	const [user, checkout] = [bedOf(garden, "user"), bedOf(garden, "checkout")];
	const config = join(home, ".config/opencode");
	const plugin = (name: string): string => pluginText(join(fired, name));
	// Else it would fetch this package for every folder of plugins.
	const wanted = { dependencies: { "@opencode-ai/plugin": "*" } };
	const folders = [config, join(home, ".opencode"), join(cwd, ".opencode")];
	const packages: readonly (readonly [string, unknown])[] = folders.flatMap((folder) => [
		[join(folder, "package.json"), wanted] as const,
		[join(folder, "package-lock.json"), { packages: { "": wanted } }] as const,
		[join(folder, "node_modules/.keep"), ""] as const,
	]);
	return {
		...Object.fromEntries<unknown>(packages),
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

const at = (place: string, ...plants: readonly string[]): readonly string[] =>
	plants.map((name) => `${place}-${name}`);

/** What each harness runs of it when a user starts it by hand: every plant. */
export const ALIVE: Readonly<Record<HarnessName, readonly string[]>> = {
	claude: [
		...["user", "checkout", "local"].flatMap((place) => at(place, "mcp", ...SHARED)),
		...at("plugin", ...SHARED),
	],
	codex: [
		...["user", "checkout"].flatMap((place) => at(place, "mcp", ...SHARED)),
		...at("user", "notify"),
	],
	gemini: [
		...["user", "checkout", "extension"].flatMap((place) => at(place, "mcp", ...GEMINI_EVENTS)),
		// That of the checkout stands in the place of the user's.
		...at("checkout", "discovery"),
	],
	opencode: [
		...["user", "checkout", "folder"].flatMap((place) => at(place, "mcp", "formatter")),
		...["user", "home"].flatMap((place) => at(place, "plugin")),
	],
};

/**
 * Writes all that a harness runs and reads by itself.
 *
 * @param where into the user's home and the checkout, or only into the home
 */
export function plant(
	name: HarnessName,
	garden: Garden,
	where: "everywhere" | "home" = "everywhere",
): void {
	mkdirSync(garden.fired, { recursive: true });
	for (const [path, content] of Object.entries(PLANTS[name](garden))) {
		if (where === "home" && path.startsWith(join(garden.cwd, "/"))) continue;
		mkdirSync(dirname(path), { recursive: true });
		writeFileSync(path, typeof content === "string" ? content : JSON.stringify(content));
	}
}

/** A plugin of opencode's in the checkout, called `checkout-plugin`. */
export function plantPlugin({ cwd, fired }: Garden): void {
	const folder = join(cwd, ".opencode/plugin");
	mkdirSync(folder, { recursive: true });
	writeFileSync(join(folder, "planted.js"), pluginText(join(fired, "checkout-plugin")));
}

/** Names of the plants that were run, such as `user-SessionStart` or `checkout-mcp`. */
export const firedIn = ({ fired }: Garden): readonly string[] => readdirSync(fired).toSorted();
