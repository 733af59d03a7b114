import { books, orders, people } from "../data.ts";
import {
  booksOn,
  card,
  html,
  pageOf,
  pager,
  type Render,
  script,
  staff,
  staffHeads,
  style,
  tableOf,
} from "./html.ts";

/** Pages with consent banners, dialogs and tabs. */
export const overlayPages: Record<string, Render> = {
  "vanilla-cookieconsent": () =>
    html(
      "CookieConsent",
      style("vanilla-cookieconsent/dist/cookieconsent.css"),
      `<h1>Books</h1><main></main>
<script type="module">
import "/npm/vanilla-cookieconsent/dist/cookieconsent.umd.js";
CookieConsent.run({
  hideFromBots: false,
  guiOptions: { consentModal: { layout: "box", position: "middle center" } },
  disablePageInteraction: true,
  categories: { necessary: { enabled: true, readOnly: true }, analytics: {} },
  onConsent: async () => {
    const { rows } = await (await fetch("/data/books?limit=30")).json();
    document.querySelector("main").innerHTML = rows
      .map(({ title, price }) => \`<div class="book"><b>\${title}</b> <i>\${price}</i></div>\`)
      .join("");
  },
  language: {
    default: "en",
    translations: {
      en: {
        consentModal: {
          title: "We use cookies",
          description: "Cookie modal description",
          acceptAllBtn: "Accept all",
          acceptNecessaryBtn: "Reject all",
          showPreferencesBtn: "Manage Individual preferences",
        },
        preferencesModal: { title: "Manage cookie preferences", acceptAllBtn: "Accept all", acceptNecessaryBtn: "Reject all", savePreferencesBtn: "Accept current selection", closeIconLabel: "Close modal", sections: [] },
      },
    },
  },
});
</script>`,
    ),
  cookieconsent: (url) => {
    const page = pageOf(url);
    return html(
      "Cookie Consent",
      style("cookieconsent/build/cookieconsent.min.css"),
      `<h1>Books, page ${page}</h1>
<main>${booksOn(page, 24).map(card).join("\n")}</main>
${pager("/cookieconsent", page, 4)}
${script("cookieconsent/build/cookieconsent.min.js")}
<script>
window.addEventListener("load", () => {
  window.cookieconsent.initialise({ palette: { popup: { background: "#000" }, button: { background: "#f1d600" } }, position: "bottom" });
});
</script>`,
    );
  },
  sweetalert2: (url) => {
    const page = pageOf(url);
    return html(
      "SweetAlert2",
      script("sweetalert2/dist/sweetalert2.all.min.js"),
      `<h1>Books, page ${page}</h1>
<main>${booksOn(page, 24).map(card).join("\n")}</main>
${pager("/sweetalert2", page, 4)}
${
  page === 1
    ? `<script>
setTimeout(() => Swal.fire({ title: "Stay in touch", text: "Get our newsletter?", showCancelButton: true, confirmButtonText: "Yes, please", cancelButtonText: "No, thanks", allowOutsideClick: false }), 800);
</script>`
    : ""
}`,
    );
  },
  micromodal: () =>
    html(
      "Micromodal",
      `${script("micromodal/dist/micromodal.min.js")}<style>
.modal { display: none } .modal.is-open { display: block }
.modal__overlay { position: fixed; inset: 0; background: rgba(0,0,0,.6); display: flex; justify-content: center; align-items: center }
.modal__container { background: #fff; padding: 30px; max-height: 100vh; overflow-y: auto }
</style>`,
      `<button data-micromodal-trigger="modal-1">Show the staff</button>
<div class="modal" id="modal-1" aria-hidden="true"><div class="modal__overlay" tabindex="-1" data-micromodal-close>
<div class="modal__container" role="dialog" aria-modal="true" aria-labelledby="modal-1-title">
<h2 id="modal-1-title">Staff</h2><ul id="modal-1-content"></ul></div></div></div>
<script>
MicroModal.init({
  onShow: async () => {
    const { rows } = await (await fetch("/data/people?limit=12")).json();
    document.getElementById("modal-1-content").innerHTML = rows.map(({ name }) => \`<li>\${name}</li>\`).join("");
  },
});
</script>`,
    ),
  "bootstrap-modal": () =>
    html(
      "Bootstrap: modal",
      style("bootstrap/dist/css/bootstrap.min.css") + script("bootstrap/dist/js/bootstrap.bundle.min.js"),
      `<button type="button" class="btn btn-primary" data-bs-toggle="modal" data-bs-target="#exampleModal">Price list</button>
<div class="modal fade" id="exampleModal" tabindex="-1" aria-labelledby="exampleModalLabel" aria-hidden="true"><div class="modal-dialog"><div class="modal-content">
<div class="modal-header"><h1 class="modal-title fs-5" id="exampleModalLabel">Prices</h1><button type="button" class="btn-close" data-bs-dismiss="modal" aria-label="Close"></button></div>
<div class="modal-body"></div></div></div></div>
<script>
document.getElementById("exampleModal").addEventListener("shown.bs.modal", async (event) => {
  const { rows } = await (await fetch("/data/books?limit=15")).json();
  event.target.querySelector(".modal-body").innerHTML = rows.map(({ title, price }) => \`<p class="book"><b>\${title}</b> <i>\${price}</i></p>\`).join("");
});
</script>`,
    ),
  "bootstrap-tabs": () =>
    html(
      "Bootstrap: tabs",
      style("bootstrap/dist/css/bootstrap.min.css") + script("bootstrap/dist/js/bootstrap.bundle.min.js"),
      `<ul class="nav nav-tabs" role="tablist">
${["Books", "Staff", "Orders"].map((name, index) => `<li class="nav-item" role="presentation"><button class="nav-link ${index === 0 ? "active" : ""}" data-bs-toggle="tab" data-bs-target="#${name}" type="button" role="tab">${name}</button></li>`).join("")}
</ul>
<div class="tab-content">
<div class="tab-pane fade show active" id="Books" role="tabpanel">${books.slice(0, 9).map(card).join("")}</div>
<div class="tab-pane fade" id="Staff" role="tabpanel">${tableOf('class="table"', staffHeads, staff())}</div>
<div class="tab-pane fade" id="Orders" role="tabpanel">${tableOf(
        'class="table"',
        ["Order", "City"],
        orders.slice(0, 20).map(({ number, city }) => [number, city]),
      )}</div>
</div>`,
    ),
  "shoelace-tabs": () =>
    html(
      "Shoelace: tabs and cards",
      `${style("@shoelace-style/shoelace/cdn/themes/light.css")}<script type="module" src="/npm/@shoelace-style/shoelace/cdn/shoelace-autoloader.js"></script>`,
      `<sl-tab-group>
<sl-tab slot="nav" panel="books">Books</sl-tab><sl-tab slot="nav" panel="staff">Staff</sl-tab>
<sl-tab-panel name="books">${books.slice(0, 9).map(card).join("")}</sl-tab-panel>
<sl-tab-panel name="staff">${people.map(({ name, office }) => `<sl-card class="person"><strong slot="header">${name}</strong><span class="office">${office}</span></sl-card>`).join("")}</sl-tab-panel>
</sl-tab-group>`,
    ),
};
