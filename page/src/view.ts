/** A record on the screen: puts the parts together and moves them when the budget moves. */

import { byId, changeTheme, counted, element, named, several, tokens, visible } from "./dom";
import { FilePanel } from "./file";
import { fillChosen, fillLargest, fillLeftOut, fillTable, search } from "./lists";
import { TreeMap } from "./map";
import { filesOf, LEVELS, purchasesOf, type PageRecord, type Purchase, type SourceFile, type Texts } from "./record";

/** A budget as it is read: 0 stands for none. */
export function written(budget: number): string {
  return budget ? counted(budget) : "no ceiling";
}

export class View {
  private record!: PageRecord;
  private texts!: Texts;
  private files: SourceFile[] = [];
  private purchases: Purchase[] = [];
  private at = 0;
  private byContext = false;
  private searches = 0;
  private readonly slider = byId("budget") as HTMLInputElement;
  private readonly sought = byId("search") as HTMLInputElement;
  private readonly table = byId("all") as HTMLDetailsElement;
  private readonly panel = new FilePanel();
  private readonly map = new TreeMap((file) => this.open(file));
  private readonly open = (file: number, line = 0): void => void this.panel.open(file, this.purchase, line);

  /** @param buy asks for a budget that the record does not hold */
  constructor(private readonly buy: (budget: number) => void = () => undefined) {
    this.slider.addEventListener("input", () => this.move(Number(this.slider.value)));
    for (const [id, context] of [["area-full", false], ["area-context", true]] as const) {
      byId(id).addEventListener("click", () => {
        this.byContext = context;
        byId("area-full").setAttribute("aria-pressed", String(!context));
        byId("area-context").setAttribute("aria-pressed", String(context));
        this.draw();
      });
    }
    byId("map").addEventListener("entered", () => this.draw());
    this.sought.addEventListener("input", () => void this.find());
    this.table.addEventListener("toggle", () => this.table.open && fillTable(this.files, this.purchase, this.open));
    byId("theme").addEventListener("click", changeTheme);
    document.addEventListener("keydown", (event) => {
      if (event.key !== "/" || event.target instanceof HTMLInputElement || document.querySelector("dialog[open]")) return;
      this.sought.focus();
      event.preventDefault();
    });
    let wide = byId("map").clientWidth;
    addEventListener("resize", () => {
      if (byId("map").clientWidth === wide) return;
      wide = byId("map").clientWidth;
      this.draw();
    });
  }

  /** Shows a record, in the place of the one before; the folder, the file and the search that are open stay so. */
  show(record: PageRecord, texts: Texts): void {
    this.record = record;
    this.texts = texts;
    this.files = filesOf(record);
    this.purchases = purchasesOf(record);
    this.at = record.asked;
    const stops = this.stops();
    this.slider.max = String(stops.length - 1);
    this.slider.value = String(stops.indexOf(this.purchase.budget));
    this.head();
    this.map.hold(this.files);
    this.panel.hold(this.files, texts, this.purchase);
    this.follow();
    fillChosen(record, this.files, this.open);
    this.draw();
    document.documentElement.dataset.drawn = String(Math.round(performance.now()));
  }

  private get purchase(): Purchase {
    return this.purchases[this.at]!;
  }

  private stops(): number[] {
    return this.record.stops ?? this.purchases.map(({ budget }) => budget);
  }

  private move(stop: number): void {
    const budget = this.stops()[stop]!;
    const at = this.purchases.findIndex((purchase) => purchase.budget === budget);
    if (at < 0) {
      byId("budget-told").textContent = written(budget);
      this.slider.setAttribute("aria-valuetext", written(budget));
      this.buy(budget);
      return;
    }
    this.at = at;
    this.follow();
    if (this.byContext) this.draw();
    else this.map.paint(this.purchase);
  }

  private head(): void {
    const { record, files } = this;
    const budget = written(this.purchase.budget);
    document.title = `${visible(record.title)}: what ${budget} tokens buy`;
    byId("title").replaceChildren(named(record.title));
    byId("told").textContent = `${several(files.length, "file")}, ${tokens(files.reduce((sum, file) => sum + file.tokens[0], 0))} in all (${record.encoding}); fractal-context ${record.version}`;
    const question = record.stops ? [] : record.question; // where more can be asked the fields tell it
    byId("question").replaceChildren(...question.map(([name, value]) => element("div", {}, element("dt", {}, name), element("dd", {}, named(value)))));
    const held = Object.keys(record.texts).length;
    byId("held").textContent = !record.stops && held < files.length ? `The page holds the texts of ${counted(held)} of ${counted(files.length)} files; the others are left out for its size.` : "";
    byId("asked").textContent = `For a budget of ${budget}, as was asked.`;
  }

  private follow(): void {
    const { purchase, files, open } = this;
    const { budget, used, counts } = purchase;
    byId("budget-told").textContent = written(budget);
    byId("used-told").textContent = `${tokens(used)} used`;
    this.slider.setAttribute("aria-valuetext", `${written(budget)}: ${tokens(used)} used, ${LEVELS.map((level, number) => `${counts[number as 0]} files at ${level}`).join(", ")}`);
    LEVELS.forEach((level, number) => (byId(`count-${level}`).textContent = counted(counts[number as 0])));
    fillLargest(files, purchase, open);
    fillLeftOut(this.record, files, purchase, open);
    if (this.table.open) fillTable(files, purchase, open);
  }

  private draw(): void {
    this.map.draw(this.purchase, this.byContext);
    void this.find();
  }

  private async find(): Promise<void> {
    const number = ++this.searches;
    const found = await search(this.texts, this.files, this.sought.value, this.open, () => number === this.searches);
    if (number === this.searches) this.map.highlight(found);
  }
}
