"""A mind around an agent: a loop in which a language model calls tools until it decides.

It asks an endpoint that speaks the OpenAI protocol: AGENT_BASE_URL, AGENT_MODEL and, where it needs one, AGENT_KEY.
Your own framework goes where `decide` is.
"""
import json, os, sys, urllib.request

URL = os.environ.get("AGENT_BASE_URL", "http://localhost:11434/v1")
MODEL = os.environ.get("AGENT_MODEL", "gemma3")
MOST_STEPS = 4
NOTHING = {"action": None}  # says nothing at the table, and goes on with what it does on the ship
WHO = {"type": "object", "properties": {"who": {"type": "string"}}, "required": ["who"]}


def tool(name, about, schema):
    return {"type": "function", "function": {"name": name, "description": about, "parameters": schema}}


def ask(messages, tools):
    """One request to the model; its message."""
    headers = {"content-type": "application/json", "authorization": f"Bearer {os.environ.get('AGENT_KEY', 'none')}"}
    body = json.dumps({"model": MODEL, "messages": messages, "tools": tools}).encode()
    request = urllib.request.Request(f"{URL}/chat/completions", body, headers)
    with urllib.request.urlopen(request, timeout=50) as response:
        return json.load(response)["choices"][0]["message"]


def decide(message):
    """Lets the model look things up in what the player knows, until it calls `decide` or says what it does."""
    prompt, seen = message["prompt"], message["record"]["seen"]
    tools = [
        tool("decide", "Your decision, which ends your turn", prompt["schema"]),
        tool("where_was", "What you saw of a player", WHO),
    ]
    messages = [{"role": "system", "content": prompt["system"]}, {"role": "user", "content": prompt["user"]}]
    for _ in range(MOST_STEPS):
        said = ask(messages, tools)
        messages.append(said)
        if not said.get("tool_calls"):
            return said["content"] or NOTHING  # a text with JSON in it is read as a model's would be
        for call in said["tool_calls"]:
            given = json.loads(call["function"]["arguments"] or "{}")
            if call["function"]["name"] != "where_was":
                return given
            found = [one for one in seen if one["who"] == given.get("who")]
            messages.append({"role": "tool", "tool_call_id": call["id"], "content": json.dumps(found)})
    return NOTHING


for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "hello":
        print(json.dumps({"type": "hello", "protocol": 1, "name": f"agent on {MODEL}"}), flush=True)
        continue
    try:
        decision = decide(message)
    except OSError as error:
        print(f"the endpoint failed: {error}", file=sys.stderr)
        decision = NOTHING
    print(json.dumps({"type": "answer", "id": message["id"], "answer": decision}), flush=True)
