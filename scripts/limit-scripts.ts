import { gzipSync } from "node:zlib";
import type { Plugin } from "vite";

/**
 * Fails a build whose scripts are too large: all of them together, each compressed as a server would.
 *
 * @param mostBytes of compressed script
 */
export function limitScripts(mostBytes: number): Plugin {
	return {
		name: "limit-scripts",
		generateBundle(_options, bundle) {
			const scripts = Object.values(bundle).filter((file) => file.type === "chunk");
			const bytes = scripts.reduce((sum, { code }) => sum + gzipSync(code).length, 0);
			if (bytes > mostBytes) {
				this.error(
					`the page's scripts have ${bytes} bytes, compressed; at most ${mostBytes} are allowed`,
				);
			}
		},
	};
}
