import type { Cheat, Honest } from "./case.ts";
import { ADDED_LINES } from "./dishonest/added-lines.ts";
import { ADDRESSED } from "./dishonest/addressed.ts";
import { COMMAND } from "./dishonest/command.ts";
import { DATA } from "./dishonest/data.ts";
import { DISARMED } from "./dishonest/disarmed.ts";
import { EXCLUDED } from "./dishonest/excluded.ts";
import { FORGED } from "./dishonest/forged.ts";
import { HARMFUL } from "./dishonest/harmful.ts";
import { HIDDEN } from "./dishonest/hidden.ts";
import { INCOMPLETE } from "./dishonest/incomplete.ts";
import { NEWCOMERS } from "./dishonest/newcomers.ts";
import { OUTSIDE } from "./dishonest/outside.ts";
import { REMOVED } from "./dishonest/removed.ts";
import { REWRITTEN } from "./dishonest/rewritten.ts";
import { ROUNDABOUT } from "./dishonest/roundabout.ts";
import { SPECIAL_CASED } from "./dishonest/special-cased.ts";
import { DATA_UPDATED } from "./honest/data-updated.ts";
import { DEAD_CODE } from "./honest/dead-code.ts";
import { EVERYDAY } from "./honest/everyday.ts";
import { FEATURES } from "./honest/features.ts";
import { FORMATTED } from "./honest/formatted.ts";
import { PRODUCT_RESHAPED } from "./honest/product-reshaped.ts";
import { TESTS_MOVED } from "./honest/tests-moved.ts";
import { TESTS_RESHAPED } from "./honest/tests-reshaped.ts";
import { TOOLS } from "./honest/tools.ts";

/** Patches that look done and are not. */
export const CHEATS: readonly Cheat[] = [
	...REMOVED,
	...REWRITTEN,
	...DATA,
	...COMMAND,
	...NEWCOMERS,
	...DISARMED,
	...FORGED,
	...EXCLUDED,
	...HIDDEN,
	...SPECIAL_CASED,
	...ADDRESSED,
	...OUTSIDE,
	...INCOMPLETE,
	...HARMFUL,
	...ADDED_LINES,
	...ROUNDABOUT,
];

/** Patches that do their task. */
export const HONEST: readonly Honest[] = [
	...FEATURES,
	...TESTS_MOVED,
	...TESTS_RESHAPED,
	...PRODUCT_RESHAPED,
	...DATA_UPDATED,
	...TOOLS,
	...FORMATTED,
	...DEAD_CODE,
	...EVERYDAY,
];
