import { describe, expect, test } from "@jest/globals";
import { VirtualScroll } from "../../console/grid/virtual-scroll.ts";

const VIEW = 600;
const LINE = 30;

describe("a list that fits into an element", () => {
  test("is where the element is", () => {
    const scroll = new VirtualScroll(1_000, LINE, VIEW);
    expect(scroll.height).toBe(30_000);
    scroll.scrolled(12_345);
    expect(scroll.top).toBe(12_345);
    expect(scroll.goTo(29_999)).toBe(29_400);
  });
});

describe("a list that is higher than an element can be", () => {
  const lines = 1_000_000;
  const end = lines * LINE - VIEW;

  test("ends where the element ends", () => {
    const scroll = new VirtualScroll(lines, LINE, VIEW);
    expect(scroll.height).toBeLessThan(17_000_000);
    scroll.scrolled(scroll.height - VIEW);
    expect(scroll.top).toBe(end);
    scroll.scrolled(0);
    expect(scroll.top).toBe(0);
  });

  test("moves by as many pixels as the wheel, and by as large a part as the scroll bar", () => {
    const scroll = new VirtualScroll(lines, LINE, VIEW);
    scroll.scrolled(100);
    expect(scroll.top).toBe(100);
    scroll.scrolled((scroll.height - VIEW) / 2);
    expect(scroll.top).toBeCloseTo(end / 2, 0);
  });

  test("can be gone through line by line to both ends", () => {
    const scroll = new VirtualScroll(lines, LINE, VIEW);
    let position = scroll.goTo(end - 5_000);
    for (let round = 0; round < 100; round += 1) {
      scroll.scrolled(position + 100);
      position = scroll.atRest();
    }
    expect(scroll.top).toBe(end);
    expect(position).toBe(scroll.height - VIEW);
  });

  test("keeps its position when it gets longer", () => {
    const scroll = new VirtualScroll(lines, LINE, VIEW);
    scroll.goTo(1_000_000);
    expect(new VirtualScroll(lines + 50, LINE, VIEW, scroll).top).toBe(1_000_000);
  });
});
