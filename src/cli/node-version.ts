const NODE_NEEDED: string = "24.11";

export function nodeIsNewEnough(version: string): boolean {
	const [major = 0, minor = 0] = version.split(".").map(Number);
	return major > 24 || (major === 24 && minor >= 11);
}

export function oldNodeText(version: string, program: string): string {
	return (
		`This is Node.js ${version} (${program}), which is too old for spar.\n` +
		`spar needs Node.js ${NODE_NEEDED} or newer: nvm install 24, fnm install 24 or volta install node@24, ` +
		"then install sparring again with it.\n"
	);
}
