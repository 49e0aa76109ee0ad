import type { Cheat, Honest } from "./case.ts";
import { ADDED_LINES } from "./dishonest/added-lines.ts";
import { ADDRESSED } from "./dishonest/addressed.ts";
import { ALLOWED } from "./dishonest/allowed.ts";
import { ASKED } from "./dishonest/asked.ts";
import { COMMAND } from "./dishonest/command.ts";
import { DATA } from "./dishonest/data.ts";
import { DISARMED } from "./dishonest/disarmed.ts";
import { EXCLUDED } from "./dishonest/excluded.ts";
import { FORGED } from "./dishonest/forged.ts";
import { HARMFUL } from "./dishonest/harmful.ts";
import { HIDDEN } from "./dishonest/hidden.ts";
import { INCOMPLETE } from "./dishonest/incomplete.ts";
import { LEFT_BEHIND } from "./dishonest/left-behind.ts";
import { NEWCOMERS } from "./dishonest/newcomers.ts";
import { OUTSIDE } from "./dishonest/outside.ts";
import { RED_BASELINE } from "./dishonest/red-baseline.ts";
import { RED_DISARMED } from "./dishonest/red-disarmed.ts";
import { REMOVED } from "./dishonest/removed.ts";
import { REWRITTEN } from "./dishonest/rewritten.ts";
import { ROUND_EIGHT } from "./dishonest/round-eight.ts";
import { ROUND_FIVE } from "./dishonest/round-five.ts";
import { ROUND_FIVE_PRODUCTS } from "./dishonest/round-five-products.ts";
import { ROUND_FOUR } from "./dishonest/round-four.ts";
import { ROUND_FOUR_SETTINGS } from "./dishonest/round-four-settings.ts";
import { ROUND_FOUR_TESTS } from "./dishonest/round-four-tests.ts";
import { ROUND_NINE } from "./dishonest/round-nine.ts";
import { ROUND_ONE } from "./dishonest/round-one.ts";
import { ROUND_ONE_NAMES } from "./dishonest/round-one-names.ts";
import { ROUND_ONE_STATE } from "./dishonest/round-one-state.ts";
import { ROUND_ONE_TESTS } from "./dishonest/round-one-tests.ts";
import { ROUND_ONE_VALUES } from "./dishonest/round-one-values.ts";
import { ROUND_SEVEN } from "./dishonest/round-seven.ts";
import { ROUND_SIX } from "./dishonest/round-six.ts";
import { ROUND_TEN } from "./dishonest/round-ten.ts";
import { ROUND_THREE } from "./dishonest/round-three.ts";
import { ROUND_THREE_MORE } from "./dishonest/round-three-more.ts";
import { ROUND_THREE_TESTS } from "./dishonest/round-three-tests.ts";
import { ROUND_TWO } from "./dishonest/round-two.ts";
import { ROUND_TWO_APPARATUS } from "./dishonest/round-two-apparatus.ts";
import { ROUNDABOUT } from "./dishonest/roundabout.ts";
import { SMALL_VALUES } from "./dishonest/small-values.ts";
import { SPECIAL_CASED } from "./dishonest/special-cased.ts";
import { ALLOWED_DONE } from "./honest/allowed.ts";
import { ASKED_DONE } from "./honest/asked.ts";
import { DATA_UPDATED } from "./honest/data-updated.ts";
import { DEAD_CODE } from "./honest/dead-code.ts";
import { EVERYDAY } from "./honest/everyday.ts";
import { FEATURES } from "./honest/features.ts";
import { FORMATTED } from "./honest/formatted.ts";
import { KEPT_STATE } from "./honest/kept-state.ts";
import { PRODUCT_RESHAPED } from "./honest/product-reshaped.ts";
import { RED_BASELINE_DONE } from "./honest/red-baseline.ts";
import { ROUND_EIGHT_DONE } from "./honest/round-eight.ts";
import { ROUND_FIVE_DONE } from "./honest/round-five.ts";
import { ROUND_FOUR_DONE } from "./honest/round-four.ts";
import { ROUND_NINE_DONE } from "./honest/round-nine.ts";
import { ROUND_ONE_DONE } from "./honest/round-one.ts";
import { ROUND_ONE_MORE_DONE } from "./honest/round-one-more.ts";
import { ROUND_SEVEN_DONE } from "./honest/round-seven.ts";
import { ROUND_SIX_DONE } from "./honest/round-six.ts";
import { ROUND_TEN_DONE } from "./honest/round-ten.ts";
import { ROUND_THREE_DONE } from "./honest/round-three.ts";
import { ROUND_TWO_DONE } from "./honest/round-two.ts";
import { SMALL_VALUES_DONE } from "./honest/small-values.ts";
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
	...RED_BASELINE,
	...RED_DISARMED,
	...LEFT_BEHIND,
	...SMALL_VALUES,
	...ALLOWED,
	...ASKED,
	...ROUND_ONE,
	...ROUND_ONE_TESTS,
	...ROUND_ONE_VALUES,
	...ROUND_ONE_STATE,
	...ROUND_ONE_NAMES,
	...ROUND_TWO,
	...ROUND_TWO_APPARATUS,
	...ROUND_THREE,
	...ROUND_THREE_TESTS,
	...ROUND_THREE_MORE,
	...ROUND_FOUR,
	...ROUND_FOUR_TESTS,
	...ROUND_FOUR_SETTINGS,
	...ROUND_FIVE,
	...ROUND_SIX,
	...ROUND_SEVEN,
	...ROUND_EIGHT,
	...ROUND_NINE,
	...ROUND_TEN,
	...ROUND_FIVE_PRODUCTS,
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
	...RED_BASELINE_DONE,
	...KEPT_STATE,
	...SMALL_VALUES_DONE,
	...ALLOWED_DONE,
	...ASKED_DONE,
	...ROUND_ONE_DONE,
	...ROUND_ONE_MORE_DONE,
	...ROUND_TWO_DONE,
	...ROUND_THREE_DONE,
	...ROUND_FOUR_DONE,
	...ROUND_FIVE_DONE,
	...ROUND_SIX_DONE,
	...ROUND_SEVEN_DONE,
	...ROUND_EIGHT_DONE,
	...ROUND_NINE_DONE,
	...ROUND_TEN_DONE,
];
