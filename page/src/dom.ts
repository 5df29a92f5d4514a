/** Elements, and text of strangers inside them. */

type Child = Node | string;

export function element<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  attributes: { [name: string]: string } = {},
  ...children: Child[]
): HTMLElementTagNameMap[Name] {
  const made = document.createElement(name);
  for (const [attribute, value] of Object.entries(attributes)) made.setAttribute(attribute, value);
  made.append(...children);
  return made;
}

export function byId(id: string): HTMLElement {
  const found = document.getElementById(id);
  if (!found) throw new Error(`The page has no element ${id}.`);
  return found;
}

const UNSEEN = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff\ud800-\udfff]/gu;

/** A text with what nobody sees, or what turns the order of the rest around, written out. */
export function visible(text: string): string {
  return text.replace(UNSEEN, (one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, "0")}`);
}

/** The name of something, apart from the direction of the text around it. */
export function named(text: string): HTMLElement {
  return element("bdi", { dir: "ltr" }, visible(text));
}

const numbers = new Intl.NumberFormat("en");

export function counted(number: number): string {
  return numbers.format(number);
}

export function several(number: number, thing: string): string {
  return `${counted(number)} ${thing}${number === 1 ? "" : "s"}`;
}

export function tokens(number: number): string {
  return several(number, "token");
}

/** Says something to who listens, and for a moment to who looks. */
export function say(text: string): void {
  const said = document.querySelector("dialog[open] .said") ?? document.querySelector("body > .said")!;
  said.textContent = text;
  said.classList.add("fresh");
  setTimeout(() => said.textContent === text && said.classList.remove("fresh"), 2500);
}

export async function copy(text: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
    say(`Copied: ${visible(text)}`);
  } catch {
    const held = element("textarea", { readonly: "", class: "unseen", "aria-hidden": "true" });
    const before = document.activeElement;
    held.value = text;
    (document.querySelector("dialog[open]") ?? document.body).append(held);
    held.select();
    const done = document.execCommand("copy");
    held.remove();
    if (before instanceof HTMLElement) before.focus();
    say(done ? `Copied: ${visible(text)}` : `Could not copy ${visible(text)}`);
  }
}

/** Goes from light to dark, or back. */
export function changeTheme(): void {
  const root = document.documentElement;
  const dark = root.dataset.theme ? root.dataset.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
  root.dataset.theme = dark ? "light" : "dark";
  say(dark ? "Light" : "Dark");
}

/** What was compressed and written in Base64. */
export async function unpack(kept: string): Promise<unknown> {
  const bytes = Uint8Array.from(atob(kept), (character) => character.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"));
  return (await new Response(stream).json()) as unknown;
}
