import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import type { Step } from "../../../../functions/contract/steps/steps.ts";
import { multiProcessArgs, singleProcessArgs } from "../../../../functions/scraping/browser/browsers.ts";
import { type Site, startSite } from "../../../site/site.ts";
import { type Engine, startEngine } from "../harness.ts";

/*
 * What a page may ask a browser for, and where it may send it: nothing of it is given, nowhere does it lead.
 */

let site: Site;
beforeAll(async () => {
  site = await startSite();
});
afterAll(() => site.close());

/** Permissions that have a state to ask for. */
const permissions =
  "geolocation notifications camera microphone clipboard-read clipboard-write midi background-sync persistent-storage " +
  "local-fonts idle-detection screen-wake-lock window-management payment-handler periodic-background-sync " +
  "accelerometer gyroscope magnetometer display-capture keyboard-lock pointer-lock captured-surface-control";

/** Each rejects, or resolves to nothing, where it is refused. */
const requests = {
  geolocation: "new Promise((yes, no) => navigator.geolocation.getCurrentPosition(yes, no))",
  notification: "Notification.requestPermission().then((answer) => answer === 'granted')",
  camera: "navigator.mediaDevices.getUserMedia({ video: true })",
  microphone: "navigator.mediaDevices.getUserMedia({ audio: true })",
  screen: "navigator.mediaDevices.getDisplayMedia()",
  "reading the clipboard": "navigator.clipboard.readText()",
  "writing the clipboard": "navigator.clipboard.writeText('x')",
  midi: "navigator.requestMIDIAccess({ sysex: true })",
  usb: "navigator.usb.requestDevice({ filters: [] })",
  bluetooth: "navigator.bluetooth.requestDevice({ acceptAllDevices: true })",
  serial: "navigator.serial.requestPort()",
  hid: "navigator.hid.requestDevice({ filters: [] }).then((devices) => devices.length)",
  fonts: "queryLocalFonts().then((fonts) => fonts.length)",
  idle: "IdleDetector.requestPermission().then((answer) => answer === 'granted')",
  "wake lock": "navigator.wakeLock.request('screen')",
  persistence: "navigator.storage.persist()",
  "a file": "showOpenFilePicker()",
  "a file to write": "showSaveFilePicker()",
  "a folder": "showDirectoryPicker()",
  password: "navigator.credentials.get({ password: true, mediation: 'silent' })",
  push: "navigator.serviceWorker.register('/sw.js').then((worker) => worker.pushManager.subscribe())",
  sensors: `new Promise((yes, no) => { const sensor = new Accelerometer();
    sensor.onreading = yes; sensor.onerror = no; sensor.start(); })`,
  extensions: "chrome.runtime.id",
  "a file of the machine": "fetch('file:///proc/self/environ')",
};

test.concurrent.each([
  ["of several processes", multiProcessArgs],
  ["of a single process", singleProcessArgs],
])("a browser %s grants a page nothing", async (_, args) => {
  site.setRoute("/sw.js", "");
  site.setRoute(
    "/ask",
    `<button>Ask</button><ul></ul><script>
    const given = [];
    const ask = async () => {
      for (const name of ${JSON.stringify(permissions.split(" "))})
        given.push([name, (await navigator.permissions.query({ name, sysex: true })).state]);
      const requests = {${Object.entries(requests).map(([name, call]) => `${JSON.stringify(name)}: async () => ${call}`)}};
      const silent = new Promise((resolve) => setTimeout(resolve, 2000));
      await Promise.all(Object.entries(requests).map(async ([name, request]) => {
        const answer = await Promise.race([request(), silent]).catch(() => undefined);
        given.push([name, answer ? "given " + answer : "refused"]);
      }));
      document.querySelector("ul").innerHTML = given.map(([name, state]) => "<li><b>" + name + "</b><i>" + state + "</i></li>").join("");
    };
    document.querySelector("button").onclick = () => ask().catch((error) => { document.querySelector("ul").innerHTML = "<li>" + error; });
    </script>`,
  );
  const engine = await startEngine([site.host], { ownBrowsers: true, args });
  try {
    const fields = [
      { name: "name", selector: "b" },
      { name: "state", selector: "i" },
    ];
    const told = await engine.run({
      steps: [
        { type: "visit", url: site.url("/ask") },
        { type: "click", selector: "button" },
        { type: "get_list", selector: "li", fields },
      ],
    });
    expect(told.failure).toBeUndefined();
    expect(Object.fromEntries(told.rows.map(({ name, state }) => [name, state]))).toEqual({
      ...Object.fromEntries(permissions.split(" ").map((name) => [name, "denied"])),
      ...Object.fromEntries(Object.keys(requests).map((name) => [name, "refused"])),
    });
  } finally {
    await engine.close();
  }
});

describe("places that a page must not lead to", () => {
  let engine: Engine;
  beforeAll(async () => {
    engine = await startEngine([site.host]);
  });
  afterAll(() => engine.close());

  const targets = [
    "file:///proc/self/environ",
    "chrome://version",
    "data:text/html,<p>data",
    "mailto:a@b.test",
  ];
  /** Each element is pressed in turn. */
  const ways: ((target: string) => string)[] = [
    (target) => `<a class=go href="${target}">Go</a>`,
    (target) => `<a class=go target=_blank href="${target}">Go</a>`,
    (target) => `<a class=go download=x href="${target}">Go</a>`,
    (target) => `<button class=go onclick="location.href = '${target}'">Go</button>`,
    (target) => `<button class=go onclick="window.open('${target}')">Go</button>`,
    (target) => `<iframe src="${target}"></iframe><button class=go>Go</button>`,
    (target) => `<meta http-equiv=refresh content="0;url=${target}"><button class=go>Go</button>`,
  ];
  const read: Step = { type: "get_list", selector: "body", fields: [{ name: "text" }], timeout_ms: 3_000 };

  test.concurrent("by links, scripts, frames and refreshes", async () => {
    const path = site.newPath();
    const html = ways.flatMap((way) => targets.map(way));
    site.setRoute(path, `<p>Stays</p>${html.join("")}`);
    const clicks = [...html.keys()].map(
      (index): Step => ({ type: "click", selector: `.go >> nth=${index}` }),
    );
    const told = await engine.run({
      steps: [{ type: "visit", url: site.url(path) }, ...clicks, { type: "wait", value: 100 }, read],
    });
    expect(told.failure).toBeUndefined();
    expect(told.rows.map(({ text }) => text?.split("\n")[0])).toEqual(["Stays"]);
  });

  test.concurrent("by a redirect", async () => {
    for (const target of targets) {
      site.setRedirect("/redirects", target);
      const told = await engine.run({ steps: [{ type: "visit", url: site.url("/redirects") }, read] });
      expect(told.rows).toEqual([]);
      expect(told.failure).toMatchObject({ code: "navigation_failed", step: 0 });
    }
  });

  test.concurrent("by the next page of a list", async () => {
    site.setRoute("/list", `<p>Stays</p><a class=next href="file:///proc/self/environ">Next</a>`);
    const told = await engine.run({
      steps: [{ type: "visit", url: site.url("/list") }, { ...read, selector: "p" } as Step],
      pagination: { type: "next_button", selector: ".next" },
    });
    expect(told.rows).toEqual([{ text: "Stays" }]);
  });

  test.concurrent("by the address of a detail page", async () => {
    site.setRoute("/rows", `<a href="file:///proc/self/environ">One</a><a href="chrome://version">Two</a>`);
    const told = await engine.run({
      steps: [
        { type: "visit", url: site.url("/rows") },
        {
          type: "get_list",
          selector: "a",
          fields: [{ name: "url", attribute: "href" }],
          details: { url_field: "url", fields: [{ name: "text", selector: "body" }] },
        },
      ],
    });
    expect(told.failure).toBeUndefined();
    expect(told.rows).toEqual([{ url: "file:///proc/self/environ" }, { url: "chrome://version/" }]);
  });
});
