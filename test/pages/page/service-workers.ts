import { cards, lamps, type Pages } from "../page.ts";

/* Service workers are blocked. */

const register = (waits: string) =>
  `${cards(1, 2)}<script>${waits};navigator.serviceWorker.register("/worker.js")</script>`;

export default {
  "a page that is loaded again once its service worker runs": {
    html: "",
    rows: lamps(1, 2),
    warnings: [{ code: "service_worker_blocked", step: 1, message: /^http\S+ has a service worker/ }],
    variants: {
      "by a listener": {
        html: register(
          'navigator.serviceWorker.addEventListener("controllerchange", () => location.reload())',
        ),
      },
      "by a property": {
        html: register("navigator.serviceWorker.oncontrollerchange = () => location.reload()"),
      },
    },
  },
  "a service worker for the next visit": { html: register(""), rows: lamps(1, 2) },
} satisfies Pages;
