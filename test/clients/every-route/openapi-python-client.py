"""Makes each call of calls.json with the generated module of its route, and prints its status."""

import importlib
import inspect
import json
import os
import re
import typing

from gleaner import AuthenticatedClient

client = AuthenticatedClient(
    base_url=os.environ["GLEANER_URL"],
    token=os.environ["GLEANER_KEY"],
    raise_on_unexpected_status=False,
)
for call in json.load(open("calls.json")):
    name = re.sub("([A-Z])", r"_\1", call["operation"]).lower()
    module = importlib.import_module(f"gleaner.api.{call['tag']}.{name}")
    arguments = {"id": call["id"]} if "id" in call else {}
    if "body" in call:
        # A body that may be a form, too, has a union of classes.
        body = typing.get_type_hints(module.sync_detailed)["body"]
        classes = [body, *typing.get_args(body)]
        model = next(one for one in classes if inspect.isclass(one) and not one.__name__.endswith("Form"))
        arguments["body"] = model.from_dict(call["body"])
    response = module.sync_detailed(client=client, **arguments)
    print(call["operation"], response.status_code.value)
