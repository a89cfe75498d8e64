/** How many links a span may have: as many as there are requests in a large batch. */
export const MOST_LINKS = 1_024;
/** The longest text of an attribute, in characters; longer ones are cut. */
export const LONGEST_TEXT = 1_024;
