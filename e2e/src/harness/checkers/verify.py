"""Verifies requests by the specification of Standard Webhooks 1.0: a line of JSON each, with secret, headers and body."""
import base64, hashlib, hmac, json, sys

verified = 0
for line in sys.stdin:
    request = json.loads(line)
    headers, body = request["headers"], request["body"].encode()
    signed = f'{headers["webhook-id"]}.{headers["webhook-timestamp"]}.'.encode() + body
    key = base64.b64decode(request["secret"].removeprefix("whsec_"))
    expected = "v1," + base64.b64encode(hmac.new(key, signed, hashlib.sha256).digest()).decode()
    if not any(hmac.compare_digest(expected, given) for given in headers["webhook-signature"].split(" ")):
        sys.exit(f'{headers["webhook-id"]} has no signature by the secret')
    verified += 1
print(verified)
