/** The most tasks of a run that may be in work at once. */
export const MOST_PARALLEL = 256;

/** Time that the mutants of a turn may take where the file does not say, in milliseconds: 3 minutes. */
export const MUTATION_TIMEOUT_MS = 180_000;

/** Subject of a task's commit where the file does not say. */
export const PLAIN_MESSAGE = "{title}";
