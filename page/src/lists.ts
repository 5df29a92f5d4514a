/** The lists: the largest files, those that are left out, what a query chose, all files as a table, and what a search finds. */

import { byId, copy, counted, element, named, several, tokens } from "./dom";
import { DROPPED, LEVELS, type Definition, type PageRecord, type Purchase, type SourceFile, type Texts } from "./record";

type Opening = (file: number, line?: number) => void;

const MOST_LISTED = 12;
const MOST_FOUND = 60;

const SIGNALS: { [name: string]: string } = {
  match: "words in its text",
  place: "among the best of all",
  subject: "words of the first line",
  name: "words in its name",
  container: "words in the name around it",
  path: "words in the path",
  file_place: "its file is among the best",
  file_best: "a strong match in its file",
  file_crowd: "many matches in its file",
  mentioned: "its file is named",
  graph: "linked with what matches",
  history: "commits with these words",
  history_place: "commits with these words",
  recent: "changed lately",
  graph_inside: "the most linked of its file",
  match_inside: "the best text of its file",
  name_inside: "the best name of its file",
};

function opener(file: SourceFile, number: number, open: Opening, told: string, line = 0): HTMLElement {
  const button = element("button", { type: "button", class: "path" }, named(file.path));
  button.addEventListener("click", () => open(number, line));
  return element("li", {}, button, " ", element("span", { class: "told" }, told));
}

export function fillLargest(files: SourceFile[], purchase: Purchase, open: Opening): void {
  const order = files.map((_, number) => number).sort((one, other) => files[other]!.tokens[0] - files[one]!.tokens[0]);
  const rows = order.slice(0, MOST_LISTED).map((number) => {
    const level = purchase.levels[number]!;
    return opener(files[number]!, number, open, `${tokens(files[number]!.tokens[0])}, ${LEVELS[level]}`);
  });
  byId("largest").replaceChildren(...rows);
}

export function fillLeftOut(record: PageRecord, files: SourceFile[], purchase: Purchase, open: Opening): void {
  const left: number[] = [];
  purchase.levels.forEach((level, number) => level === DROPPED && left.push(number));
  left.sort((one, other) => files[other]!.tokens[0] - files[one]!.tokens[0]);
  byId("left-count").textContent = `${counted(left.length)} over the budget, ${counted(record.unread.length)} not read`;
  const rows = left.slice(0, MOST_LISTED).map((number) => opener(files[number]!, number, open, tokens(files[number]!.tokens[0])));
  if (left.length > MOST_LISTED) rows.push(element("li", { class: "told" }, `and ${counted(left.length - MOST_LISTED)} more: all are in the table below`));
  const unread = record.unread.map(([path, kind, detail]) => element("li", {}, named(path), " ", element("span", { class: "told" }, detail ? `${kind}: ` : kind, ...(detail ? [named(detail)] : []))));
  byId("left-out").replaceChildren(...rows, ...unread);
}

export function fillChosen(record: PageRecord, files: SourceFile[], open: Opening): void {
  byId("why").hidden = !record.chosen.length;
  const most = record.chosen[0]?.[5] || 1;
  const rows = record.chosen.map(([file, target, kind, full, asked, weight, words, signals, callers]) => {
    const copier = element("button", { type: "button", class: "target", title: "copy this target" }, named(target));
    copier.addEventListener("click", () => void copy(target));
    const shown = element("button", { type: "button" }, "open");
    shown.setAttribute("aria-label", `open ${files[file]!.path}`);
    shown.addEventListener("click", () => open(file));
    const spoke = signals.filter(([name, value]) => value > 0.05 && SIGNALS[name]).slice(0, 4);
    const told = [
      `${kind}, ${full ? "all of it" : "its signature"}`,
      ...(asked ? ["asked for"] : []),
      `${counted(Math.round((1000 * weight) / most) / 10)} % of the best`,
      ...(spoke.length ? [[...new Set(spoke.map(([name]) => SIGNALS[name]))].join(", ")] : []),
    ].join(" · ");
    const row = element("li", {}, copier, " ", shown, element("div", { class: "told" }, told));
    if (words.length) row.append(element("div", {}, "words: ", ...words.map((word) => element("mark", {}, named(word)))));
    if (callers.length) row.append(element("div", { class: "told" }, "spoken of by ", ...callers.flatMap((caller, at) => [at ? ", " : "", named(caller)])));
    return row;
  });
  if (record.moreChosen) rows.push(element("li", { class: "told" }, `and ${counted(record.moreChosen)} more that the query speaks for less`));
  byId("chosen").replaceChildren(...rows);
}

export function fillTable(files: SourceFile[], purchase: Purchase, open: Opening): void {
  const order = files.map((_, number) => number);
  order.sort((one, other) => (files[one]!.path < files[other]!.path ? -1 : 1));
  const rows = order.map((number) => {
    const { path, tokens: costs } = files[number]!;
    const level = purchase.levels[number]!;
    const button = element("button", { type: "button", class: "path" }, named(path));
    button.addEventListener("click", () => open(number));
    const cells = [LEVELS[level]!, level < 3 ? counted(purchase.costs[number]!) : "-", ...costs.map((cost) => (cost < 0 ? "-" : counted(cost)))];
    return element("tr", {}, element("th", { scope: "row" }, button), ...cells.map((cell) => element("td", {}, cell)));
  });
  byId("table").replaceChildren(...rows);
}

/** Finds files by their paths and definitions by their names; returns the files, or null where nothing is looked for. */
export async function search(texts: Texts, files: SourceFile[], wanted: string, open: Opening, isNewest: () => boolean): Promise<Set<number> | null> {
  const list = byId("found");
  const words = wanted.toLowerCase().split(/\s+/).filter(Boolean);
  byId("found-box").hidden = !words.length;
  if (!words.length) {
    list.replaceChildren();
    return null;
  }
  const holds = (text: string): boolean => words.every((word) => text.toLowerCase().includes(word));
  const found = new Set<number>();
  files.forEach((file, number) => holds(file.path) && found.add(number));
  const paths = [...found];
  const rows = paths.slice(0, MOST_FOUND).map((number) => opener(files[number]!, number, open, tokens(files[number]!.tokens[0])));
  list.replaceChildren(...rows);
  if (wanted.trim().length < 2) {
    byId("found-count").textContent = countOf(paths.length, 0, rows.length);
    return found;
  }
  byId("found-count").textContent = `${several(paths.length, "file")}, and definitions are looked for`;
  const read = await texts.all();
  if (!isNewest()) return found;
  let definitions = 0;
  for (const [number, text] of read) {
    for (const one of text?.definitions ?? []) {
      if (!holds(one.name)) continue;
      definitions++;
      found.add(number);
      if (rows.length < MOST_FOUND) rows.push(definition(number, one, open));
    }
  }
  byId("found-count").textContent = countOf(paths.length, definitions, rows.length);
  list.replaceChildren(...rows);
  return found;
}

function countOf(paths: number, definitions: number, listed: number): string {
  return `${several(paths, "file")}, ${several(definitions, "definition")}${paths + definitions > listed ? `; the first ${listed}` : ""}`;
}

function definition(file: number, one: Definition, open: Opening): HTMLElement {
  const copier = element("button", { type: "button", class: "target", title: "copy this target" }, named(one.target));
  copier.addEventListener("click", () => void copy(one.target));
  const shown = element("button", { type: "button" }, "open");
  shown.addEventListener("click", () => open(file, one.line));
  return element("li", {}, copier, " ", shown, " ", element("span", { class: "told" }, one.kind));
}
