/** What the source of JSON begins with if it is a response that the page has requested. */
export const RESPONSE = "response:";
