"""What Python's email and mailbox make of mail, for extract/internal/mail/oracle_test.go.

oracle.py email       each line of the input is a message in base64, and each line of the
                      output its tree: {"type", "headers", "body", "parts"}, bytes in base64
oracle.py mbox FILE.. each line of the output is the number of messages in a mailbox
"""

import base64
import email
import json
import mailbox
import sys


def spelled(text):
    """The bytes of a header's value, which email keeps as text with surrogates."""
    return text.encode("utf-8", "surrogateescape").decode("latin-1")


def tree(message):
    headers = [[name, spelled(value)] for name, value in message.raw_items()]
    node = {"type": message.get_content_type(), "headers": headers, "parts": [], "body": ""}
    if message.is_multipart():
        node["parts"] = [tree(part) for part in message.get_payload()]
    else:
        node["body"] = base64.b64encode(message.get_payload(decode=True)).decode("ascii")
    return node


if sys.argv[1] == "email":
    for line in sys.stdin:
        print(json.dumps(tree(email.message_from_bytes(base64.b64decode(line)))))
else:
    for name in sys.argv[2:]:
        print(len(mailbox.mbox(name, create=False)))
