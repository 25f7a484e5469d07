"""A mind that reasons from what it has seen: it reports, repairs, does its tasks, and names whom it saw."""
import json, sys

SHIP = {
    "crewmate": ["report", "fix", "task", "go", "wait"],
    "impostor": ["kill", "sabotage", "report", "fake", "go", "wait"],
}


def act(message):
    """The first action by its kind; a kill wants no witness but the victim."""
    ship, actions = message["ship"], message["choices"]["actions"]
    for kind in SHIP[message["you"]["role"]]:
        if kind == "kill" and len(ship["here"]) != 1:
            continue
        if kind in ("task", "go") and ship["going_on_with"]:
            return None  # goes on with what it is doing
        for action in actions:
            if action["type"] == kind:
                return action
    return None


def talk(message):
    """Names a culprit whom it saw, else follows two who did, else says where it was."""
    you, record, choices = message["you"], message["record"], message["choices"]
    own = [one["place"] for one in record["seen"] if one["who"] == you["colour"]]
    seen = [one for one in record["seen"] if one["did"] in ("kill", "vent")]
    guilty = [one for one in seen if one["who"] not in [you["colour"], *you["partners"]]]
    if not choices["votes"]:
        return {"message": "I have said what I know.", "desire_to_speak": 1}
    if guilty:
        who, place = guilty[0]["who"], guilty[0]["place"]
        return {"message": f"I saw {who} in {place}: it is {who}!", "desire_to_speak": 9, "vote_action": who}
    for who in choices["votes"]:
        accusers = {one["speaker"] for one in record["said"] if f"it is {who}!" in one["message"]}
        if len(accusers) > 1 and who not in you["partners"]:
            return {"message": f"I believe you, it is {who}!", "desire_to_speak": 5, "vote_action": who}
    is_late = len(record["said"]) > 2 * len(choices["targets"])
    alibi = f"I was in {own[0]}." if own else "I saw nothing."
    return {"message": alibi, "desire_to_speak": 2, "vote_action": "skip" if is_late else None}


for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "hello":
        answer = {"type": "hello", "protocol": 1, "name": "logical"}
    elif message["kind"] == "action":
        answer = {"type": "answer", "id": message["id"], "answer": {"action": act(message)}}
    elif message["kind"] in ("discussion", "voting"):
        answer = {"type": "answer", "id": message["id"], "answer": talk(message)}
    else:
        answer = {"type": "answer", "id": message["id"], "answer": {}}
    print(json.dumps(answer), flush=True)
