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

/** Tells whether a webhook may set a header: a token of RFC 9110 that the connection does not set itself. */
export function isWebhookHeader(name: string): boolean {
	return NAME.test(name) && !RESERVED.has(name.toLowerCase());
}

export type WebhookAddress =
	| { readonly kind: "accepted"; readonly url: URL }
	| { readonly kind: "refused"; readonly reason: string };

const LOOPBACK = /^(?:localhost|127\.\d{1,3}\.\d{1,3}\.\d{1,3}|\[::1\])$/;

/**
 * Checks an address of a webhook: `https`, or `http` to this machine (`localhost`, `127.0.0.0/8`, `[::1]`), without a
 * user name or password. The reason never repeats the address, since for many services it is a secret.
 */
export function webhookAddress(address: string): WebhookAddress {
	const refused = (reason: string): WebhookAddress => ({ kind: "refused", reason });
	const url = URL.parse(address);
	if (url === null) return refused("the address is not a URL");
	if (url.username !== "" || url.password !== "")
		return refused("the address contains a user name or password; use a header");
	const local = url.protocol === "http:" && LOOPBACK.test(url.hostname);
	if (url.protocol !== "https:" && !local)
		return refused("the address must use https, or http on this machine");
	return { kind: "accepted", url };
}
