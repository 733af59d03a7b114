/// <reference lib="dom" />
import type { ElementHandle, Locator } from "playwright-core";

type Field = Locator | ElementHandle<Node>;

export interface NativeDropdown {
  /** The labels of the first options, and how to choose the wanted one where there is one. */
  look(wanted: string): Promise<{ labels: string[]; choose?: (timeout: number) => Promise<void> }>;
}

/** A `select`. In one that takes several options, the wanted one is added. */
export const nativeSelect = (field: Field): NativeDropdown => ({
  async look(wanted) {
    const { indexes, labels } = await (field as Locator).evaluate((node, wanted) => {
      const select = node as HTMLSelectElement;
      const normal = (text: string) => text.replace(/\s+/g, " ").trim();
      const options = [...select.options];
      const exact = options.find(({ value, label }) => value === wanted || normal(label) === normal(wanted));
      const similar = options.filter(
        ({ label }) => normal(label).toLowerCase() === normal(wanted).toLowerCase(),
      );
      const choice = exact ?? (similar.length === 1 ? similar[0] : undefined);
      const chosen = select.multiple ? [...select.selectedOptions] : [];
      return {
        indexes: choice && [...new Set([...chosen, choice])].map(({ index }) => index),
        labels: options.slice(0, 1_000).map(({ label }) => normal(label).slice(0, 100)),
      };
    }, wanted);
    if (!indexes) return { labels };
    const choose = async (timeout: number) => {
      await field.selectOption(
        indexes.map((index) => ({ index })),
        { timeout },
      );
    };
    return { labels, choose };
  },
});

/** An input with a `datalist`. */
export const suggestingInput = (field: Field): NativeDropdown => ({
  async look(wanted) {
    const { value, labels } = await (field as Locator).evaluate((node, wanted) => {
      const normal = (text: string) => text.replace(/\s+/g, " ").trim();
      const options = [...((node as HTMLInputElement).list?.options ?? [])];
      const exact = options.find(({ value, label }) => value === wanted || normal(label) === normal(wanted));
      const similar = options.filter(({ value, label }) =>
        [value, label].some((text) => normal(text).toLowerCase() === normal(wanted).toLowerCase()),
      );
      const choice = exact ?? (similar.length === 1 ? similar[0] : undefined);
      return {
        value: choice?.value,
        labels: options.slice(0, 1_000).map(({ label, value }) => normal(label || value).slice(0, 100)),
      };
    }, wanted);
    if (value === undefined) return { labels };
    const choose = async (timeout: number) => {
      await field.fill(value, { timeout });
      await (field as Locator).evaluate((node) => node.dispatchEvent(new Event("change", { bubbles: true })));
    };
    return { labels, choose };
  },
});
