"""Makes each call of calls.json with the generated method of its route, and prints its status."""

import json
import os
import re
import typing

import gleaner

configuration = gleaner.Configuration(host=os.environ["GLEANER_URL"], access_token=os.environ["GLEANER_KEY"])
with gleaner.ApiClient(configuration) as client:
    for call in json.load(open("calls.json")):
        name = re.sub("([A-Z])", r"_\1", call["operation"]).lower()
        api = getattr(gleaner, f"{call['tag'].capitalize()}Api")(client)
        method = getattr(api, f"{name}_with_http_info")
        arguments = [call["id"]] if "id" in call else []
        if "body" in call:
            # The body is the first argument, or the one after the id.
            body = list(typing.get_type_hints(method).values())[len(arguments)]
            arguments.append(body.from_dict(call["body"]) if hasattr(body, "from_dict") else call["body"])
        response = method(*arguments)
        print(call["operation"], response.status_code)
