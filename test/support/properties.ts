import fc from "fast-check";
import { inject } from "vitest";
import { RUNS } from "./amount.ts";

/** In `npm test` each property is tried on the same cases every time: what fails there fails for everybody. */
const SEED = 20_261_122;

const lane = inject("amount");
fc.configureGlobal({ numRuns: RUNS[lane], ...(lane === "sample" ? { seed: SEED } : {}) });
