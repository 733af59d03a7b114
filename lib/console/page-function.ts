import { INDEX, PAGES } from "../../console/build/files.ts";
import { SECURITY_HEADERS } from "../../console/build/headers.ts";
import { routes } from "../../functions/contract/routes.ts";

const headers = (values: Record<string, string>) =>
  JSON.stringify(
    Object.fromEntries(
      Object.entries({ ...SECURITY_HEADERS, ...values }).map(([name, value]) => [name, { value }]),
    ),
  );

/**
 * What CloudFront does with each address that is neither the API's nor an asset's, as the local service does: a page of
 * the console gets the one HTML file. It is JavaScript for the runtime cloudfront-js-2.0, which has no modules.
 */
export const PAGE_FUNCTION = `
var PAGES = ${JSON.stringify(PAGES)};

function handler(event) {
  var request = event.request;
  if (request.uri === "/" || PAGES.includes(request.uri.split("/")[1])) {
    request.uri = "/${INDEX}";
    return request;
  }
  if (request.uri === "/reference") {
    return {
      statusCode: 308,
      statusDescription: "Permanent Redirect",
      headers: ${headers({ location: routes.getReference.path })},
    };
  }
  var accept = request.headers.accept ? request.headers.accept.value : "";
  return accept.includes("text/html")
    ? notFound(
        ${headers({ "content-type": "text/html; charset=utf-8", "cache-control": "no-store" })},
        '<!doctype html><html lang="en"><title>Gleaner</title><p>There is no such page. <a href="/">Open the console</a>.</p></html>'
      )
    : notFound(
        ${headers({ "content-type": "application/json", "cache-control": "no-store" })},
        '{"message":"There is no such endpoint."}'
      );
}

function notFound(headers, data) {
  return {
    statusCode: 404,
    statusDescription: "Not Found",
    headers: headers,
    body: { encoding: "text", data: data },
  };
}
`.trim();
