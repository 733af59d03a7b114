import { API_PATH, INDEX, PAGES } from "../../console/build/files.ts";
import { SECURITY_HEADERS } from "../../console/build/headers.ts";
import { routes } from "../../functions/contract/routes.ts";

const NOT_FOUND_PAGE =
  '<!doctype html><html lang="en"><title>Gleaner</title><p>There is no such page. <a href="/">Open the console</a>.</p></html>';

/**
 * The code of the CloudFront function for all paths except those of the API and of assets. Like the local service, it
 * serves the index page at the paths of the console's pages, and responds with 404 to other paths. The runtime
 * cloudfront-js-2.0 has no modules, so it is one script.
 */
export const PAGE_FUNCTION = `
var PAGES = ${JSON.stringify(PAGES)};
var HEADERS = ${JSON.stringify(SECURITY_HEADERS)};

function handler(event) {
  var request = event.request;
  if (request.uri === "/" || PAGES.includes(request.uri.split("/")[1])) {
    request.uri = "/${INDEX}";
    return request;
  }
  if (request.uri === "/reference")
    return answer(308, "Permanent Redirect", { location: "${routes.getReference.path}" }, "");
  var accept = request.headers.accept ? request.headers.accept.value : "";
  return accept.includes("text/html") && !${API_PATH}.test(request.uri)
    ? notFound("text/html; charset=utf-8", ${JSON.stringify(NOT_FOUND_PAGE)})
    : notFound("application/json", ${JSON.stringify(JSON.stringify({ message: "There is no such endpoint." }))});
}

function notFound(type, data) {
  return answer(404, "Not Found", { "content-type": type, "cache-control": "no-store" }, data);
}

function answer(statusCode, statusDescription, own, data) {
  var all = Object.assign({}, HEADERS, own);
  var headers = {};
  Object.keys(all).forEach(function (name) {
    headers[name] = { value: all[name] };
  });
  return { statusCode, statusDescription, headers, body: { encoding: "text", data } };
}
`.trim();
