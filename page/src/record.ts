/** What the page is given: the record that `server/report/record.py` writes, and what it stands for. */

import { unpack } from "./dom";

export const LEVELS = ["L0", "L1", "L2", "L3"] as const;
export const DROPPED = 3;

/** path, language, tokens at L0, L1 and L2 (-1: not offered), notes */
type FileRow = [string, string, number, number, number, string];
/** file, level, tokens in the context */
type ShownRow = [number, number, number];
/** file, target, kind, all of it is shown, asked for by name, weight, words, signals, callers */
type ChosenRow = [number, string, string, boolean, boolean, number, string[], [string, number][], string[]];

export interface PageRecord {
  title: string;
  version: string;
  encoding: string;
  asked: number;
  question: [string, string][];
  files: FileRow[];
  unread: [string, string, string][];
  /** where more than what was asked for can be asked: the budgets to choose from */
  stops?: number[];
  /** budget (0: no ceiling), tokens used, what is not as under the budget before it */
  budgets: [number, number, ShownRow[]][];
  chosen: ChosenRow[];
  moreChosen: number;
  texts: { [file: string]: string };
}

export interface SourceFile {
  path: string;
  language: string;
  tokens: [number, number, number];
  notes: string;
}

/** A budget and what it buys: for every file its level, and the tokens of its block. */
export interface Purchase {
  budget: number;
  used: number;
  levels: Uint8Array;
  costs: Uint32Array;
  counts: [number, number, number, number];
}

export interface Definition {
  line: number;
  target: string;
  name: string;
  kind: string;
}

export interface Lines {
  text: string[];
  numbers: number[];
}

export interface FileText {
  source: Lines;
  skeletons: { L1?: Lines; L2?: Lines };
  definitions: Definition[];
}

export function filesOf(record: PageRecord): SourceFile[] {
  return record.files.map(([path, language, full, plus, skeleton, notes]) => ({
    path,
    language,
    tokens: [full, plus, skeleton],
    notes,
  }));
}

export function purchasesOf(record: PageRecord): Purchase[] {
  const levels = new Uint8Array(record.files.length).fill(DROPPED);
  const costs = new Uint32Array(record.files.length);
  return record.budgets.map(([budget, used, moved]) => {
    for (const [file, level, cost] of moved) {
      levels[file] = level;
      costs[file] = cost;
    }
    const counts: [number, number, number, number] = [0, 0, 0, 0];
    for (const level of levels) counts[level as 0]++;
    return { budget, used, levels: levels.slice(), costs: costs.slice(), counts };
  });
}

/** What a file's text is kept as: source, then for L1 and L2 the text and its line numbers, then definitions. */
interface KeptText {
  s: string;
  p: [string, number[]] | null;
  k: [string, number[]] | null;
  d: [number, string, string, string][];
}

/** Where the texts of files come from. */
export interface Texts {
  /** The text of a file; null where there is none. */
  of(file: number): Promise<FileText | null>;
  /** All texts that can be had, each with its file. */
  all(): Promise<[number, FileText | null][]>;
}

/** The texts that the page itself holds. */
export class HeldTexts implements Texts {
  private readonly read = new Map<number, Promise<FileText | null>>();

  constructor(private readonly kept: PageRecord["texts"]) {}

  of(file: number): Promise<FileText | null> {
    let known = this.read.get(file);
    if (!known) {
      const kept = this.kept[file];
      known = kept === undefined ? Promise.resolve(null) : unpacked(kept);
      this.read.set(file, known);
    }
    return known;
  }

  all(): Promise<[number, FileText | null][]> {
    return Promise.all(Object.keys(this.kept).map(async (key) => [Number(key), await this.of(Number(key))]));
  }
}

export async function unpacked(kept: string): Promise<FileText> {
  const { s, p, k, d } = (await unpack(kept)) as KeptText;
  const source = lines(s);
  const skeletons: FileText["skeletons"] = {};
  if (p) skeletons.L1 = { text: lines(p[0]).text, numbers: p[1] };
  if (k) skeletons.L2 = { text: lines(k[0]).text, numbers: k[1] };
  const definitions = d.map(([line, target, name, kind]) => ({ line, target, name, kind }));
  return { source, skeletons, definitions };
}

function lines(text: string): Lines {
  const listed = text.split("\n");
  if (listed[listed.length - 1] === "") listed.pop();
  return { text: listed, numbers: listed.map((_, place) => place + 1) };
}
