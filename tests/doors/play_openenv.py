"""Plays a whole game with legal choices. The arguments are the address and the fields of the reset."""
import json, random, sys

from openenv.core import GenericEnvClient

with GenericEnvClient(base_url=sys.argv[1]).sync() as env:
    result = env.reset(**json.loads(sys.argv[2]))
    steps = 0
    while not result.done:
        legal = result.observation["choices"]
        reply = {"message": "I was in Admin.", "desire_to_speak": random.randint(0, 10)}
        reply |= {"vote_action": random.choice(legal["votes"] or [None])}
        reply |= {"action": random.choice(legal["actions"] or [None])}
        result = env.step({"text": json.dumps(reply)})
        steps += 1
    print(json.dumps({"steps": steps, "reward": result.reward, "state": env.state()}))
