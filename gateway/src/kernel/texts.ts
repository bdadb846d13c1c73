/** Returns the start of a text that can be stored and sent: without NUL, and not cut within a character. */
export const startOf = (text: string, lengthMax: number): string =>
  text.replaceAll('\0', '').slice(0, lengthMax).toWellFormed()
