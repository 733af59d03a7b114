const root = document.documentElement;
root.classList.add("js");

const filters = document.querySelector(".filters");
filters?.addEventListener("change", () => filters.requestSubmit());

for (const form of document.forms) {
  // Fields that say nothing only make addresses longer.
  form.addEventListener("formdata", ({ formData }) => {
    for (const [name, value] of [...formData]) if (value === "") formData.delete(name);
  });
}

const notice = document.querySelector(".cookie-notice");
if (!document.cookie.includes("notice=read")) {
  notice.hidden = false;
  notice.querySelector("button").addEventListener("click", () => {
    // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API needs https, and the shop has none.
    document.cookie = "notice=read; max-age=31536000; path=/; samesite=lax";
    notice.hidden = true;
  });
}
