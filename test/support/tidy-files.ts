import { afterAll } from "vitest";
import { tidyNow } from "./tidy.ts";

// A setup file is run for each test file, also where the files share their modules.
afterAll(tidyNow);
