/// <reference lib="dom" />
import type { Item, PageConfig, PageTask } from "../page-config.ts";

export type Sources = Record<PageConfig["source"], (number: number) => Promise<Item[]>>;

/** How a page gets the rows with a page number. Runs in the page; its text is sent, so it refers to nothing outside. */
export function createSources({ base, items, sourceMs }: PageTask): Sources {
  const wait = (ms: number) => new Promise((done) => setTimeout(done, ms));
  const frame = () => new Promise(requestAnimationFrame);
  const messageOf = (target: EventTarget): Promise<Item[]> =>
    new Promise((done) => {
      target.addEventListener("message", (event) => done((event as MessageEvent).data), { once: true });
    });

  const known = (number: number) => items[number - 1] ?? [];
  const api = (path: string, number: number) => `${base}/${path}?page=${number}`;
  return {
    document: async (number) => known(number),
    fetch: async (number) => (await fetch(api("data", number))).json(),
    async twoRequests(number) {
      const { token } = await (await fetch(`${base}/token`)).json();
      await wait(Math.min(sourceMs, 700));
      return (await fetch(`${api("data", number)}&token=${token}`)).json();
    },
    xhr: (number) =>
      new Promise((done) => {
        const request = new XMLHttpRequest();
        request.open("GET", api("data", number));
        request.onload = () => done(JSON.parse(request.responseText));
        request.send();
      }),
    jsonp: (number) =>
      new Promise((done) => {
        Object.assign(window, { [`take${number}`]: done });
        document.head.append(Object.assign(document.createElement("script"), { src: api("jsonp", number) }));
      }),
    module: async (number) => (await import(api("module", number))).default,
    async timer(number) {
      await wait(sourceMs);
      return known(number);
    },
    worker(number) {
      const code = `onmessage = ({ data }) => setTimeout(() => postMessage(data), ${Math.min(sourceMs, 700)})`;
      const worker = new Worker(URL.createObjectURL(new Blob([code])));
      const rows = messageOf(worker);
      worker.postMessage(known(number));
      return rows.finally(() => worker.terminate());
    },
    async html(number) {
      const text = await (await fetch(api("html", number))).text();
      const rows = new DOMParser().parseFromString(text, "text/html").querySelectorAll("li");
      return [...rows].map((row) => JSON.parse(row.textContent));
    },
    idle: (number) => new Promise((done) => requestIdleCallback(() => done(known(number)))),
    async frames(number) {
      for (let count = 0; count < 5; count += 1) await frame();
      return known(number);
    },
    image: (number) =>
      new Promise((done) => {
        const image = new Image();
        image.onload = image.onerror = () => done(known(number));
        image.src = `${api("picture.png", number)}`;
      }),
    iframe(number) {
      const rows = messageOf(window);
      const inner = Object.assign(document.createElement("iframe"), {
        src: api("frame", number),
        hidden: true,
      });
      document.body.append(inner);
      return rows.finally(() => inner.remove());
    },
    database: (number) =>
      new Promise((done) => {
        const opening = indexedDB.open(`rows-${Math.random()}`, 1);
        opening.onupgradeneeded = () => opening.result.createObjectStore("rows");
        opening.onsuccess = () => {
          const store = opening.result.transaction("rows", "readwrite").objectStore("rows");
          store.put(known(number), number).onsuccess = () => {
            const getting = store.get(number);
            getting.onsuccess = () => done(getting.result);
          };
        };
      }),
    channel(number) {
      const [to, from] = [new BroadcastChannel("rows"), new BroadcastChannel("rows")];
      const rows = messageOf(from);
      to.postMessage(known(number));
      return rows;
    },
    async stream(number) {
      const text = await (await fetch(api("stream", number))).text();
      return text
        .trim()
        .split("\n")
        .map((line) => JSON.parse(line));
    },
    events: (number) =>
      new Promise((done) => {
        const events = new EventSource(api("events", number));
        events.onmessage = ({ data }) => {
          events.close();
          done(JSON.parse(data));
        };
      }),
    animation: (number) =>
      new Promise((done) => {
        const fade = document.body.animate([{ opacity: 0.5 }, { opacity: 1 }], Math.min(sourceMs, 700));
        fade.onfinish = () => done(known(number));
      }),
    resize: (number) =>
      new Promise((done) => {
        const box = document.getElementById("clock") as HTMLElement;
        let isFirst = true;
        new ResizeObserver((_, observer) => {
          if (isFirst) box.style.height = `${number * 3 + 20}px`;
          else {
            observer.disconnect();
            done(known(number));
          }
          isFirst = false;
        }).observe(box);
      }),
    async scheduler(number) {
      for (let count = 0; count < 5; count += 1) {
        const { port1, port2 } = new MessageChannel();
        await new Promise((done) => {
          port1.onmessage = done;
          port2.postMessage(count);
        });
      }
      return known(number);
    },
    async aborted(number) {
      const early = new AbortController();
      fetch(api("data", number), early).catch(() => {});
      await wait(10);
      early.abort();
      return (await fetch(api("data", number))).json();
    },
    async retried(number) {
      for (;;) {
        const answer = await fetch(api("busy", number));
        if (answer.ok) return answer.json();
        await wait(sourceMs);
      }
    },
    mutation: (number) =>
      new Promise((done) => {
        new MutationObserver((_, observer) => {
          observer.disconnect();
          done(known(number));
        }).observe(document.body, { attributes: true, attributeFilter: ["data-page"] });
        document.body.dataset.page = String(number);
      }),
  };
}
