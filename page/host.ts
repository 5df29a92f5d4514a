/** A host of MCP Apps for the tests: the extension's own bridge, over a client that speaks to a real server. */

import { AppBridge, PostMessageTransport } from "@modelcontextprotocol/ext-apps/app-bridge";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";

const MIME = "text/html;profile=mcp-app";

/** Calls `get_context`, and shows the view that its definition names. */
async function show(address: string, args: { [name: string]: unknown }): Promise<string> {
  const client = new Client({ name: "host", version: "1" }, { capabilities: { extensions: { "io.modelcontextprotocol/ui": { mimeTypes: [MIME] } } } });
  await client.connect(new StreamableHTTPClientTransport(new URL(address)));
  const { tools } = await client.listTools();
  const ui = tools.find(({ name }) => name === "get_context")!._meta!["ui"] as { resourceUri: string };
  const { contents } = await client.readResource({ uri: ui.resourceUri });
  const page = contents[0] as { mimeType: string; text: string };
  if (page.mimeType !== MIME) throw new Error(page.mimeType);
  const bridge = new AppBridge(client, { name: "host", version: "1" }, { serverTools: {}, serverResources: {} }, { hostContext: { theme: "dark" } });
  const frame = document.createElement("iframe");
  frame.setAttribute("sandbox", "allow-scripts");
  frame.srcdoc = page.text;
  frame.style.width = "1000px";
  bridge.onsizechange = ({ height }) => {
    if (height) frame.style.height = `${height}px`;
  };
  document.body.append(frame);
  const begun = new Promise<void>((done) => (bridge.oninitialized = () => done()));
  await bridge.connect(new PostMessageTransport(frame.contentWindow!, frame.contentWindow!));
  await begun;
  await bridge.sendToolInput({ arguments: args });
  const result = await client.callTool({ name: "get_context", arguments: args });
  await bridge.sendToolResult(result as never);
  return (result.content[0] as { text: string }).text;
}

Object.assign(window, { show });
