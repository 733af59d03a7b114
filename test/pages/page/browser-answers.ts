import { cards, lamps, type Page, type Pages } from "../page.ts";

/**
 * Rows that come after many answers of the browser, one after another. Each comes from another thread or process, in real
 * time, and is neither a request nor a timer.
 */
const after = (questions: readonly string[], hops: number): Page => ({
  html: `<body><ul></ul><script type=module>
    const [to, from] = [new BroadcastChannel("lamps"), new BroadcastChannel("lamps")];
    const canvas = document.createElement("canvas");
    const hidden = new OffscreenCanvas(5, 5);
    hidden.getContext("2d");
    const questions = [${questions.map((question) => `() => ${question}`).join()}];
    for (const ask of questions)
      for (let hop = 0; hop < ${hops}; hop += 1) await ask();
    document.querySelector("ul").innerHTML = ${JSON.stringify(cards(1, 3))};</script>`,
  rows: lamps(1, 3),
});

export default {
  "rows that come after many answers of the browser": {
    variants: {
      "about what it stores": after(
        [
          "cookieStore.getAll()",
          "navigator.storage.persisted()",
          "navigator.storage.getDirectory()",
          "indexedDB.databases()",
          "new Promise((done) => { indexedDB.deleteDatabase('lamps').onsuccess = done; })",
        ],
        60,
      ),
      "about what it has and allows": after(
        [
          "navigator.mediaDevices.enumerateDevices()",
          "new Promise((done) => navigator.geolocation.getCurrentPosition(done, done))",
          "navigator.permissions.query({ name: 'geolocation' })",
        ],
        60,
      ),
      "to other tabs of the page": after(
        [
          "new Promise((done) => { from.onmessage = done; to.postMessage(1); })",
          "navigator.locks.request('lamps', async () => {})",
        ],
        60,
      ),
      "with pictures and sounds": after(
        [
          "new Promise((done) => canvas.toBlob(done))",
          "hidden.convertToBlob()",
          "new OfflineAudioContext(1, 400, 40000).startRendering()",
        ],
        4,
      ),
    },
  },
  "a lock that is never free does not hold up its page": {
    html: `<body><ul></ul><script>
      navigator.locks.request("lamps", () => new Promise(() => {}));
      navigator.locks.request("lamps", () => {});
      document.querySelector("ul").innerHTML = ${JSON.stringify(cards(1, 3))};</script>`,
    rows: lamps(1, 3),
  },
} satisfies Pages;
