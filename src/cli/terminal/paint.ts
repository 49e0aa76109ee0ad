import { styleText } from "node:util";
import type { Tone as StateTone } from "../../words/states.ts";
import { lineWidth, type Outlet, type Shell } from "./shell.ts";

export type PaintTone = StateTone | "strong";

export type Paint = (tone: PaintTone, text: string) => string;

const FORMATS = {
	good: "green",
	bad: "red",
	attention: "yellow",
	live: "bold",
	quiet: "dim",
	strong: "bold",
} as const;

export const noPaint: Paint = (_tone, text) => text;

export function paintFor(outlet: Outlet, env: Shell["env"]): Paint {
	const wanted = outlet.isTTY && (env["NO_COLOR"] ?? "") === "" && env["TERM"] !== "dumb";
	return wanted
		? (tone, text) => styleText(FORMATS[tone], text, { validateStream: false })
		: noPaint;
}

/** Colours and width of a place where words are shown. */
export interface Look {
	readonly paint: Paint;
	readonly columns: number;
}

export const lookOf = (outlet: Outlet, env: Shell["env"]): Look => ({
	paint: paintFor(outlet, env),
	columns: lineWidth(outlet),
});
