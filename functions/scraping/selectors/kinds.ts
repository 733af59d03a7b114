import type { Locator, Page } from "playwright-core";
import type { Scope } from "./frame-path.ts";

type Role = Parameters<Page["getByRole"]>[0];

/** What an element has to be, to be acted on by a step: its roles, and what it is in HTML. */
export interface Kind {
  roles: readonly Role[];
  css: string;
  /** Whether any text that a person sees may name it. */
  byText: boolean;
  noun: string;
  /** The first hidden `select` among candidates for which the page shows another one. */
  standIn?: (candidates: Locator) => Promise<Locator | undefined>;
  /** Looks for an element whose name nothing else tells. */
  further?: (scope: Scope, name: string, page: Page) => Promise<Locator | undefined>;
}

export const clickable: Kind = {
  roles: [
    "button",
    "link",
    "checkbox",
    "radio",
    "tab",
    "menuitem",
    "option",
    "switch",
    "treeitem",
    "combobox",
  ],
  css: "a,button,input,select,summary,label,[role],[onclick],[tabindex]",
  byText: true,
  noun: "element to click",
};
export const hoverable: Kind = { ...clickable, noun: "element to hover over" };
export const writable: Kind = {
  roles: ["textbox", "searchbox", "combobox", "spinbutton", "slider"],
  css: "input:not([type=hidden],[type=submit],[type=button],[type=reset],[type=image],[type=checkbox],[type=radio],[type=file],[type=range],[type=color]),textarea,[contenteditable=''],[contenteditable=true],[contenteditable=plaintext-only],[role=textbox],[role=searchbox]",
  byText: false,
  noun: "text input",
};
export const readable: Kind = { roles: [], css: "*", byText: true, noun: "element" };
