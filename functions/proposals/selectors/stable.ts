/** Tells which class names and ids of a page are likely to stay the same when the site changes. */

/** Class names of states, such as "active" or "loading". They come and go while a page is open. */
const STATE =
  /^(?:is|has|js)-|(?:^|[-_])(?:active|selected|current|hover(?:ed)?|focus(?:ed)?|open(?:ed)?|close[d]?|show(?:n)?|hid(?:e|den)|visible|invisible|disabled|enabled|loading|loaded|lazy(?:load(?:ed)?)?|first|last|odd|even|expanded|collapsed|visited|new|sale|animated|in-?view|ng-\w+|sticky|alt|fade|in)(?:$|[-_])/i;
/** Utility classes of CSS frameworks, which set a style, such as "mt-4" or "flex". */
const UTILITY =
  /[:/[\]@!]|^-?(?:m|p)[trblxyse]?-(?:\d|auto|px)|^(?:col|row|grid|flex|order|offset|w|h|min|max|text|bg|border|rounded|shadow|font|leading|tracking|items|justify|content|self|place|gap|space|divide|z|top|bottom|left|right|inset|overflow|opacity|transition|duration|ease|cursor|float|clear|align|d|display|position|pull|push|size|sm|md|lg|xl|u|o)-|^(?:flex|grid|block|inline|inline-block|hidden|relative|absolute|fixed|static|container|container-fluid|row|clearfix|cf|truncate|uppercase|lowercase|capitalize|underline|italic|antialiased|group|wrapper|inner|outer|left|right|center|small|large|big|box|clear|col|column|columns|span\d+|large-\d+|medium-\d+|small-\d+|grid_\d+|pull-(?:left|right))$/i;
const VOWELS = /[aeiouyAEIOUY]/;

/** Whether a class name or an id looks generated: it contains the id of a record, or a hash of a build. */
export function isGenerated(name: string): boolean {
  if (/\d{3}|^\d|^:|[^\w:/[\]@.!-]/.test(name)) return true;
  // Names of CSS-in-JS libraries: css-1x2y3z, sc-bdVaJa, jsx-…
  if (
    /^(?:css|sc|jss|jsx|svelte|ng|emotion|styled|_)-?[a-z0-9]*\d?/i.test(name) &&
    /^(?:css|sc|jsx|svelte|jss|emotion|styled)[-\d]/i.test(name)
  )
    return true;
  return name.split(/__|--|[-_]/).some(isHash);
}

/** Whether a part of a name looks like a hash: digits among letters, changing case, or no vowels. */
function isHash(part: string): boolean {
  if (part.length < 5) return false;
  const digits = part.replace(/\D/g, "").length;
  if (digits > 0 && /\d[a-z]/i.test(part) && /[a-z]\d/i.test(part)) return true;
  if (digits === 0 && part.length >= 6 && !VOWELS.test(part)) return true;
  const switches = part.match(/[a-z][A-Z]/g)?.length ?? 0;
  return (
    (switches >= 2 && part.length <= 8) ||
    (/^[a-zA-Z]{5,8}$/.test(part) && /[a-z][A-Z]{2,}[a-z]|[A-Z]{2}[a-z][A-Z]/.test(part))
  );
}

export const isState = (name: string): boolean => STATE.test(name);
export const isUtility = (name: string): boolean => UTILITY.test(name);
/** Whether a name is neither generated nor that of a state, and at most 60 characters long. */
export const isStable = (name: string): boolean => !isGenerated(name) && !isState(name) && name.length <= 60;
