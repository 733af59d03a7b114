/** Markup that is safe to send: made by `html`, which escapes whatever is put into it. */
export class Html {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

export type Content = string | number | Html | readonly Content[];

/** Template tag: values are escaped unless they are `Html` themselves; arrays are joined. */
export function html(strings: TemplateStringsArray, ...values: Content[]): Html {
  return new Html(String.raw({ raw: strings }, ...values.map(render)));
}

function render(content: Content): string {
  if (content instanceof Html) return content.text;
  if (typeof content === "object") return content.map(render).join("");
  return String(content).replace(/[&<>"']/g, (char) => `&#${char.charCodeAt(0)};`);
}
