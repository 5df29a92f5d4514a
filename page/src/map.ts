/** The map: folders and files as rectangles, laid out by d3-hierarchy, walked with the arrow keys. */

import { hierarchy, treemap, type HierarchyRectangularNode } from "d3-hierarchy";
import { byId, element, named, tokens, visible } from "./dom";
import { LEVELS, type Purchase, type SourceFile } from "./record";

interface Place {
  name: string;
  path: string;
  file: number;
  children?: Place[];
}

type Rectangle = HierarchyRectangularNode<Place>;

const TITLE = 18;
const LEAST_TITLED = 34;
const LEAST_LABELLED = 26;

export class TreeMap {
  private files: SourceFile[] = [];
  private root = tree([]);
  private readonly box = byId("map");
  private folder = this.root;
  private cells = new Map<number, HTMLElement>();
  private around = new Map<Place, Place>();

  constructor(private readonly open: (file: number) => void) {
    this.box.addEventListener("keydown", (event) => this.walk(event));
    this.box.addEventListener("focusin", (event) => this.rove(event.target as HTMLElement));
  }

  /** Takes other files; the folder that is looked at stays the same where there is one. */
  hold(files: SourceFile[]): void {
    const { path } = this.folder;
    this.files = files;
    this.root = tree(files);
    this.around = new Map();
    this.note(this.root);
    this.folder = [...this.around.keys()].find((place) => place.children && place.path === path) ?? this.root;
  }

  private note(place: Place): void {
    for (const child of place.children ?? []) {
      this.around.set(child, place);
      this.note(child);
    }
  }

  /** Lays the files of the folder out, by their tokens or by what they cost in the context. */
  draw(purchase: Purchase, byContext: boolean): void {
    const { clientWidth: width, clientHeight: height } = this.box;
    const size = (place: Place): number =>
      place.children ? 0 : byContext ? (purchase.costs[place.file] ?? 0) : Math.max(1, this.files[place.file]!.tokens[0]);
    const summed = hierarchy(this.folder, (place) => place.children).sum(size);
    summed.sort((one, other) => (other.value ?? 0) - (one.value ?? 0) || (one.data.path < other.data.path ? -1 : 1));
    const laid = treemap<Place>()
      .size([width, height])
      .paddingInner(1)
      .paddingTop((place) => (place.depth && isTitled(place) ? TITLE : 1))
      .round(true)(summed);
    this.cells = new Map();
    const drawn = laid.descendants().filter((place) => place.depth > 0 && (place.value ?? 0) > 0);
    const focused = this.box.contains(document.activeElement) ? document.activeElement!.getAttribute("data-path") : null;
    this.box.replaceChildren(...drawn.map((place) => this.cell(place)));
    if (!drawn.length) this.box.append(element("p", { class: "nothing" }, "No file is shown under this budget."));
    const before = focused === null ? undefined : [...this.box.querySelectorAll<HTMLElement>("button")].find((cell) => cell.dataset.path === focused);
    const first = before ?? this.box.querySelector<HTMLElement>("button");
    if (first) first.tabIndex = 0;
    before?.focus();
    this.paint(purchase);
    this.crumbs(purchase, byContext);
  }

  /** Gives every file the colour and the words of its level. */
  paint(purchase: Purchase): void {
    for (const [file, cell] of this.cells) {
      const level = purchase.levels[file]!;
      const { path, tokens: costs } = this.files[file]!;
      cell.className = `cell ${LEVELS[level]}`;
      const held = level < 3 ? `, ${tokens(purchase.costs[file]!)} in the context` : ", left out";
      const each = costs.map((cost, at) => (cost < 0 ? "" : `${LEVELS[at]} ${cost}`)).filter(Boolean).join(", ");
      const told = `${visible(path)}: ${LEVELS[level]}${held}. ${tokens(costs[0])} in all (${each}).`;
      cell.setAttribute("aria-label", told);
      cell.title = told;
      const mark = cell.querySelector(".mark");
      if (mark) mark.textContent = LEVELS[level]!;
    }
  }

  /** Shows which files were found; null for no search. */
  highlight(found: Set<number> | null): void {
    for (const [file, cell] of this.cells) cell.classList.toggle("dim", found !== null && !found.has(file));
  }

  private cell(place: Rectangle): HTMLElement {
    const wide = place.x1 - place.x0;
    const high = place.y1 - place.y0;
    const isFile = !place.data.children;
    const cell = element("button", { type: "button", tabindex: "-1", class: "folder" });
    cell.style.left = `${place.x0}px`;
    cell.style.top = `${place.y0}px`;
    cell.style.width = `${Math.max(1, wide)}px`;
    cell.style.height = `${Math.max(1, high)}px`;
    cell.dataset.path = place.data.path;
    if (isFile) {
      this.cells.set(place.data.file, cell);
      cell.dataset.file = String(place.data.file);
      if (wide > LEAST_LABELLED && high > 14) cell.append(named(place.data.name));
      if (wide > LEAST_LABELLED && high > 30) cell.append(element("span", { class: "mark", "aria-hidden": "true" }));
      cell.addEventListener("click", () => this.open(place.data.file));
    } else {
      const told = `${visible(place.data.path)}/: ${tokens(place.value ?? 0)}. Zoom in.`;
      cell.setAttribute("aria-label", told);
      cell.title = told;
      if (isTitled(place)) cell.append(named(`${place.data.name}/`));
      cell.addEventListener("click", () => this.enter(place.data));
    }
    return cell;
  }

  private enter(place: Place): void {
    this.folder = place;
    this.box.dispatchEvent(new CustomEvent("entered"));
    this.box.querySelector<HTMLElement>("button")?.focus();
  }

  private crumbs(purchase: Purchase, byContext: boolean): void {
    const line: Place[] = [];
    for (let place: Place | undefined = this.folder; place; place = this.around.get(place)) line.unshift(place);
    const made = line.map((place) => {
      const crumb = element("button", { type: "button" }, named(place === this.root ? place.name || "all" : place.name));
      if (place === this.folder) crumb.setAttribute("aria-current", "true");
      crumb.addEventListener("click", () => this.enter(place));
      return element("li", {}, crumb);
    });
    byId("crumbs").replaceChildren(...made);
    byId("area-told").textContent = byContext
      ? `Area: ${tokens(purchase.used)} of the context, frames included.`
      : "Area: tokens of each file in full.";
  }

  private rove(to: HTMLElement): void {
    for (const held of this.box.querySelectorAll<HTMLElement>('button[tabindex="0"]')) held.tabIndex = -1;
    to.tabIndex = 0;
  }

  private walk(event: KeyboardEvent): void {
    const here = document.activeElement as HTMLElement;
    const cells = [...this.box.querySelectorAll<HTMLElement>("button")];
    let next: HTMLElement | undefined;
    if (event.key === "Home") next = cells[0];
    else if (event.key === "End") next = cells[cells.length - 1];
    else if (event.key === "Escape" || event.key === "Backspace") {
      const around = this.around.get(this.folder);
      if (around) this.enter(around);
      event.preventDefault();
      return;
    } else if (event.key.startsWith("Arrow")) next = nearest(here, cells, event.key);
    if (next) {
      next.focus();
      event.preventDefault();
    }
  }
}

function isTitled(place: Rectangle): boolean {
  return place.data.children !== undefined && place.x1 - place.x0 > 2 * LEAST_TITLED && place.y1 - place.y0 > LEAST_TITLED;
}

/** The button whose middle is nearest in a direction; what lies aside counts twice. */
function nearest(here: HTMLElement, cells: HTMLElement[], key: string): HTMLElement | undefined {
  const middle = (cell: HTMLElement): [number, number] => [
    cell.offsetLeft + cell.offsetWidth / 2,
    cell.offsetTop + (cell.classList.contains("folder") ? TITLE / 2 : cell.offsetHeight / 2),
  ];
  const [x, y] = middle(here);
  let best: HTMLElement | undefined;
  let least = Infinity;
  for (const cell of cells) {
    const [otherX, otherY] = middle(cell);
    const [across, down] = [otherX - x, otherY - y];
    const ahead = { ArrowRight: across, ArrowLeft: -across, ArrowDown: down, ArrowUp: -down }[key];
    if (ahead === undefined || ahead <= 0) continue;
    const distance = ahead + 2 * Math.abs(key === "ArrowRight" || key === "ArrowLeft" ? down : across);
    if (distance < least) [best, least] = [cell, distance];
  }
  return best;
}

/** The files as a tree of folders; a folder that holds nothing but another shares its rectangle. */
function tree(files: SourceFile[]): Place {
  const root: Place = { name: "", path: "", file: -1, children: [] };
  const folders = new Map<string, Place>([["", root]]);
  const folder = (path: string): Place => {
    const known = folders.get(path);
    if (known) return known;
    const at = path.lastIndexOf("/");
    const made: Place = { name: path.slice(at + 1), path, file: -1, children: [] };
    folders.set(path, made);
    folder(at < 0 ? "" : path.slice(0, at)).children!.push(made);
    return made;
  };
  files.forEach(({ path }, file) => {
    const at = path.lastIndexOf("/");
    folder(at < 0 ? "" : path.slice(0, at)).children!.push({ name: path.slice(at + 1), path, file });
  });
  const joined = (place: Place): Place => {
    const only = place.children?.length === 1 ? place.children[0]! : undefined;
    if (only?.children) return joined({ ...only, name: place.name ? `${place.name}/${only.name}` : only.name });
    if (place.children) place.children = place.children.map(joined);
    return place;
  };
  return joined(root);
}
