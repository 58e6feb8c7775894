"""Answers commands of a test: a line of JSON in, a line of JSON out, until the input ends."""

import json
import logging
import sys


def serve(commands):
    # What the libraries report, a test provoked; it reads the errors in the answers.
    logging.disable(logging.CRITICAL)
    for line in sys.stdin:
        name, arguments = json.loads(line)
        try:
            answer = {"value": commands[name](**arguments)}
        except Exception as error:
            answer = {"error": f"{type(error).__name__}: {error}"}
        print(json.dumps(answer), flush=True)
