import { afterAll } from "vitest";
import { workLoaded } from "../../src/app/run/expect-work.ts";
import { tidyNow } from "./tidy.ts";

// A setup file is run for each test file, also where the files share their modules.
afterAll(tidyNow);
// A module whose loading the end of a file cuts off is broken for all files after it.
afterAll(workLoaded);
