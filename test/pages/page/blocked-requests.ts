import assert from "node:assert/strict";
import type { Site } from "../../site/site.ts";
import { cardList, type Pages, visit } from "../page.ts";
import { times } from "../parts/documents.ts";

const FILES = ["/font.woff2", "/film.mp4", "/film.webm?v=2", "/sound.mp3", "/picture.png"];
/** Addresses that only look like those of such files, or of a tracker. */
const DATA = [
  "/www.google-analytics.com/data",
  "/data?film=a.mp4",
  "/film.mp4/facts",
  "/Apple_Inc.",
  "/sound.mp3x",
];
const requested = ({ requests }: Site) => FILES.filter((file) => requests.includes(file));

export default {
  "films, sounds and fonts are not loaded, unless a scraper asks for everything; what only looks like them is":
    {
      html: `<style>@font-face{font-family:own;src:url(${FILES[0]})}p{font-family:own}</style><p>Text</p>
      <video src="${FILES[1]}" preload=auto></video><video src="${FILES[2]}" preload=auto></video>
      <audio src="${FILES[3]}" preload=auto></audio><img src="${FILES[4]}"><script>
      Promise.allSettled(${JSON.stringify(DATA)}.map((address) => fetch(address))).then(async (results) => {
        await document.fonts.ready;
        document.body.insertAdjacentHTML("beforeend",
          results.map(({ status }) => '<div class=card>' + status + '</div>').join(""));
      });</script>`,
      routes: Object.fromEntries([...FILES, ...DATA].map((path) => [path.split("?")[0], "<p>a file</p>"])),
      steps: [visit(), cardList],
      rows: times(DATA.length, [{ name: "fulfilled" }]),
      variants: {
        "": { check: (_, site) => assert.deepEqual(requested(site), []) },
        everything: { load_images: true, check: (_, site) => assert.deepEqual(requested(site), FILES) },
      },
    },
} satisfies Pages;
