declare module "csstoxpath" {
  /** @throws for a selector that XPath can't express */
  export default function cssToXPath(selector: string): string;
}
