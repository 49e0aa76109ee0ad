import { gzipSync } from "node:zlib";
import type { Plugin } from "vite";

/**
 * Fails a build whose scripts are too large, compressed as a server would: those that open the page, and all of them
 * with what is loaded later.
 *
 * @param most bytes of compressed script
 */
export function limitScripts(most: { readonly opening: number; readonly all: number }): Plugin {
	return {
		name: "limit-scripts",
		generateBundle(_options, bundle) {
			const scripts = Object.values(bundle).filter((file) => file.type === "chunk");
			const later = new Set(scripts.flatMap(({ dynamicImports }) => dynamicImports));
			const opening = scripts.filter(({ fileName }) => !later.has(fileName));
			for (const [name, some] of [
				["opening", opening],
				["all", scripts],
			] as const) {
				const bytes = some.reduce((sum, { code }) => sum + gzipSync(code).length, 0);
				if (bytes > most[name]) {
					this.error(
						`the page's scripts (${name}) have ${bytes} bytes, compressed; at most ${most[name]} are allowed`,
					);
				}
			}
		},
	};
}
