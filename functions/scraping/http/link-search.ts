/** Characters that end an address in HTML. */
const ENDS = new Set([..."\"'> \t\n"].map((character) => character.charCodeAt(0)));

/** The spellings that an address may have in HTML. */
function spellingsOf(url: string): string[] {
  const { href, pathname, search } = new URL(url);
  const name = pathname.slice(pathname.lastIndexOf("/") + 1);
  const forms = [href, pathname + search, name + search, search].filter((form) => form !== "");
  return [...new Set(forms.flatMap((form) => [form, form.replaceAll("&", "&amp;")]))];
}

/** Whether HTML seems to have a link to an address. */
export const hasLinkTo = (html: Buffer, url: string): boolean =>
  spellingsOf(url).some((text) => {
    for (let at = html.indexOf(text); at >= 0; at = html.indexOf(text, at + 1))
      if (ENDS.has(html[at + text.length] ?? 0)) return true;
    return false;
  });
