import { execFileSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { workflowJsonSchema } from "../src/workflow/json-schema.ts";
import { VIEW_SCHEMA, VIEW_TABLE, viewSchema, viewTable } from "./view-schema.ts";

/** Writes the schemas of `schema/`, and the table of a run's view; run it with node after a change of either. */
const root = new URL("../", import.meta.url);
const workflow = fileURLToPath(new URL("schema/workflow.schema.json", root));
const view = viewSchema();
mkdirSync(new URL("schema/", root), { recursive: true });
writeFileSync(workflow, `${JSON.stringify(workflowJsonSchema(), null, "\t")}\n`);
writeFileSync(VIEW_SCHEMA, `${JSON.stringify(view, null, "\t")}\n`);
writeFileSync(VIEW_TABLE, viewTable(view));
const biome = fileURLToPath(new URL("node_modules/.bin/biome", root));
execFileSync(biome, ["format", "--write", workflow, VIEW_SCHEMA, VIEW_TABLE], {
	cwd: root,
	stdio: "inherit",
});
