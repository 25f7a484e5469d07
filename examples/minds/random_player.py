"""The shortest mind: it does anything that the rules allow."""
import json, random, sys

for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "hello":
        answer = {"type": "hello", "protocol": 1, "name": "random"}
    else:
        pick = lambda what: random.choice(message["choices"][what] or [None])
        decision = {"message": "I was in Admin.", "desire_to_speak": random.randint(0, 10)}
        decision |= {"target": pick("targets"), "vote_action": pick("votes"), "action": pick("actions")}
        answer = {"type": "answer", "id": message["id"], "answer": decision}
    print(json.dumps(answer), flush=True)
