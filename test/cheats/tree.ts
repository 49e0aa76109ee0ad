/** The text files and symbolic links of a project, by path. */
export type Tree = Readonly<Record<string, string | { readonly link: string }>>;

/** A change of a tree; it throws where the tree does not hold what the change expects. */
export type Edit = (tree: Tree) => Tree;

/** Adds a file, or replaces it. */
export function write(path: string, text: string): Edit {
	return (tree) => ({ ...tree, [path]: text });
}

/** Replaces a text that stands in the file exactly once. */
export function replace(path: string, from: string, to: string): Edit {
	return (tree) => {
		const [before, after, ...more] = textAt(tree, path).split(from);
		if (before === undefined || after === undefined || more.length > 0)
			throw new Error(`${path} does not hold this exactly once: ${from}`);
		return { ...tree, [path]: before + to + after };
	};
}

/** Replaces a text wherever it stands in the file, at least once. */
export function replaceAll(path: string, from: string, to: string): Edit {
	return (tree) => {
		const text = textAt(tree, path);
		if (!text.includes(from)) throw new Error(`${path} does not hold: ${from}`);
		return { ...tree, [path]: text.replaceAll(from, () => to) };
	};
}

/** Removes everything from a text to the end of the file. */
export function cutFrom(path: string, from: string): Edit {
	return (tree) => {
		const text = textAt(tree, path);
		if (!text.includes(from)) throw new Error(`${path} does not hold: ${from}`);
		return { ...tree, [path]: text.slice(0, text.indexOf(from)) };
	};
}

/** Adds text at the end of a file. */
export function append(path: string, text: string): Edit {
	return (tree) => ({ ...tree, [path]: textAt(tree, path) + text });
}

/** Adds text at the beginning of a file. */
export function prepend(path: string, text: string): Edit {
	return (tree) => ({ ...tree, [path]: text + textAt(tree, path) });
}

export function remove(path: string): Edit {
	return ({ [path]: found, ...rest }) => {
		if (found === undefined) throw new Error(`there is no ${path}`);
		return rest;
	};
}

export function move(from: string, to: string): Edit {
	return (tree) => write(to, textAt(tree, from))(remove(from)(tree));
}

export function link(path: string, target: string): Edit {
	return (tree) => ({ ...tree, [path]: { link: target } });
}

/** The tree after these edits, in this order. */
export function edited(tree: Tree, edits: readonly Edit[]): Tree {
	return edits.reduce((now, edit) => edit(now), tree);
}

/** What turns one tree into another; null removes a file. */
export function difference(from: Tree, to: Tree): Readonly<Record<string, Tree[string] | null>> {
	const gone = Object.keys(from).filter((path) => to[path] === undefined);
	const written = Object.entries(to).filter(
		([path, content]) => JSON.stringify(content) !== JSON.stringify(from[path]),
	);
	return Object.fromEntries([...gone.map((path) => [path, null] as const), ...written]);
}

/** Text of a file; throws when there is none. */
export function textAt(tree: Tree, path: string): string {
	const found = tree[path];
	if (typeof found !== "string") throw new Error(`there is no text file ${path}`);
	return found;
}
