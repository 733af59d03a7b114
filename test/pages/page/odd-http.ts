import { ODD_RESPONSES } from "../../site/odd-responses.ts";
import type { Handler } from "../../site/site.ts";
import { cards, lamps, type Pages, pageOf } from "../page.ts";

/* Responses that browsers show although their HTTP is unusual or wrong. */

const responses = Object.values(ODD_RESPONSES);
const answer: Handler = (request, response) => {
  const page = pageOf(request);
  const next = page < responses.length ? `<a href="/?page=${page + 1}">Next</a>` : "";
  const respond = responses[page - 1];
  // Pages are requested ahead.
  if (!respond) return void response.writeHead(404).end();
  request.socket.end(respond(`<!doctype html><title>Lamps</title>${cards(page, page)}${next}`));
};

export default {
  "odd HTTP": {
    routes: { "/": answer },
    pagination: { type: "next_button", field_name: "Next" },
    rows: lamps(1, responses.length),
    loads: responses.length,
    engines: ["browser", "auto"],
  },
} satisfies Pages;
