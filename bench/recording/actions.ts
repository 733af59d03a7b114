import type { Page } from "playwright-core";

/** Seconds from what a person does to the page that it leads to, and to the rows of its list. */
export interface ActionTimes {
  page: number;
  rows: number;
}

/** Records three steps on the books of the shop: its address, a category and an order. Times the last one. */
export async function thirdStep(tab: Page, address: string): Promise<ActionTimes> {
  const settled = () => tab.locator(".status.busy").first().waitFor({ state: "detached" });
  await tab.getByLabel("Address of a page with a list").fill(address);
  await tab.getByRole("button", { name: "Find its lists" }).click();
  await tab
    .getByText(/rows? on (?:the page|page 1)/)
    .first()
    .waitFor();
  await settled();
  await tab.getByRole("button", { name: "As a list" }).click();
  await tab.getByRole("button", { name: "Type", exact: true }).click();
  const choose = async (input: string) => {
    const elements = tab.getByRole("listbox");
    const option = elements.getByRole("option", { name: input }).first();
    await elements.selectOption((await option.getAttribute("value")) ?? "");
    await elements.press("Enter");
    await tab.getByRole("dialog").getByLabel("Choose").selectOption({ index: 2 });
    const steps = tab.getByRole("list", { name: "Steps" }).getByRole("listitem");
    const before = await steps.count();
    const started = performance.now();
    await tab.getByRole("button", { name: "Choose it" }).click();
    await steps.nth(before).waitFor();
    await tab.locator(".chips-state .status").waitFor({ state: "detached" });
    const page = (performance.now() - started) / 1_000;
    await settled();
    return { page, rows: (performance.now() - started) / 1_000 };
  };
  await choose("“Category”");
  return choose("“Sort by”");
}
