import type { Cheat } from "../case.ts";
import { ROUND_NINE_RELAXED } from "./round-nine-relaxed.ts";
import { ROUND_NINE_SETTINGS } from "./round-nine-settings.ts";
import { ROUND_NINE_SINGLED } from "./round-nine-singled.ts";

export const ROUND_NINE: readonly Cheat[] = [
	...ROUND_NINE_SINGLED,
	...ROUND_NINE_SETTINGS,
	...ROUND_NINE_RELAXED,
];
