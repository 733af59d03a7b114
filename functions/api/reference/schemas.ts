import type { Schema } from "./document.ts";
import { code, escaped, prose } from "./html.ts";

const nameOf = ($ref: string): string => $ref.slice($ref.lastIndexOf("/") + 1);

/** The HTML of a type, with links to the named schemas in it. */
export function typeOf(schema: Schema): string {
  const { $ref, anyOf, oneOf, items, type, additionalProperties: values } = schema;
  if ($ref !== undefined) return `<a href="#schema-${nameOf($ref)}">${nameOf($ref)}</a>`;
  const variants = anyOf ?? oneOf;
  if (variants !== undefined) return [...new Set(variants.map(typeOf))].join(" or ");
  if (schema.const !== undefined) return code(JSON.stringify(schema.const));
  if (schema.enum !== undefined) return schema.enum.map((one) => code(JSON.stringify(one))).join(" or ");
  if (type === "array") return items === undefined ? "array" : `array of ${typeOf(items)}`;
  if (type === "object" && typeof values === "object") return `object with values of ${typeOf(values)}`;
  return escaped([type ?? "any value"].flat().join(" or "));
}

/** The HTML of each limit of a value: format, range, length, pattern and default. */
function limitsOf(schema: Schema): string[] {
  const { format, pattern, minimum, maximum, minLength, maxLength, minItems, maxItems } = schema;
  return [
    ...(format === undefined ? [] : [escaped(format)]),
    ...range("", minimum, maximum),
    ...range(" characters", minLength, maxLength),
    ...range(" items", minItems, maxItems),
    ...(pattern === undefined ? [] : [`pattern ${code(pattern)}`]),
    ...(schema.default === undefined ? [] : [`default ${code(JSON.stringify(schema.default))}`]),
  ];
}

function range(unit: string, least: number | undefined, most: number | undefined): string[] {
  const show = (value: number) => value.toLocaleString("en");
  if (least !== undefined && most !== undefined) return [`${show(least)} to ${show(most)}${unit}`];
  if (least !== undefined) return [`at least ${show(least)}${unit}`];
  return most === undefined ? [] : [`at most ${show(most)}${unit}`];
}

/** The HTML of a parameter or a property: name, type, limits, description and nested properties. */
export function field(name: string, schema: Schema, isRequired: boolean, note = ""): string {
  const facts = [typeOf(schema), ...limitsOf(inner(schema)), ...(isRequired ? [] : ["optional"]), note];
  const description = schema.description ?? inner(schema).description;
  return `<dt>${code(name)} <span class="type">${facts.filter((fact) => fact !== "").join(", ")}</span></dt>
<dd>${description === undefined ? "" : `<p>${prose(description)}</p>`}${nested(inner(schema))}</dd>`;
}

/** The schema of the value, without the alternative `null`. */
function inner(schema: Schema): Schema {
  const others = schema.anyOf?.filter(({ type }) => type !== "null");
  return others?.length === 1 && others[0] !== undefined ? others[0] : schema;
}

/** The properties of a nested object, or of the objects in an array. */
function nested(schema: Schema): string {
  const object = schema.type === "array" ? schema.items : schema;
  return object?.properties === undefined ? "" : fieldsOf(object);
}

function fieldsOf({ properties = {}, required = [] }: Schema): string {
  const fields = Object.entries(properties).map(([name, schema]) =>
    field(name, schema, required.includes(name)),
  );
  return `<dl>${fields.join("\n")}</dl>`;
}

/** The section of a named schema. */
export function schemaSection(name: string, schema: Schema): string {
  const { description, properties } = schema;
  const facts = [typeOf(schema), ...limitsOf(schema)].join(", ");
  return `<section id="schema-${name}">
<h3>${name}</h3>
${description === undefined ? "" : `<p>${prose(description)}</p>`}
${properties === undefined ? `<p>${facts}</p>` : fieldsOf(schema)}
</section>`;
}
