/** Quotes a text as one shell argument. */
export const shellQuote = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`
