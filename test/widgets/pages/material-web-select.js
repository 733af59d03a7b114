import "@material/web/select/outlined-select.js";
import "@material/web/select/select-option.js";

const genres = ["Biography", "Crime", "Fantasy", "Poetry", "Romance", "Travel"];
document.getElementById("root").innerHTML = `<md-outlined-select label="Genre">${genres
  .map((genre) => `<md-select-option value="${genre}"><div slot="headline">${genre}</div></md-select-option>`)
  .join("")}</md-outlined-select><ul id="list"></ul>`;

async function show(query) {
  const { rows } = await (await fetch(`/data/books?${query}`)).json();
  document.getElementById("list").innerHTML = rows
    .map(({ title, price }) => `<li class="book"><b>${title}</b> <i>${price}</i></li>`)
    .join("");
}
show("limit=20");
document
  .querySelector("md-outlined-select")
  .addEventListener("change", ({ target }) => show(`genre=${target.value}`));
