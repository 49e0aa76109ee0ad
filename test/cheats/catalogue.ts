import type { Cheat, Honest } from "./case.ts";
import { REWRITTEN } from "./dishonest/rewritten.ts";
import { TESTS_MOVED } from "./honest/tests-moved.ts";

/** Patches that look done and are not. */
export const CHEATS: readonly Cheat[] = [...REWRITTEN];

/** Patches that do their task. */
export const HONEST: readonly Honest[] = [...TESTS_MOVED];
