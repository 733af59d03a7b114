import type { Content, Document, Operation, Response } from "./document.ts";
import { block, breakable, code, escaped, prose } from "./html.ts";
import { field, schemaSection, typeOf } from "./schemas.ts";
import { STYLE } from "./style.ts";

interface Endpoint {
  method: string;
  path: string;
  operation: Operation;
}

/** Renders the OpenAPI document as one HTML page without scripts and without other files. */
export function referencePage(document: Document): string {
  const { info, tags, paths, webhooks, components } = document;
  const endpoints = endpointsOf(paths);
  const webhook = endpointsOf(webhooks).map(({ operation }) => operation);
  const schemas = Object.entries(components.schemas);
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escaped(info.title)} API</title>
<style>${STYLE}</style>
<body>
<a class="skip" href="#content">Skip to the content</a>
<header>
<h1>${escaped(info.title)} API</h1>
<p>${prose(info.description)} As data: <a href="/v1/openapi.json">openapi.json</a>.</p>
</header>
${contents(document, endpoints)}
<main id="content">
<h2 id="authentication">Authentication</h2>
<p>${prose(components.securitySchemes.apiKey.description)} Send it in each request:</p>
${block("Authorization: Bearer <API key>")}
${tags.map(({ name, description }) => tagSection(document, name, description, endpoints)).join("\n")}
<h2 id="webhooks">Webhook</h2>
${webhook.map((operation) => operationSection(document, operation, "")).join("\n")}
<h2 id="errors">Errors</h2>
<p>An error response has a <code>message</code>, and all problems of an invalid request in <code>errors</code>:
<a href="#schema-Error">Error</a>.</p>
<h2 id="headers">Headers of responses</h2>
<dl>${Object.entries(components.headers)
    .map(([name, { description }]) => `<dt>${code(name)}</dt><dd>${prose(description)}</dd>`)
    .join("\n")}</dl>
<h2 id="schemas">Schemas</h2>
${schemas.map(([name, schema]) => schemaSection(name, schema)).join("\n")}
</main>
</body>
</html>
`;
}

const endpointsOf = (paths: Document["paths"]): Endpoint[] =>
  Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      method: method.toUpperCase(),
      path,
      operation,
    })),
  );

function contents({ tags, components }: Document, endpoints: readonly Endpoint[]): string {
  const groups = tags.map(({ name }) => {
    const links = endpoints
      .filter(({ operation }) => operation.tags.includes(name))
      .map(({ operation: { operationId, summary } }) => {
        return `<li><a href="#${operationId}">${escaped(summary)}</a></li>`;
      });
    return `<li><a href="#tag-${name}">${capitalized(name)}</a><ul>${links.join("")}</ul></li>`;
  });
  const names = Object.keys(components.schemas).map(
    (name) => `<li><a href="#schema-${name}">${name}</a></li>`,
  );
  return `<nav aria-label="Contents"><ul>
<li><a href="#authentication">Authentication</a></li>
${groups.join("\n")}
<li><a href="#webhooks">Webhook</a></li>
<li><a href="#errors">Errors</a></li>
<li><a href="#headers">Headers of responses</a></li>
<li><details><summary>Schemas</summary><ul>${names.join("")}</ul></details></li>
</ul></nav>`;
}

function tagSection(
  document: Document,
  name: string,
  description: string,
  endpoints: readonly Endpoint[],
): string {
  const sections = endpoints
    .filter(({ operation }) => operation.tags.includes(name))
    .map(({ method, path, operation }) =>
      operationSection(document, operation, `<span class="method">${method}</span> ${breakable(path)}`),
    );
  return `<h2 id="tag-${name}">${capitalized(name)}</h2>
<p>${prose(description)}</p>
${sections.join("\n")}`;
}

/** @param address HTML of the method and the path; empty for webhooks, which the service sends */
function operationSection(document: Document, operation: Operation, address: string): string {
  const { operationId, summary, description, security, parameters, requestBody, responses } = operation;
  const isOpen = security !== undefined && address !== "";
  return `<section id="${operationId}">
<h3>${escaped(summary)}</h3>
${address === "" ? "" : `<p class="address"><code>${address}</code></p>`}
<p>${prose(description)}${isOpen ? ' <span class="quiet">No key.</span>' : ""}</p>
${parameters.length === 0 ? "" : `<h4>Parameters</h4><dl>${parameters.map((one) => field(one.name, { ...one.schema, description: one.description }, one.required === true, `in the ${one.in}`)).join("\n")}</dl>`}
${requestBody === undefined ? "" : `<h4>Body</h4>${bodies(requestBody.content)}`}
<h4>Responses</h4>
<dl>${Object.entries(responses)
    .map(([status, response]) => responseItem(document, status, response))
    .join("\n")}</dl>
</section>`;
}

function responseItem({ components }: Document, status: string, response: Response): string {
  const { description = "", content = {} } =
    response.$ref === undefined
      ? response
      : (components.responses[response.$ref.slice(response.$ref.lastIndexOf("/") + 1)] ?? response);
  // The body of errors is only described once, in a section of its own.
  if (/^[45]/.test(status)) return `<dt>${code(status)} <span class="type">${prose(description)}</span></dt>`;
  return `<dt>${code(status)}</dt><dd>${prose(description)}${bodies(content)}</dd>`;
}

const bodies = (content: Content): string =>
  Object.entries(content)
    .map(([type, { schema, example }]) => {
      const what = schema === undefined ? "" : `: ${typeOf(schema)}`;
      const shown =
        example === undefined
          ? ""
          : `<details><summary>Example</summary>${exampleOf(type, example)}</details>`;
      return `<p>${code(type)}${what}</p>${shown}`;
    })
    .join("\n");

const exampleOf = (type: string, example: unknown): string =>
  type === "application/x-www-form-urlencoded"
    ? block(String(new URLSearchParams(example as Record<string, string>)))
    : block(JSON.stringify(example, null, 2));

const capitalized = (name: string): string => name.charAt(0).toUpperCase() + name.slice(1);
