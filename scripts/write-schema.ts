import { execFileSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { workflowJsonSchema } from "../src/workflow/json-schema.ts";

/** Writes `schema/workflow.schema.json`; run it with node after a change of the schema. */
const root = new URL("../", import.meta.url);
const path = fileURLToPath(new URL("schema/workflow.schema.json", root));
mkdirSync(new URL("schema/", root), { recursive: true });
writeFileSync(path, `${JSON.stringify(workflowJsonSchema(), null, "\t")}\n`);
const biome = fileURLToPath(new URL("node_modules/.bin/biome", root));
execFileSync(biome, ["format", "--write", path], { cwd: root, stdio: "inherit" });
