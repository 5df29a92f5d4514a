/** The page of `fractal-context compact --report`: a conversation before and after. */

import { byId, changeTheme, copy, counted, element, named, several, tokens, unpack, visible } from "./dom";

/** kind, title, text, stretches that stand in the new history, an answer that says it failed, characters left out */
type PartRow = [string, string, string, [number, number][], boolean, number];
/** whose, tokens, what became of it, numbers of the user's words in it, the exchange it belongs to, its first line */
type BeforeRow = [string, number, string, number[], number, string];
/** side, tokens, what it is, its first line */
type AfterRow = [string, number, string, string];
/** number, place of the message (-1: an earlier compaction had it), what became of it, how it begins */
type WordsRow = [number, number, string, string];

interface CompactionRecord {
  title: string;
  version: string;
  encoding: string;
  source: string;
  archive: string;
  tokens: [number, number];
  warnings: string[];
  before: BeforeRow[];
  after: AfterRow[];
  words: WordsRow[];
  /** path, status, level, tokens, reason or the definitions that stand in full */
  files: [string, string, string, number, string][];
  /** where it is from, what it is, why it is left out */
  images: [string, string, string][];
  /** heading, tokens */
  sections: [string, number][];
  texts: { [message: string]: string };
}

const FATES: { [name: string]: string } = {
  stays: "stays as it was",
  quoted: "the user's words, quoted in section 6",
  excerpt: "the user's words, by head and tail in section 6",
  "left out": "the user's words, left out of section 6 for room",
  "read again": "answers with files that are read again",
  "carried over": "an earlier summary, carried over",
  summarised: "the summary tells of it",
  dropped: "said nothing, or has no place in the format",
  summary: "the summary",
  restored: "files and images, read again",
  between: "a fixed line between two turns of one side",
};

const WORDS: { [name: string]: string } = {
  stays: "stands where it was",
  quoted: "byte for byte in section 6",
  excerpt: "head and tail in section 6",
  "left out": "not in the new history",
};

const record = JSON.parse(byId("record").textContent ?? "") as CompactionRecord;
let alone = "";

/** A class for what became of a message. */
function fate(name: string): string {
  return name.replaceAll(" ", "-");
}

function part([kind, title, text, kept, failed, more]: PartRow): HTMLElement {
  const box = element("div", { class: "part" });
  const head = { text: "", call: "calls", result: failed ? "answer, failed" : "answer", image: "image", opaque: "block of the provider" }[kind];
  if (head) box.append(element("div", { class: "told" }, `${head} `, named(title)));
  if (!text) return box;
  const shown = element("pre", { tabindex: "0" });
  let place = 0;
  for (const [from, to] of kept) {
    shown.append(visible(text.slice(place, from)), element("mark", { title: "stands in the new history word for word" }, visible(text.slice(from, to))));
    place = to;
  }
  shown.append(visible(text.slice(place)));
  box.append(shown);
  if (more) box.append(element("div", { class: "told" }, `and ${several(more, "character")} more`));
  return box;
}

/** One message as a line that opens. */
function message(key: string, place: number, side: string, cost: number, what: string, line: string, notes: (Node | string)[]): HTMLElement {
  const head = element(
    "summary",
    {},
    element("span", { class: `fate ${fate(what)}`, title: FATES[what] ?? what }),
    element("span", { class: "told" }, `${place} ${side}`),
    element("span", { class: "line" }, element("bdi", {}, visible(line))),
    element("span", { class: "told" }, `${what}, ${counted(cost)}`),
  );
  const details = element("details", {}, head);
  details.addEventListener("toggle", () => void fill(details, key, notes));
  return element("li", { id: key, "data-fate": what }, details);
}

async function fill(details: HTMLDetailsElement, key: string, notes: (Node | string)[]): Promise<void> {
  if (details.dataset.filled) return;
  details.dataset.filled = "yes";
  const kept = record.texts[key];
  const parts = kept === undefined ? [] : ((await unpack(kept)) as PartRow[]);
  if (notes.length) details.append(element("div", { class: "part told" }, ...notes));
  details.append(...parts.map(part));
  if (kept === undefined) details.append(element("div", { class: "part told" }, "The page holds as many texts as fit into its size, and not this one."));
}

function copier(command: string): HTMLElement {
  const button = element("button", { type: "button", class: "target", title: "copy this command" }, named(command));
  button.addEventListener("click", () => void copy(command));
  return button;
}

function recall(exchange: number): (Node | string)[] {
  if (!record.archive || !exchange) return [];
  return ["In the archive: ", copier(`fractal-context compact --restore ${record.archive} --recall ${exchange}`)];
}

function go(key: string): void {
  choose("");
  const details = byId(key).querySelector("details")!;
  details.open = true;
  details.scrollIntoView({ block: "center" });
  details.querySelector("summary")!.focus({ preventScroll: true });
}

/** Messages as a strip: as wide as their tokens, neighbours of one fate as one. */
function strip(box: HTMLElement, prefix: string, rows: [number, string][]): void {
  const runs: [number, number, number, string][] = [];
  rows.forEach(([cost, what], place) => {
    const last = runs[runs.length - 1];
    if (last && last[3] === what) [last[1], last[2]] = [place, last[2] + cost];
    else runs.push([place, place, cost, what]);
  });
  box.replaceChildren(
    ...runs.map(([from, to, cost, what]) => {
      const told = `${from === to ? `message ${from}` : `messages ${from} to ${to}`}: ${FATES[what]}, ${tokens(cost)}`;
      const piece = element("button", { type: "button", class: fate(what), title: told, "aria-label": told });
      piece.style.flexGrow = String(cost);
      piece.addEventListener("click", () => go(`${prefix}${from}`));
      return piece;
    }),
  );
}

/** Shows the messages of one fate alone; all for "". */
function choose(what: string): void {
  alone = what;
  for (const button of byId("fates").querySelectorAll("button")) button.setAttribute("aria-pressed", String(button.dataset.fate === what));
  for (const item of document.querySelectorAll<HTMLElement>("#before > li")) item.hidden = what !== "" && item.dataset.fate !== what;
}

function fates(): void {
  const sums = new Map<string, [number, number]>();
  for (const [, cost, what] of record.before) {
    const [number, sum] = sums.get(what) ?? [0, 0];
    sums.set(what, [number + 1, sum + cost]);
  }
  const items = Object.keys(FATES).flatMap((what) => {
    const sum = sums.get(what);
    if (!sum) return [];
    const button = element("button", { type: "button", "aria-pressed": "false", "data-fate": what }, element("i", { class: fate(what) }), ` ${FATES[what]}: ${several(sum[0], "message")}, ${tokens(sum[1])}`);
    button.addEventListener("click", () => choose(alone === what ? "" : what));
    return [element("li", {}, button)];
  });
  byId("fates").replaceChildren(...items);
}

function words(): void {
  byId("words-count").textContent = several(record.words.length, "message");
  const rows = record.words.map(([number, place, what, text]) => {
    const told = element("span", { class: "told" }, ` ${WORDS[what] ?? what}${place < 0 ? ", from an earlier compaction" : ""}`);
    const head = `${number}. `;
    if (place < 0) return element("li", {}, head, element("bdi", {}, visible(text)), told);
    const button = element("button", { type: "button", class: "path" }, element("bdi", {}, visible(text) || `message ${place}`));
    button.addEventListener("click", () => go(`b${place}`));
    return element("li", {}, element("i", { class: `dot ${fate(what)}` }), ` ${head}`, button, told);
  });
  byId("words").replaceChildren(...rows);
}

function restored(): void {
  byId("restored-count").textContent = `${several(record.files.length, "file")}, ${several(record.images.length, "image")}`;
  const files = record.files.map(([path, status, level, cost, note]) =>
    element("li", {}, named(path), " ", element("span", { class: "told" }, [status, level, cost ? tokens(cost) : "", visible(note)].filter(Boolean).join(", "))),
  );
  const images = record.images.map(([source, kind, left]) => element("li", {}, named(source), " ", element("span", { class: "told" }, left ? `${kind}, left out: ${visible(left)}` : kind)));
  byId("restored").replaceChildren(...files, ...images);
}

function archive(): void {
  const box = byId("archive");
  if (!record.archive) {
    box.replaceChildren("Nothing was put away: the original is in the session file alone.");
    return;
  }
  box.replaceChildren(
    element("p", {}, "The whole original, byte for byte: ", copier(`fractal-context compact --restore ${record.archive}`)),
    element("p", { class: "told" }, "A message that is opened below says how to get its exchange alone."),
  );
}

function start(): void {
  const [before, after] = record.tokens;
  document.title = `${visible(record.title)}: what a compaction kept`;
  byId("title").replaceChildren(named(record.title));
  byId("told").textContent = `${several(record.before.length, "message")} before, ${counted(record.after.length)} after (${record.encoding}); fractal-context ${record.version}`;
  byId("tokens-before").textContent = `${tokens(before)} before`;
  byId("tokens-after").textContent = `${tokens(after)} after`;
  byId("kept-told").textContent = `The new history has ${counted(Math.round((1000 * after) / before) / 10)} % of the tokens.`;
  strip(byId("strip-before"), "b", record.before.map(([, cost, what]) => [cost, what]));
  strip(byId("strip-after"), "a", record.after.map(([, cost, what]) => [cost, what]));
  byId("strip-after").style.width = `${Math.max(1, Math.min(100, (100 * after) / before))}%`;
  fates();
  words();
  restored();
  archive();
  byId("summary-told").textContent = `written by: ${record.source}`;
  byId("sections").replaceChildren(...record.sections.map(([heading, cost]) => element("li", {}, `${heading} `, element("span", { class: "told" }, tokens(cost)))));
  byId("warnings-box").hidden = !record.warnings.length;
  byId("warnings").replaceChildren(...record.warnings.map((one) => element("li", {}, visible(one))));
  byId("before").replaceChildren(...record.before.map(([side, cost, what, numbers, exchange, line], place) => {
    const told = numbers.length ? [`The user's ${numbers.length === 1 ? "message" : "messages"} ${numbers.join(", ")}. `] : [];
    return message(`b${place}`, place, side, cost, what, line, [...told, ...recall(exchange)]);
  }));
  byId("after").replaceChildren(...record.after.map(([side, cost, what, line], place) => message(`a${place}`, place, side, cost, what, line, [])));
  const missing = record.before.length + record.after.length - Object.keys(record.texts).length;
  byId("held").textContent = missing ? `${several(missing, "text")} of messages are left out for the size of the page.` : "";
  byId("theme").addEventListener("click", changeTheme);
  document.documentElement.dataset.drawn = String(Math.round(performance.now()));
}

start();
