import { type Paint, paintFor } from "./paint.ts";
import { lineWidth, type Outlet, type Shell } from "./shell.ts";

/** Colours and width of a place where words are shown. */
export interface Look {
	readonly paint: Paint;
	readonly columns: number;
}

export const lookOf = (outlet: Outlet, env: Shell["env"]): Look => ({
	paint: paintFor(outlet, env),
	columns: lineWidth(outlet),
});
