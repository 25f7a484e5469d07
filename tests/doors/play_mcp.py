"""Sits down at a table through MCP, and plays a whole game with legal choices. The arguments start the server."""
import asyncio, json, random, sys

from mcp import ClientSession, StdioServerParameters
from mcp.client.stdio import stdio_client


async def main():
    server = StdioServerParameters(command=sys.argv[1], args=sys.argv[2:])
    async with stdio_client(server) as streams, ClientSession(*streams) as session:
        await session.initialize()

        async def call(name, **arguments):
            result = await session.call_tool(name, arguments)
            text = result.content[0].text
            return json.loads(text) if text.startswith("{") else text

        seat = await call("join")
        key = {"game": seat["game"], "token": seat["token"]}
        taken = await call("join", seat=seat["seat"])
        wrong = await call("look", game="g1", token="wrong")
        turns = 0
        while (look := await call("wait", **key))["state"] != "over":
            if look["asked"] is None:
                continue
            legal = look["asked"]["choices"]
            reply = {"message": "I was in Admin.", "desire_to_speak": random.randint(0, 10)}
            reply |= {"vote_action": random.choice(legal["votes"] or [None])}
            reply |= {"action": random.choice(legal["actions"] or [None])}
            await call("act", **key, reply=reply)
            turns += 1
        print(json.dumps({"turns": turns, "look": look, "taken": taken, "wrong": wrong}))
        if sys.stdin.isatty():
            input("The game is over. Enter ends its page. ")


asyncio.run(main())
