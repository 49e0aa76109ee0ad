/** Wrapping of what the tests' side gets hold of: functions, classes, namespaces, and the methods of instances. It is put on one line, as `node-probe.ts`. */
export const NODE_WRAPPING = String.raw`
const originals = new WeakMap();
const raw = (value) => originals.get(value) ?? value;
const made = new WeakMap();
const owned = new WeakMap();
const foreign = new WeakSet();
const { hasOwn } = Object;
const source = Function.prototype.toString;
const isMock = (fn) => ["mock", "_isMockFunction", "callCount", "__isMockProxy"].some((key) => key in fn);
const isNative = (fn) => /\{\s*\[native code\]\s*\}$/.test(source.call(fn)) && !fn.name.startsWith("bound ");
const library = new Set();
const isOfLibrary = (proto) => {
	if (library.size === 0) {
		for (const key of Object.getOwnPropertyNames(globalThis)) add(Object.getOwnPropertyDescriptor(globalThis, key).value);
		for (const name of ["events", "stream", "http", "net", "fs", "buffer", "url", "util", "zlib", "crypto", "child_process", "worker_threads"]) {
			const found = node(name);
			for (const key of Object.keys(found)) add(Object.getOwnPropertyDescriptor(found, key).value);
		}
	}
	const { constructor } = Object.getOwnPropertyDescriptors(proto);
	return library.has(proto) || (typeof constructor?.value === "function" && isNative(constructor.value)) || (constructor === undefined && hasOwn(proto, Symbol.toStringTag));
};
const add = (value) => {
	if (typeof value === "function" && isObject(value.prototype)) library.add(value.prototype);
};
const strange = (values, depth = 0) => {
	for (const given of values) {
		if (originals.has(given) || types.isProxy(given)) continue;
		if (typeof given === "function") {
			if (!made.has(given)) foreign.add(given);
			if (isObject(given.prototype) && !hooked.has(given.prototype)) foreign.add(given.prototype);
			continue;
		}
		if (!isObject(given) || depth > 3) continue;
		const proto = Object.getPrototypeOf(given);
		if (Array.isArray(given) || isPlain(given)) {
			foreign.add(given);
			strange(fieldsOf(given).slice(0, 50).map(([, field]) => field.value), depth + 1);
		} else if (proto !== null && !hooked.has(proto)) foreign.add(proto);
	}
};
const hooked = new WeakSet();
const keep = (fn, wrapper) => {
	made.set(fn, wrapper);
	originals.set(wrapper, fn);
	return wrapper;
};
const method = (fn, name) =>
	new Proxy(fn, {
		apply: (to, self, args) => call(name(self), args, (given) => Reflect.apply(to, raw(self), given), self),
		get: (to, key) => (key === "toString" && !hasOwn(to, key) ? source.bind(to) : Reflect.get(to, key)),
	});
/* Values of the fields that repetitions read through accessors, by their getters. */
const stored = new WeakMap();
const kept = new WeakSet();
const fieldsRead = (holder, name) => {
	if (kept.has(holder) || foreign.has(holder)) return;
	kept.add(holder);
	for (const [key, field] of Object.entries(Object.getOwnPropertyDescriptors(holder))) {
		if (!("value" in field) || !field.configurable || !field.writable || typeof field.value === "function") continue;
		let { value } = field;
		const get = function () {
			return call(name + "." + key, null, () => value, this, true);
		};
		stored.set(get, () => value);
		Object.defineProperty(holder, key, {
			configurable: true,
			enumerable: field.enumerable,
			get,
			set(by) {
				if (this === holder) value = by;
				else Object.defineProperty(this, key, { value: by, configurable: true, enumerable: true, writable: true });
			},
		});
	}
};
const UNHOOKED = new Set(["constructor", "then", "catch", "finally", "asymmetricMatch", "toJSON", "inspect"]);
const hook = (holder, name, isClass = true) => {
	if (hooked.has(holder) || foreign.has(holder)) return;
	hooked.add(holder);
	for (const key of Reflect.ownKeys(holder)) {
		const field = Object.getOwnPropertyDescriptor(holder, key);
		if (UNHOOKED.has(key) || (typeof key === "symbol" && key !== Symbol.iterator) || !field.configurable) continue;
		const named = (self) => name(isObject(self) ? self : Object.create(holder)) + "." + (typeof key === "symbol" ? "[" + key.description + "]" : key);
		if (typeof field.value === "function" && fits(field.value)) field.value = keep(field.value, method(field.value, named));
		else if (field.get !== undefined && isClass) {
			const { get } = field;
			field.get = function () {
				return call(named(this), null, () => Reflect.apply(get, this, []), this);
			};
		} else continue;
		Object.defineProperty(holder, key, field);
	}
};
const fits = (fn) => !(foreign.has(fn) || originals.has(fn) || isMock(fn) || isNative(fn));
const wrapped = (fn, name) => {
	if (made.has(fn)) return made.get(fn);
	if (!fits(fn)) return fn;
	const wrapper = new Proxy(fn, {
		apply: (to, self, args) => call(name, args, (given) => Reflect.apply(to, raw(self), given), self),
		construct: (to, args, newTarget) => {
			const isOwn = newTarget === wrapper;
			if (!isOwn && !hooked.has(newTarget.prototype)) foreign.add(newTarget.prototype);
			const by = call("new " + name, args, (given) => Reflect.construct(to, given, isOwn ? to : newTarget));
			return isObject(by) || typeof by === "function" ? by : Object.create(to.prototype);
		},
		get: (to, key) => (key === "toString" && !hasOwn(to, key) ? source.bind(to) : member(to, key, name)),
	});
	keep(fn, wrapper);
	const own = fn.prototype && Object.getOwnPropertyDescriptor(fn.prototype, "constructor");
	if (own?.configurable && own.value === fn)
		Object.defineProperty(fn.prototype, "constructor", {
			configurable: true,
			enumerable: own.enumerable,
			get: () => (current.getStore()?.inside ? fn : wrapper),
			set(value) {
				Object.defineProperty(this, "constructor", { value, configurable: true, enumerable: true, writable: true });
			},
		});
	return wrapper;
};
const holderOf = (object, key) => {
	for (let at = object; at !== null && at !== Function.prototype && at !== Object.prototype; at = Object.getPrototypeOf(at)) if (hasOwn(at, key)) return at;
	return null;
};
const member = (object, key, name) => {
	const value = Reflect.get(object, key);
	const field = Object.getOwnPropertyDescriptor(object, key);
	const isFixed = field !== undefined && !field.configurable && !(field.get ?? field.writable);
	if (typeof key === "symbol" || key === "prototype" || isFixed || holderOf(object, key) === null) return value;
	return given(value, name === "" ? key : name + "." + key);
};
const hasParts = (value, depth = 0) =>
	depth < 3 && Object.values(Object.getOwnPropertyDescriptors(value)).some(({ value: part, get }) => get !== undefined || typeof part === "function" || (isPlain(part) && hasParts(part, depth + 1)));
const given = (value, name) => {
	if (made.has(value)) return made.get(value);
	if (typeof value === "function") return wrapped(value, name === "default" || name === "" ? value.name || "default" : name);
	if (!isObject(value) || originals.has(value) || types.isProxy(value)) return value;
	const isSpace = types.isModuleNamespaceObject(value) || tag(value) === "Module" || hasOwn(value, "__esModule");
	if (!(isSpace || isPlain(value))) return seen(value, name);
	if (foreign.has(value) || !hasParts(value)) return value;
	const target = Object.isFrozen(value) && !isSpace ? mirrored(value) : value;
	const part = name === "default" ? "" : name;
	return keep(value, new Proxy(target, { get: (to, key) => member(to, key, part) }));
};
const mirrored = (value) => {
	const fields = Object.getOwnPropertyDescriptors(value);
	for (const field of Object.values(fields)) field.configurable = true;
	return Object.create(Object.getPrototypeOf(value), fields);
};
const ITERATOR = /^(?:Async)?Generator$|Iterator$/;
const seen = (value, name, depth = 0) => {
	if (typeof value === "function") return wrapped(value, name);
	if (!isObject(value) || types.isProxy(value) || foreign.has(value) || originals.has(value) || types.isPromise(value) || isError(value)) return value;
	if (Array.isArray(value)) {
		for (const part of value.slice(0, 20)) if (isObject(part) && depth < 2) seen(part, name, depth + 1);
	} else if (isPlain(value)) {
		if (!Object.isFrozen(value)) hook(value, () => name, false);
		for (const [, { value: part }] of fieldsOf(value).slice(0, 20)) if (isObject(part) && depth < 2) seen(part, name, depth + 1);
	} else if (ITERATOR.test(tag(value)) && !hasOwn(value, "next") && Object.isExtensible(value)) {
		const { next } = value;
		Object.defineProperty(value, "next", { configurable: true, writable: true, value: method(next, () => name + ".next") });
	} else {
		if (Object.isExtensible(value) && !isOfLibrary(Object.getPrototypeOf(value))) {
			hook(value, () => className(value), false);
			if (isRepeating) fieldsRead(value, className(value));
		}
		for (let proto = Object.getPrototypeOf(value); proto !== null && !isOfLibrary(proto); proto = Object.getPrototypeOf(proto)) hook(proto, className);
	}
	return value;
};
`;
