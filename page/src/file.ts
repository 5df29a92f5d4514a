/** One file: what it costs at each level, and its skeleton beside its source. */

import { byId, copy, counted, element, named, tokens, visible } from "./dom";
import { LEVELS, type Definition, type FileText, type Lines, type Purchase, type SourceFile, type Texts } from "./record";

const ROLE = ["all of it", "skeleton with docs", "signatures", "not shown"];

export class FilePanel {
  private readonly panel = byId("file") as HTMLDialogElement;
  private file = -1;
  private chosen: "L1" | "L2" = "L1";
  private files: SourceFile[] = [];
  private texts!: Texts;

  constructor() {
    byId("file-close").addEventListener("click", () => this.panel.close());
    byId("file-copy").addEventListener("click", () => void copy(this.files[this.file]!.path));
    for (const level of ["L1", "L2"] as const) {
      byId(`show-${level}`).addEventListener("click", () => {
        this.chosen = level;
        void this.fill();
      });
    }
  }

  /** Takes other files; one that is open stays so where it is among them. */
  hold(files: SourceFile[], texts: Texts, purchase: Purchase): void {
    const path = this.files[this.file]?.path;
    this.files = files;
    this.texts = texts;
    if (!this.panel.open) return;
    this.file = files.findIndex((file) => file.path === path);
    if (this.file < 0) {
      this.panel.close();
      return;
    }
    this.costs(purchase);
    void this.fill();
  }

  /** Opens a file, at a line of its source. */
  async open(file: number, purchase: Purchase, line = 0): Promise<void> {
    this.file = file;
    this.chosen = purchase.levels[file] === 2 ? "L2" : "L1";
    this.costs(purchase);
    if (!this.panel.open) this.panel.showModal();
    await this.fill();
    if (line) this.panel.querySelector(`#source [data-line="${line}"]`)?.scrollIntoView({ block: "center" });
  }

  private costs(purchase: Purchase): void {
    const { path, language, tokens: costs, notes } = this.files[this.file]!;
    const level = purchase.levels[this.file]!;
    byId("file-name").replaceChildren(named(path));
    byId("file-told").textContent = [language, notes, level < 3 ? `${LEVELS[level]}, ${tokens(purchase.costs[this.file]!)} in the context` : "left out under this budget"]
      .filter(Boolean)
      .join(" · ");
    const rows = costs.map((cost, at) => {
      const row = element("tr", {}, element("th", { scope: "row" }, `${LEVELS[at]} ${ROLE[at]}`), element("td", {}, cost < 0 ? "not offered" : counted(cost)));
      if (at === level) row.setAttribute("aria-current", "true");
      return row;
    });
    byId("file-costs").replaceChildren(...rows);
  }

  private async fill(): Promise<void> {
    const file = this.file;
    const { texts } = this;
    const text = await texts.of(file);
    if (file !== this.file || texts !== this.texts) return;
    byId("panes").hidden = text === null;
    byId("file-without").hidden = text !== null;
    if (!text) {
      const said = `zoom ${this.files[file]!.path}`;
      const button = element("button", { type: "button", class: "target" }, named(`fractal-context ${said}`));
      button.addEventListener("click", () => void copy(`fractal-context ${said}`));
      byId("file-without").replaceChildren("The page holds as many texts as fit into its size, and not this one. ", button, " prints it.");
      return;
    }
    for (const level of ["L1", "L2"] as const) byId(`show-${level}`).setAttribute("aria-pressed", String(level === this.chosen));
    const skeleton = (this.chosen === "L2" && text.skeletons.L2) || text.skeletons.L1;
    byId("skeleton-told").textContent = skeleton ? "" : "This level saves nothing here: its text is the source.";
    byId("skeleton").replaceChildren(...this.rows(skeleton ?? text.source, text, true));
    byId("source").replaceChildren(...this.rows(text.source, text, false));
  }

  private rows(lines: Lines, text: FileText, leads: boolean): HTMLElement[] {
    const defined = new Map<number, Definition[]>();
    for (const one of text.definitions) defined.set(one.line, [...(defined.get(one.line) ?? []), one]);
    return lines.text.map((line, at) => {
      const number = lines.numbers[at] ?? 0;
      const here = defined.get(number);
      if (here) defined.delete(number);
      const gutter = element("span", { class: "number", "aria-hidden": "true" }, number ? String(number) : "");
      const row = element("li", { "data-line": String(number) }, gutter, here ? this.target(line, here) : element("code", {}, visible(line)));
      if (leads && number) gutter.addEventListener("click", () => this.lead(number));
      return row;
    });
  }

  private target(line: string, here: Definition[]): HTMLElement {
    const first = here[0]!;
    const told = `${first.kind} ${visible(first.name)}: copy ${visible(first.target)}`;
    const button = element("button", { type: "button", class: "definition", title: told, "data-target": first.target }, element("code", {}, visible(line)));
    button.addEventListener("click", () => void copy(first.target));
    return button;
  }

  private lead(number: number): void {
    const row = byId("source").querySelector(`[data-line="${number}"]`);
    row?.scrollIntoView({ block: "center" });
    row?.classList.add("led");
    setTimeout(() => row?.classList.remove("led"), 1500);
  }
}
