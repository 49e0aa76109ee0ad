/** Headers that the connection itself sets. */
const RESERVED: ReadonlySet<string> = new Set([
	"host",
	"content-length",
	"content-type",
	"transfer-encoding",
	"connection",
	"upgrade",
	"expect",
	"te",
	"trailer",
	"keep-alive",
	"proxy-connection",
]);

const NAME = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;

/** Whether a webhook may set a header of this name: a token of RFC 9110 that the connection does not set itself. */
export function isWebhookHeader(name: string): boolean {
	return NAME.test(name) && !RESERVED.has(name.toLowerCase());
}
