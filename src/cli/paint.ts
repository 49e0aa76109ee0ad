import { styleText } from "node:util";
import type { Outlet, Shell } from "./shell.ts";

/** What a text says, from which its colour follows. */
export type Tone = "good" | "bad" | "attention" | "quiet" | "strong";

/** Colours a text, or gives it back as it is. */
export type Paint = (tone: Tone, text: string) => string;

const FORMATS = {
	good: "green",
	bad: "red",
	attention: "yellow",
	quiet: "dim",
	strong: "bold",
} as const;

/** Leaves every text as it is. */
export const noPaint: Paint = (_tone, text) => text;

/** Colours for an outlet: only on a terminal, and never with `NO_COLOR` set or a dumb terminal. */
export function paintFor(outlet: Outlet, env: Shell["env"]): Paint {
	const wanted = outlet.isTTY && (env["NO_COLOR"] ?? "") === "" && env["TERM"] !== "dumb";
	return wanted
		? (tone, text) => styleText(FORMATS[tone], text, { validateStream: false })
		: noPaint;
}
