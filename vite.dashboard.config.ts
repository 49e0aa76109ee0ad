import { join } from "node:path";
import { defineConfig } from "vite";
import { limitScripts } from "./scripts/limit-scripts.ts";
import { passNotices } from "./scripts/notices.ts";

/**
 * Bytes of compressed script. `opening`: what opens within half a second, also on a machine at work. `all`: with the
 * colours of code, which are loaded with the first diff.
 */
const MOST_SCRIPT = { opening: 50_000, all: 105_000 };

/** The page of `spar ui`: built with the package, served from `dist/dashboard`, nothing of it from elsewhere. */
export default defineConfig({
	root: join(import.meta.dirname, "dashboard"),
	base: "/",
	publicDir: false,
	plugins: [limitScripts(MOST_SCRIPT), passNotices()],
	oxc: { jsx: { runtime: "automatic", importSource: "preact" } },
	build: {
		outDir: join(import.meta.dirname, "dist", "dashboard"),
		emptyOutDir: true,
		target: "es2022",
		// The polyfill would be a script that the policy of the page has no place for.
		modulePreload: false,
		// What is inlined as a data URL the policy refuses.
		assetsInlineLimit: 0,
		reportCompressedSize: false,
	},
});
