/** Whether an address has a password in it, such as `"postgres://spar:secret@db.example/x"`. What is no address has none. */
export function holdsPassword(address: string): boolean {
	const url = URL.parse(address);
	return url !== null && (url.password !== "" || url.searchParams.has("password"));
}
