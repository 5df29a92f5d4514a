/** The page of `fractal-context pack --report`: puts the parts together and moves them when the budget moves. */

import { byId, counted, element, named, say, tokens, visible } from "./dom";
import { FilePanel } from "./file";
import { fillChosen, fillLargest, fillLeftOut, fillTable, search } from "./lists";
import { TreeMap } from "./map";
import { filesOf, LEVELS, purchasesOf, type PageRecord } from "./record";

const record = JSON.parse(byId("record").textContent ?? "") as PageRecord;
const files = filesOf(record);
const purchases = purchasesOf(record);
const slider = byId("budget") as HTMLInputElement;
const sought = byId("search") as HTMLInputElement;
const table = byId("all") as HTMLDetailsElement;

let at = record.asked;
let byContext = false;
let searches = 0;

const panel = new FilePanel(record, files);
const open = (file: number, line = 0): void => void panel.open(file, purchases[at]!, line);
const map = new TreeMap(files, open);

function written(budget: number): string {
  return budget ? counted(budget) : "no ceiling";
}

function follow(): void {
  const purchase = purchases[at]!;
  const { budget, used, counts } = purchase;
  byId("budget-told").textContent = written(budget);
  byId("used-told").textContent = `${tokens(used)} used`;
  slider.setAttribute("aria-valuetext", `${written(budget)}: ${tokens(used)} used, ${LEVELS.map((level, number) => `${counts[number as 0]} files at ${level}`).join(", ")}`);
  LEVELS.forEach((level, number) => (byId(`count-${level}`).textContent = counted(counts[number as 0])));
  fillLargest(files, purchase, open);
  fillLeftOut(record, files, purchase, open);
  if (table.open) fillTable(files, purchase, open);
}

function draw(): void {
  map.draw(purchases[at]!, byContext);
  void find();
}

async function find(): Promise<void> {
  const number = ++searches;
  const found = await search(record, files, sought.value, open, () => number === searches);
  if (number === searches) map.highlight(found);
}

function start(): void {
  document.title = `${visible(record.title)}: what ${written(purchases[at]!.budget)} tokens buy`;
  byId("title").replaceChildren(named(record.title));
  byId("told").textContent = `${counted(files.length)} files, ${tokens(files.reduce((sum, file) => sum + file.tokens[0], 0))} in all (${record.encoding}); fractal-context ${record.version}`;
  byId("question").replaceChildren(...record.question.map(([name, value]) => element("div", {}, element("dt", {}, name), element("dd", {}, named(value)))));
  const held = Object.keys(record.texts).length;
  byId("held").textContent = held < files.length ? `The page holds the texts of ${counted(held)} of ${counted(files.length)} files; the others are left out for its size.` : "";
  byId("asked").textContent = `For a budget of ${written(purchases[record.asked]!.budget)}, as was asked.`;
  slider.max = String(purchases.length - 1);
  slider.value = String(at);
  slider.addEventListener("input", () => {
    at = Number(slider.value);
    follow();
    if (byContext) draw();
    else map.paint(purchases[at]!);
  });
  for (const [id, context] of [["area-full", false], ["area-context", true]] as const) {
    byId(id).addEventListener("click", () => {
      byContext = context;
      byId("area-full").setAttribute("aria-pressed", String(!context));
      byId("area-context").setAttribute("aria-pressed", String(context));
      draw();
    });
  }
  byId("map").addEventListener("entered", draw);
  sought.addEventListener("input", () => void find());
  table.addEventListener("toggle", () => table.open && fillTable(files, purchases[at]!, open));
  byId("theme").addEventListener("click", () => {
    const root = document.documentElement;
    const dark = root.dataset.theme ? root.dataset.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
    root.dataset.theme = dark ? "light" : "dark";
    say(dark ? "Light" : "Dark");
  });
  document.addEventListener("keydown", (event) => {
    if (event.key !== "/" || event.target instanceof HTMLInputElement || document.querySelector("dialog[open]")) return;
    sought.focus();
    event.preventDefault();
  });
  let wide = byId("map").clientWidth;
  addEventListener("resize", () => {
    if (byId("map").clientWidth === wide) return;
    wide = byId("map").clientWidth;
    draw();
  });
  follow();
  fillChosen(record, files, open);
  draw();
  document.documentElement.dataset.drawn = String(Math.round(performance.now()));
}

start();
