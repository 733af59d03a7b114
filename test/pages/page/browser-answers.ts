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
          "navigator.storage.getDirectory().then((folder) => folder.getFileHandle('lamps', { create: true })).then((file) => file.getFile())",
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
          "navigator.mediaCapabilities.decodingInfo({ type: 'file', video: { contentType: 'video/webm; codecs=vp8', width: 8, height: 8, bitrate: 8, framerate: 8 } })",
          "navigator.clipboard.writeText('Lamp').catch(() => {})",
          "navigator.wakeLock.request().catch(() => {})",
          "navigator.keyboard.getLayoutMap().catch(() => {})",
          "Notification.requestPermission()",
          "PublicKeyCredential.isConditionalMediationAvailable()",
        ],
        60,
      ),
      "to other tabs of the page": after(
        [
          "new Promise((done) => { from.onmessage = done; to.postMessage(1); })",
          "navigator.locks.request('lamps', async () => {})",
          "navigator.locks.query()",
        ],
        60,
      ),
      "with pictures and sounds": after(
        [
          "new Promise((done) => canvas.toBlob(done))",
          "hidden.convertToBlob()",
          "new OfflineAudioContext(1, 400, 40000).startRendering()",
          "new OfflineAudioContext(1, 400, 40000).decodeAudioData(new ArrayBuffer(8)).catch(() => {})",
          "new OfflineAudioContext(1, 400, 40000).audioWorklet.addModule('data:text/javascript,1')",
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
  "rows that come once a dialog says that it was closed": {
    variants: Object.fromEntries(
      [
        "dialog.onclose = fill",
        "dialog.addEventListener('close', fill)",
        "document.addEventListener('close', fill, true)",
        "dialog.outerHTML = dialog.outerHTML.replace('>', ' onclose=fill()>'); dialog = document.querySelector('dialog')",
        "document.body.attachShadow({ mode: 'open' }).append(document.createElement('slot'), dialog); dialog.onclose = fill",
        "dialog.onclose = fill; dialog.addEventListener('submit', () => setTimeout(() => dialog.remove()))",
      ].map((listens) => [
        listens,
        {
          html: `<ul><li class=card>Old</li></ul><dialog><form method=dialog><button>OK</button></form></dialog><script>
              const fill = () => { document.querySelector("ul").innerHTML = ${JSON.stringify(cards(1, 3))}; };
              let dialog = document.querySelector("dialog"); ${listens}; dialog.showModal();
              setTimeout(() => dialog.querySelector("button").click(), 1000);</script>`,
          rows: lamps(1, 3),
        },
      ]),
    ),
  },
} satisfies Pages;
