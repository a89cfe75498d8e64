"""Pushes Records with retries: nothing but Python's standard library.

BASE_URL=http://127.0.0.1:8080 TOKEN=... python3 push_records.py <collection id> <how many>
"""

import http.client
import json
import os
import sys
import time
import urllib.error
import urllib.request
from collections import Counter
from concurrent.futures import ThreadPoolExecutor

BASE_URL, TOKEN = os.environ.get("BASE_URL"), os.environ.get("TOKEN")
# With a routine grant, RUN names the run that the calls belong to: by default that of the day (UTC).
RUN = os.environ.get("RUN", time.strftime("%Y-%m-%d", time.gmtime()))
if not BASE_URL or not TOKEN:
    raise SystemExit("Set BASE_URL and TOKEN, as README.md beside this file shows.")
ATTEMPTS = 60

repeated = Counter()


def call(operation, body):
    """Runs an operation and returns its result; repeats what may be repeated, and raises what `next` says of the rest."""
    request = urllib.request.Request(
        f"{BASE_URL}/api/v1/operations/{operation}",
        data=json.dumps(body).encode(),
        headers={
            "Authorization": f"Bearer {TOKEN}",
            "Content-Type": "application/json",
            "x-routine-invocation-id": RUN,
        },
    )
    for attempt in range(ATTEMPTS):
        wait = min(0.05 * 2**attempt, 1)
        try:
            with urllib.request.urlopen(request, timeout=15) as response:
                return json.load(response)["result"]
        except urllib.error.HTTPError as refusal:
            # The body of a 5xx may be the page of a proxy, and its Retry-After a date.
            if refusal.code < 500:
                error = json.load(refusal)["error"]
                raise SystemExit(f"{error['code']}: {error['message']} {error['next']}")
            repeated[str(refusal.code)] += 1
            after = refusal.headers.get("Retry-After", "")
            wait = int(after) if after.isdecimal() else wait
        except urllib.error.URLError as failure:
            repeated[type(failure.reason).__name__] += 1
        except (OSError, http.client.HTTPException, json.JSONDecodeError) as failure:
            # Whether the call was carried out is not known. With the same key the call is safe to repeat.
            repeated[type(failure).__name__] += 1
        time.sleep(wait)
    raise SystemExit(f"{operation}: no answer after {ATTEMPTS} attempts")


def push(collection, number):
    """Pushes one Record under a key that names it, so that it exists once however often this is repeated."""
    body = {"collection_id": collection, "payload": {"number": number}, "idempotency_key": f"row-{number}"}
    return call("record_store.push_record", body)["record"]["id"]


if __name__ == "__main__":
    collection, count = sys.argv[1], int(sys.argv[2])
    with ThreadPoolExecutor(8) as pool:
        for done, record in enumerate(pool.map(lambda number: push(collection, number), range(count)), 1):
            print(record)
            if done % 100 == 0:
                print(f"{done} pushed", file=sys.stderr, flush=True)
    print(f"repeated: {json.dumps(repeated)}", file=sys.stderr)
