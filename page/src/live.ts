/** The page of `fractal-context view`: asks the program that serves it, and follows the folder. */

import { byId, copy, element, named, visible } from "./dom";
import { unpacked, type FileText, type PageRecord, type Texts } from "./record";
import { View } from "./view";

/** What is asked for; "" leaves the budget to the program. */
interface Question {
  budget: string;
  query: string;
  focus: string[];
}

/** One line of an answer. */
interface Line {
  progress?: [number, number, string];
  error?: string;
  record?: PageRecord;
  asked?: Question;
  version?: number;
  texts?: { [path: string]: string };
  text?: string;
}

class RefusedError extends Error {}

const KEY = "fractal-context key";
const ONCE = "!";
const SETTLING = 150;

/** The key of this view: it came behind the # of the address, which no server is sent, and is kept for a reload. */
async function takenKey(): Promise<string> {
  const given = location.hash.slice(1);
  if (given) {
    history.replaceState(null, "", location.pathname);
    sessionStorage.setItem(KEY, given.startsWith(ONCE) ? await exchanged(given.slice(ONCE.length)) : given);
  }
  return sessionStorage.getItem(KEY) ?? "";
}

/** The key for a code that can be used once. */
async function exchanged(code: string): Promise<string> {
  const answer = await fetch("/key", { method: "POST", body: code, cache: "no-store" });
  const text = await answer.text();
  if (!answer.ok) throw new RefusedError(text);
  return text;
}

/** The lines of an answer, as they come. */
async function* lines(what: string, question: object, key: string, signal?: AbortSignal): AsyncGenerator<Line> {
  const headers = { authorization: `Bearer ${key}`, "content-type": "application/json" };
  const answer = await fetch(`/${what}`, { method: "POST", headers, body: JSON.stringify(question), cache: "no-store", ...(signal ? { signal } : {}) });
  if (!answer.ok || !answer.body) throw new RefusedError(await answer.text());
  const reader = answer.body.pipeThrough(new TextDecoderStream()).getReader();
  let held = "";
  for (let { done, value } = await reader.read(); !done; { done, value } = await reader.read()) {
    const parts = (held + value!).split("\n");
    held = parts.pop()!;
    for (const part of parts) yield JSON.parse(part) as Line;
  }
}

class Live {
  private key = "";
  private readonly view = new View((budget) => this.later({ budget: budget ? String(budget) : "unlimited" }));
  private readonly query = byId("query") as HTMLTextAreaElement;
  private readonly focus = byId("focus") as HTMLInputElement;
  private readonly budget = byId("tokens") as HTMLInputElement;
  private readonly sought = byId("zoom") as HTMLInputElement;
  private readonly zoomed = byId("zoomed") as HTMLDialogElement;
  private question: Partial<Question> = {};
  private version = -1;
  private current = new AbortController();
  private timer = 0;
  private ended = false;
  private zoomText = "";

  begin(): void {
    byId("live").hidden = false;
    for (const field of [this.query, this.focus, this.budget]) {
      field.addEventListener("change", () => this.take());
      field.addEventListener("keydown", (event) => {
        if ((event as KeyboardEvent).key !== "Enter" || (event as KeyboardEvent).shiftKey) return;
        event.preventDefault();
        this.take();
      });
    }
    this.sought.addEventListener("keydown", (event) => event.key === "Enter" && void this.zoom());
    byId("zoom-go").addEventListener("click", () => void this.zoom());
    byId("zoom-close").addEventListener("click", () => this.zoomed.close());
    byId("zoom-copy").addEventListener("click", () => void copy(this.zoomText));
    void this.enter();
  }

  private async enter(): Promise<void> {
    try {
      this.key = await takenKey();
    } catch (error) {
      this.fail(error);
      return;
    }
    if (!this.key) {
      this.complain("Open this page by the address that `fractal-context view` printed, all of it: the key stands behind the #.");
      return;
    }
    await this.refresh();
    if (!this.ended) await this.watch();
  }

  /** Takes what the fields say, where it is something else. */
  private take(): void {
    const focus = this.focus.value.split(",").map((one) => one.trim()).filter(Boolean);
    const asked = { budget: this.budget.value.trim(), query: this.query.value.trim(), focus };
    if (JSON.stringify(asked) === JSON.stringify(this.question)) return;
    this.question = asked;
    void this.refresh();
  }

  /** Asks for something else in a moment, unless more comes before. */
  private later(part: Partial<Question>): void {
    Object.assign(this.question, part);
    if (part.budget !== undefined) this.budget.value = part.budget;
    clearTimeout(this.timer);
    this.timer = setTimeout(() => void this.refresh(), SETTLING);
  }

  private async refresh(): Promise<void> {
    clearTimeout(this.timer);
    this.current.abort();
    const mine = (this.current = new AbortController());
    try {
      for await (const line of lines("record", this.question, this.key, mine.signal)) {
        if (line.version !== undefined) this.version = line.version;
        if (line.progress) this.say(`${line.progress[2]}: ${line.progress[0]} of ${line.progress[1]}`);
        if (line.error !== undefined) this.complain(line.error);
        if (line.asked) this.fill(line.asked);
        if (line.record) {
          this.complain("");
          this.view.show(line.record, new AskedTexts(line.record, this.key));
        }
      }
      if (!this.ended) this.say("");
    } catch (error) {
      if (!mine.signal.aborted) this.fail(error);
    }
  }

  /** Puts what was asked into the fields that nobody writes in. */
  private fill(asked: Question): void {
    this.question = { ...asked };
    for (const [field, value] of [[this.budget, asked.budget], [this.query, asked.query], [this.focus, asked.focus.join(", ")]] as const) {
      if (document.activeElement !== field) field.value = value;
    }
  }

  /** Asks anew whenever the folder has changed, for as long as there is somebody to ask. */
  private async watch(): Promise<void> {
    try {
      for await (const { version } of lines("changes", {}, this.key)) {
        if (version !== undefined && version !== this.version) await this.refresh();
      }
      this.fail(new TypeError());
    } catch (error) {
      this.fail(error);
    }
  }

  private async zoom(): Promise<void> {
    const target = this.sought.value.trim();
    if (!target) return;
    try {
      for await (const { text, error } of lines("zoom", { target }, this.key)) {
        const told = text ?? error;
        if (told === undefined) continue;
        this.zoomText = told;
        byId("zoom-name").replaceChildren(named(target));
        byId("zoom-text").replaceChildren(...told.split("\n").map((line) => element("li", {}, element("code", {}, visible(line)))));
        if (!this.zoomed.open) this.zoomed.showModal();
      }
    } catch (error) {
      this.fail(error);
    }
  }

  private fail(error: unknown): void {
    if (error instanceof RefusedError) {
      this.ended = true;
      this.complain(error.message);
      return;
    }
    if (!(error instanceof TypeError)) throw error;
    this.ended = true;
    this.say("");
    this.complain("The program that serves this page has ended; what is shown is the last that it said.");
  }

  private say(text: string): void {
    byId("live-told").textContent = visible(text);
  }

  private complain(text: string): void {
    byId("live-problem").hidden = !text;
    byId("live-problem").textContent = visible(text);
  }
}

/** The texts that the program has; each is asked for when it is looked at. */
class AskedTexts implements Texts {
  private readonly read = new Map<number, Promise<FileText | null>>();
  private whole: Promise<[number, FileText | null][]> | null = null;

  constructor(
    private readonly record: PageRecord,
    private readonly key: string,
  ) {}

  of(file: number): Promise<FileText | null> {
    let known = this.read.get(file);
    if (!known) {
      const path = this.record.files[file]![0];
      known = this.ask(path).then((texts) => (texts[path] === undefined ? null : unpacked(texts[path])), () => null);
      this.read.set(file, known);
    }
    return known;
  }

  all(): Promise<[number, FileText | null][]> {
    this.whole ??= this.ask("").then((texts) => {
      const numbers = new Map(this.record.files.map(([path], number) => [path, number]));
      return Promise.all(
        Object.entries(texts).flatMap(([path, kept]) => {
          const number = numbers.get(path);
          return number === undefined ? [] : [unpacked(kept).then((text): [number, FileText] => [number, text])];
        }),
      );
    }, () => []);
    return this.whole;
  }

  private async ask(path: string): Promise<{ [path: string]: string }> {
    for await (const { texts } of lines("texts", { path }, this.key)) if (texts) return texts;
    return {};
  }
}

/** Makes this the page of a running program. */
export function follow(): void {
  new Live().begin();
}
