/// <reference lib="dom" />
import type { PageConfig } from "../page-config.ts";

/** What a pagination needs of its page. */
export interface Paged {
  control: HTMLElement | null;
  pages: number;
  /** Shows the next page, unless another one is being shown. */
  goOn: () => Promise<void>;
  goTo: (page: number) => Promise<void>;
  number: () => number;
  isBusy: () => boolean;
}

export type Pagers = Partial<Record<PageConfig["pager"], () => void>>;

/** How a page is told to show more. Runs in the page; its text is sent, so it refers to nothing outside. */
export function createPagers({ control, pages, goOn, goTo, number, isBusy }: Paged): Pagers {
  const onPress = (react: (event: Event) => void) => control?.addEventListener("click", react);
  const watchEnd = () => {
    const end = document.getElementById("end") as HTMLElement;
    const observer = new IntersectionObserver(async (seen) => {
      if (!seen.some(({ isIntersecting }) => isIntersecting)) return;
      await goOn();
      observer.unobserve(end);
      observer.observe(end);
    });
    observer.observe(end);
  };
  return {
    button: () => onPress(goOn),
    numbers() {
      const nav = document.querySelector(".numbers") as HTMLElement;
      const draw = () => {
        const buttons = Array.from({ length: pages }, (_, index) => {
          const isCurrent = index + 1 === number();
          return `<button${isCurrent ? " aria-current=page" : ""}>${index + 1}</button>`;
        });
        nav.innerHTML = buttons.join("");
      };
      draw();
      nav.onclick = async ({ target }) => {
        const page = Number((target as HTMLElement).textContent);
        if (isBusy() || !(target instanceof HTMLButtonElement)) return;
        const going = goTo(page);
        draw();
        await going;
      };
    },
    more: () => onPress(goOn),
    fragment: () =>
      addEventListener("hashchange", async () => {
        await goTo(Number(location.hash.slice(1)));
        control?.setAttribute("href", `#${number() + 1}`);
      }),
    history: () =>
      onPress((event) => {
        event.preventDefault();
        if (isBusy()) return;
        history.pushState(null, "", `?page=${number() + 1}`);
        control?.setAttribute("href", `?page=${number() + 2}`);
        goOn();
      }),
    scrollSentinel: watchEnd,
    scrollBox: watchEnd,
    scrollEvent() {
      let timer: ReturnType<typeof setTimeout> | undefined;
      addEventListener("scroll", () => {
        clearTimeout(timer);
        timer = setTimeout(() => {
          if (innerHeight + scrollY > document.documentElement.scrollHeight - 150) goOn();
        }, 100);
      });
    },
  };
}
