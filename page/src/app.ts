/** The same page inside an MCP client: the view of a `get_context` call, by the extension MCP Apps (2026-01-26).

The host is spoken to in JSON-RPC through `postMessage`. The extension's own SDK would add 650 KB to the page for the five
messages that are needed. */

import { byId, visible } from "./dom";
import { HeldTexts, type PageRecord } from "./record";
import { View } from "./view";

const PROTOCOL = "2026-01-26";
const RECORD = "ui://fractal-context/record?";

interface Message {
  jsonrpc: "2.0";
  id?: number | string;
  method?: string;
  params?: { [name: string]: unknown };
  result?: unknown;
  error?: { message: string };
}

class Host {
  private readonly waiting = new Map<number | string, (answer: Message) => void>();
  private asked = 0;

  constructor(private readonly hear: (method: string, params: { [name: string]: unknown }) => void) {
    addEventListener("message", (event) => {
      const message = event.data as Message | null;
      if (event.source !== parent || message?.jsonrpc !== "2.0") return;
      if (message.method === undefined) {
        this.waiting.get(message.id!)?.(message);
        this.waiting.delete(message.id!);
      } else if (message.id === undefined) this.hear(message.method, message.params ?? {});
      else this.post({ jsonrpc: "2.0", id: message.id, ...answerTo(message.method) });
    });
  }

  tell(method: string, params: { [name: string]: unknown } = {}): void {
    this.post({ jsonrpc: "2.0", method, params });
  }

  ask(method: string, params: { [name: string]: unknown }): Promise<unknown> {
    const id = ++this.asked;
    return new Promise((done, failed) => {
      this.waiting.set(id, ({ result, error }) => (error ? failed(new Error(error.message)) : done(result)));
      this.post({ jsonrpc: "2.0", id, method, params });
    });
  }

  private post(message: object): void {
    parent.postMessage(message, "*"); // an opaque origin has no name; nothing but what the host gave is said to it
  }
}

function answerTo(method: string): object {
  const known = method === "ping" || method === "ui/resource-teardown";
  return known ? { result: {} } : { error: { code: -32601, message: `This view does not know ${method}.` } };
}

let view: View | undefined;
let calls = 0;

function complain(text: string): void {
  byId("live-problem").hidden = !text;
  byId("live-problem").textContent = visible(text);
}

function dress(context: unknown): void {
  const { theme } = (context ?? {}) as { theme?: string };
  if (theme === "light" || theme === "dark") document.documentElement.dataset.theme = theme;
}

async function show(asked: unknown): Promise<void> {
  const call = ++calls;
  try {
    const uri = RECORD + encodeURIComponent(JSON.stringify(asked ?? {}));
    const { contents } = (await host.ask("resources/read", { uri })) as { contents: { text: string }[] };
    if (call !== calls) return;
    const record = JSON.parse(contents[0]!.text) as PageRecord;
    complain("");
    view ??= new View();
    view.show(record, new HeldTexts(record.texts));
  } catch (error) {
    if (call === calls) complain(error instanceof Error ? error.message : String(error));
  }
}

const host = new Host((method, params) => {
  if (method === "ui/notifications/tool-input") void show(params.arguments);
  else if (method === "ui/notifications/host-context-changed") dress(params);
});

async function start(): Promise<void> {
  document.documentElement.dataset.host = "mcp";
  byId("live").hidden = false;
  for (const field of byId("live").querySelectorAll<HTMLElement>(":scope > :not(.problem)")) field.hidden = true;
  const appInfo = { name: "fractal-context", version: "1" };
  const begun = (await host.ask("ui/initialize", { appInfo, appCapabilities: {}, protocolVersion: PROTOCOL })) as { hostContext?: unknown };
  dress(begun.hostContext);
  host.tell("ui/notifications/initialized");
  new ResizeObserver(() => {
    const { scrollWidth: width, scrollHeight: height } = document.body;
    host.tell("ui/notifications/size-changed", { width, height });
  }).observe(document.body);
}

void start();
