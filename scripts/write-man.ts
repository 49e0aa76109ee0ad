import { mkdirSync, writeFileSync } from "node:fs";
import { currentManPage } from "./man-page.ts";

/** Writes `man/spar.1`; run it with node after a change of the command line. */
mkdirSync(new URL("../man/", import.meta.url), { recursive: true });
writeFileSync(new URL("../man/spar.1", import.meta.url), await currentManPage());
