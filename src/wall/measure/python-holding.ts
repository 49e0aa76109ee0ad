/** Functions and modules of the product as files of the tests get hold of them. */
export const PYTHON_HOLDING = `
class Wrapped:
    """A function of the product, as the tests get hold of it. All but its calls is the function's own."""
    def __init__(self, name, raw):
        object.__setattr__(self, "_spar", raw)
        object.__setattr__(self, "_spar_name", name)

    def __call__(self, *args, **kwargs):
        name, raw = object.__getattribute__(self, "_spar_name"), object.__getattribute__(self, "_spar")
        args, kwargs = [unwrapped(part) for part in args], {key: unwrapped(part) for key, part in kwargs.items()}
        return called(name, raw, args, kwargs)

    def __get__(self, instance, owner=None):
        raw = object.__getattribute__(self, "_spar")
        if instance is None or not hasattr(type(raw), "__get__") or isinstance(raw, types.BuiltinFunctionType):
            return self
        return types.MethodType(self, instance)

    def __getattribute__(self, name):
        raw = object.__getattribute__(self, "_spar")
        return getattr(raw, name, raw) if name == "__wrapped__" else getattr(raw, name)

    def __setattr__(self, name, value):
        setattr(unwrapped(self), name, value)

    def __delattr__(self, name):
        delattr(unwrapped(self), name)

    def __eq__(self, other):
        return unwrapped(self) == unwrapped(other)

    def __hash__(self):
        return hash(unwrapped(self))

    def __repr__(self):
        return repr(unwrapped(self))

    def __copy__(self):
        return self

    def __deepcopy__(self, memo):
        return self

    def __reduce_ex__(self, level):
        return copy.copy, (unwrapped(self),)

class Proxy(types.ModuleType):
    """A module of the product. Attributes are read when they are asked for; changes are the module's own."""
    def __init__(self, raw):
        object.__setattr__(self, "_spar", raw)

    def __getattribute__(self, name):
        value = getattr(object.__getattribute__(self, "_spar"), name)
        return value if name.startswith("__") else held(name, value)

    def __setattr__(self, name, value):
        setattr(unwrapped(self), name, unwrapped(value))

    def __delattr__(self, name):
        delattr(unwrapped(self), name)

    def __dir__(self):
        return dir(unwrapped(self))

    def __eq__(self, other):
        return unwrapped(self) is unwrapped(other)

    def __hash__(self):
        return hash(unwrapped(self))

    def __repr__(self):
        return repr(unwrapped(self))

    def __reduce_ex__(self, level):
        return importlib.import_module, (self.__name__,)

FUNCTIONS = (types.FunctionType, types.BuiltinFunctionType, type(functools.lru_cache()(len)), functools.partial)
NAMES, KNOWN = {}, {}

def product(name, value):
    """Keeps what a file of the tests imports, by its exported name; gives what repetitions get instead."""
    SIDE.add(os.path.realpath(sys._getframe(1).f_code.co_filename))
    install()
    NAMES.setdefault(id(value), (name, value))
    return held(name, value) if State.repeats else value

def star(module):
    names = sys._getframe(1).f_globals
    SIDE.add(os.path.realpath(sys._getframe(1).f_code.co_filename))
    install()
    raw = importlib.import_module(module, names.get("__package__"))
    for name in getattr(raw, "__all__", [each for each in vars(raw) if not each.startswith("_")]):
        NAMES.setdefault(id(names.get(name)), (name, names.get(name)))

def held(name, value):
    """The value as repetitions get hold of it."""
    is_module = type(value) is types.ModuleType and is_product(value)
    if not (is_module or type(value) in FUNCTIONS and is_own(getattr(value, "func", value))):
        return value
    if id(value) not in KNOWN:
        KNOWN[id(value)] = Proxy(value) if is_module else Wrapped(NAMES.get(id(value), (name,))[0], value)
    return KNOWN[id(value)]

def taken():
    """Puts what repetitions get into the places where files of the tests keep it, and into their classes."""
    for module in list(sys.modules.values()):
        path = getattr(module, "__file__", None)
        if isinstance(path, str) and os.path.realpath(path) in SIDE:
            for owner in [module, *(each for each in vars(module).values() if isinstance(each, type) and each.__module__ == module.__name__)]:
                for name, value in list(vars(owner).items()):
                    inner = value.__func__ if type(value) is staticmethod else value
                    if id(inner) in NAMES and held(name, inner) is not inner:
                        setattr(owner, name, staticmethod(held(name, inner)) if inner is not value else held(name, inner))

`;
