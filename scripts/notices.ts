import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Plugin } from "vite";

interface Package {
	readonly name: string;
	readonly version: string;
	readonly license?: string;
	readonly peerDependencies?: Readonly<Record<string, string>>;
}

// True because npm reads these files too.
export const packageAt = (directory: string): Package =>
	JSON.parse(readFileSync(join(directory, "package.json"), "utf8")) as Package;

/** The folder of the package that a module of another author belongs to; null for one of ours. */
function packageFolder(module: string): string | null {
	const [, found] = /^(.*\/node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(module) ?? [];
	return found ?? null;
}

/** What the licences of the bundled packages ask to be passed on. */
export function noticesOf(modules: readonly string[]): string {
	const folders = new Set(modules.flatMap((module) => packageFolder(module) ?? []));
	const notices = [...folders].sort().map((directory) => {
		const { name, version, license } = packageAt(directory);
		const [file] = globSync("{LICEN[CS]E,licen[cs]e}*", { cwd: directory });
		const text = file === undefined ? "" : readFileSync(join(directory, file), "utf8").trim();
		if (text === "" && license === undefined) throw new Error(`${name} names no licence`);
		return `${name} ${version} (${license ?? "see below"})\n\n${text}`.trim();
	});
	return `${notices.join(`\n\n${"-".repeat(80)}\n\n`)}\n`;
}

/** Puts the notices of the bundled packages beside what vite builds. */
export function passNotices(): Plugin {
	return {
		name: "pass-notices",
		generateBundle(_options, bundle) {
			const chunks = Object.values(bundle).filter((file) => file.type === "chunk");
			const source = noticesOf(chunks.flatMap(({ moduleIds }) => moduleIds));
			this.emitFile({ type: "asset", fileName: "third-party-notices.txt", source });
		},
	};
}
