/** Tells whether an address, such as `"postgres://spar:secret@db.example/x"`, has a password in it. */
export function holdsPassword(address: string): boolean {
	const url = URL.parse(address);
	return url !== null && (url.password !== "" || url.searchParams.has("password"));
}
