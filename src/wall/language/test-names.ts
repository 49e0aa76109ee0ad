/** Names of functions that assert by themselves. */
export const ASSERTING = /^(?:assert|expect|refute|verify|should)(?:[A-Z_0-9]\w*)?$/;

export const CHECKING = /assert|expect|check|same|equal|ensure|verify|refuse|must|should|fail/i;

/** Names of functions that a runner calls around tests. */
export const HOOK = /^(?:before|after)(?:Each|All)?$|^(?:setup|teardown|setUp|tearDown)/;

/** A text without the spaces that a formatter may change. */
export function unspaced(text: string): string {
	return text.replaceAll(/\s+/g, "").replaceAll(/,(?=[)\]}])/g, "");
}
