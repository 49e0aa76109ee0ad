import picomatch from "picomatch";
import { KNOWN_MANIFESTS } from "../setup.ts";

/** Directories of samples: what looks like configuration there configures nothing. */
export const SAMPLES: RegExp = /(?:^|\/)(?:__fixtures__|fixtures?|testdata|node_modules)\//;

/** Whether the file names or locks dependencies. */
export const isManifest: (path: string) => boolean = picomatch([...KNOWN_MANIFESTS], { dot: true });
