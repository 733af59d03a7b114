/**
 * What the id of a scraper or a run looks like. Clients check this before they put an id into the path of a request,
 * because other characters could lead to another route.
 */
export const ID = /^[0-9A-Za-z-]{1,100}$/;
