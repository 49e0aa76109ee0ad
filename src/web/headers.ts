/**
 * The page loads its own files and talks to its own server, and nothing else: nothing inline, nothing from elsewhere, in no
 * frame. No text becomes markup: there is no policy that makes trusted types.
 */
const POLICY = [
	"default-src 'none'",
	"script-src 'self'",
	"style-src 'self'",
	"img-src 'self'",
	"font-src 'self'",
	"connect-src 'self'",
	"manifest-src 'self'",
	"base-uri 'none'",
	"form-action 'none'",
	"frame-ancestors 'none'",
	"require-trusted-types-for 'script'",
	"trusted-types 'none'",
].join("; ");

/** What every answer says, refusals included. */
export const SECURITY_HEADERS: Readonly<Record<string, string>> = {
	"Content-Security-Policy": POLICY,
	"X-Content-Type-Options": "nosniff",
	"Referrer-Policy": "no-referrer",
	"Cross-Origin-Opener-Policy": "same-origin",
	"Cross-Origin-Resource-Policy": "same-origin",
	"Permissions-Policy": "camera=(), geolocation=(), microphone=()",
	"X-Frame-Options": "DENY",
	"Cache-Control": "no-store",
};
