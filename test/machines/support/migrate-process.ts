// Migrates the database of its argument, and sends its parent whether anything had to be made.
import { migrate } from "../../../src/store/postgres/migrate.ts";

const { changed } = await migrate(process.argv[2] ?? "");
process.send?.(changed ? "changed" : "unchanged", () => process.disconnect());
