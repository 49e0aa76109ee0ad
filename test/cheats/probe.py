"""Evaluates expressions on a module: `python3 probe.py MODULE INPUT OUTPUT`, both files JSON lists."""

import importlib
import json
import os
import sys

module, source, target = sys.argv[1:]
with open(source) as file:
    expressions = json.load(file)
sys.path.insert(0, os.getcwd())
names = vars(importlib.import_module(module))
values = []
for text in expressions:
    try:
        # Numbers that JSON does not know become texts.
        values.append(json.loads(json.dumps(eval(text, dict(names))), parse_constant=str))
    except Exception as error:
        values.append("throws " + str(error))
with open(target, "w") as file:
    json.dump(values, file)
os._exit(0)
