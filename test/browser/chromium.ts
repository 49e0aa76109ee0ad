/** Debian's browser; `scripts/test-browser.ts` installs it where it is missing. */
export const CHROMIUM = "/usr/bin/chromium";
