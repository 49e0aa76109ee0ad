import { join } from "node:path";
import { defineConfig } from "vite";
import { limitScripts } from "./scripts/limit-scripts.ts";

/** Of compressed script: what opens within half a second, also on a machine at work. */
const MOST_SCRIPT_BYTES = 42_000;

/** The page of `spar ui`: built with the package, served from `dist/dashboard`, nothing of it from elsewhere. */
export default defineConfig({
	root: join(import.meta.dirname, "dashboard"),
	base: "/",
	publicDir: false,
	plugins: [limitScripts(MOST_SCRIPT_BYTES)],
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
