"""The story of agent-story.mjs, with the client of the official Python SDK.

    python agent-story.py URL

The client finds out by itself that it can speak revision 2026-07-28.
"""

import json
import sys

import anyio
from mcp.client import Client
from mcp.shared.exceptions import MCPError
from mcp_types import CreateMessageResult, ElicitResult, PromptReference, TextContent

# How long something may be kept is said in 2026-07-28 only, and is between the agent and orlojd.
OF_THE_REVISION = {"ttlMs", "cacheScope", "resultType", "_meta"}


def plain(model):
    """What came, and nothing that the SDK puts in by itself."""
    tree = model.model_dump(mode="json", by_alias=True, exclude_unset=True)
    return {name: value for name, value in tree.items() if name not in OF_THE_REVISION}


async def as_user(context, params):
    return ElicitResult(action="accept", content={"name": "Petr"})


async def as_model(context, params):
    return CreateMessageResult(role="assistant", model="none", content=TextContent(type="text", text="Pavel"))


async def refusal(answer):
    try:
        await answer
    except MCPError as e:
        return e.error.code
    return "none"


async def lists(client):
    return {
        "tools": sorted(plain(await client.list_tools())["tools"], key=lambda tool: tool["name"]),
        "prompts": plain(await client.list_prompts())["prompts"],
        "resources": plain(await client.list_resources())["resources"],
        "templates": plain(await client.list_resource_templates())["resourceTemplates"],
    }


async def calls(client):
    progress = []

    async def progressed(step, total, message):
        progress.append({"progress": step, "total": total, "message": message})

    async def call(name, arguments=None, **options):
        return plain(await client.call_tool(name, arguments or {}, **options))

    async def asked(name):
        try:
            return await call(name)
        except MCPError:
            return "refused"

    return {
        "echo": await call("echo", {"message": "Ahoj — 你好 \u0000"}),
        "everything": await call("everything"),
        "measure": await call("measure"),
        "fail": await call("fail"),
        "steps": await call("steps", progress_callback=progressed),
        "progress": progress,
        "unknown": await refusal(client.call_tool("nothing", {})),
        "asked": [await asked("ask_user"), await asked("ask_model")],
    }


async def reads(client):
    async def read(uri):
        return plain(await client.read_resource(uri))

    return {
        "prompt": plain(await client.get_prompt("greet", {"who": "Petr"})),
        "text": await read("story://texts/first"),
        "item": await read("story://items/7"),
        "missing": await refusal(client.read_resource("story://texts/none")) in (-32002, -32602),
        "completion": plain(
            await client.complete(PromptReference(type="ref/prompt", name="greet"), {"name": "who", "value": "P"})
        ),
    }


async def cancellation(client):
    """How many calls the server was asked to cancel, after one that was."""

    async def count():
        return int((await client.call_tool("given_up", {})).content[0].text)

    before = await count()
    with anyio.CancelScope() as waiting:

        async def give_up(step, total, message):
            waiting.cancel()

        await client.call_tool("wait", {}, progress_callback=give_up)
    with anyio.move_on_after(5):
        while await count() == before:
            await anyio.sleep(0.05)
    return await count() - before


async def changes(client):
    """The tools that there are whenever the agent is notified that they have changed."""
    after = []
    async with client.listen(tools_list_changed=True) as subscription:
        events = aiter(subscription)
        for tool in ("grow", "shrink"):
            await client.call_tool(tool, {})
            await anext(events)
            after.append(sorted(tool.name for tool in (await client.list_tools()).tools))
    return after


async def main(url):
    async with Client(url, elicitation_callback=as_user, sampling_callback=as_model) as client:
        with anyio.fail_after(60):
            story = {
                "server": plain(client.server_info),
                "instructions": client.instructions,
                **await lists(client),
                **await calls(client),
                **await reads(client),
                "cancelled": await cancellation(client),
                "changes": await changes(client),
            }
    print(json.dumps(story))


anyio.run(main, sys.argv[1])
