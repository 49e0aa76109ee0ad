import { FARES } from "./fares.ts";
import { HOURS } from "./hours.ts";
import { LINES } from "./lines.ts";
import type { Pair } from "./pair.ts";
import { ROUTES } from "./routes.ts";

export const PAIRS: readonly Pair[] = [...FARES, ...LINES, ...HOURS, ...ROUTES];
