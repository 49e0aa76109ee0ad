// Loaded before a program that imports `sparring`: it gets the source of this checkout.
import { registerHooks } from "node:module";

const SOURCE = new URL("../../src/index.ts", import.meta.url).href;

registerHooks({
	resolve: (specifier, context, next) =>
		next(specifier === "sparring" ? SOURCE : specifier, context),
});
