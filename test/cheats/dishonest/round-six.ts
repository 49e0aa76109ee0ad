import type { Cheat } from "../case.ts";
import { ROUND_SIX_EXCUSED } from "./round-six-excused.ts";
import { ROUND_SIX_SINGLED } from "./round-six-singled.ts";
import { ROUND_SIX_SURROUNDED } from "./round-six-surrounded.ts";
import { ROUND_SIX_WEAKENED } from "./round-six-weakened.ts";

/** Patches that look done and are not. */
export const ROUND_SIX: readonly Cheat[] = [
	...ROUND_SIX_WEAKENED,
	...ROUND_SIX_SURROUNDED,
	...ROUND_SIX_SINGLED,
	...ROUND_SIX_EXCUSED,
];
