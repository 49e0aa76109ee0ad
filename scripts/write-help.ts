import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { currentHelp } from "./help-text.ts";

/** Writes the help of `spar` into a built package, by default `dist/`: the last step of the build. */
const folder = join(process.argv[2] ?? "dist", "cli");
mkdirSync(folder, { recursive: true });
writeFileSync(join(folder, "help.txt"), currentHelp());
