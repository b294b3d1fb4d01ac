"""The story of login-story.mjs, with the client of the official Python SDK.

    python login-story.py URL CLIENT_ID TOOL
"""

import json
import sys
from urllib.parse import parse_qs, urlsplit

import anyio
import httpx2
from mcp.client import Client
from mcp.client.auth import OAuthClientProvider
from mcp.client.streamable_http import streamable_http_client
from mcp.shared.auth import AuthorizationCodeResult, OAuthClientInformationFull, OAuthClientMetadata

target, client_id, tool = sys.argv[1:]
REDIRECT = "http://127.0.0.1:9/callback"
story = {"refused": 0}


class Storage:
    def __init__(self):
        self.tokens = None
        self.client = OAuthClientInformationFull(
            client_id=client_id, redirect_uris=[REDIRECT], token_endpoint_auth_method="none"
        )

    async def get_tokens(self):
        return self.tokens

    async def set_tokens(self, tokens):
        self.tokens = tokens

    async def get_client_info(self):
        return self.client

    async def set_client_info(self, client):
        self.client = client


answer = {}


async def browse(url):
    asked = parse_qs(urlsplit(url).query)
    story["resource"] = asked["resource"][0]
    story["scope"] = asked["scope"][0]
    story["challenge"] = asked["code_challenge_method"][0]
    async with httpx2.AsyncClient() as browser:
        response = await browser.get(url, follow_redirects=False)
    answer.update(parse_qs(urlsplit(response.headers["location"]).query))


async def callback():
    return AuthorizationCodeResult(code=answer["code"][0], state=answer["state"][0])


async def count(response):
    if str(response.request.url) == target and response.status_code == 401:
        story["refused"] += 1


async def main():
    login = OAuthClientProvider(
        target,
        OAuthClientMetadata(client_name="story", redirect_uris=[REDIRECT], token_endpoint_auth_method="none"),
        Storage(),
        browse,
        callback,
    )
    async with httpx2.AsyncClient(auth=login, event_hooks={"response": [count]}) as http:
        async with Client(streamable_http_client(target, http_client=http)) as client:
            result = await client.call_tool(tool, {})
            story["result"] = result.content[0].text


def root(e):
    while isinstance(e, BaseExceptionGroup):
        e = e.exceptions[0]
    return e


try:
    anyio.run(main)
except BaseException as e:
    story["error"] = type(root(e)).__name__
print(json.dumps(story))
