/** No valid request is nested deeper than NESTING_MAX or has an object with more than FIELDS_MAX fields. */
export const NESTING_MAX = 32
const FIELDS_MAX = 256
/** Shorter texts are not scanned, because parsing them is quick in any case. */
const SCANNED_FROM_BYTES = 2_048

const [QUOTE, COMMA, BACKSLASH] = [0x22, 0x2c, 0x5c]
const [LIST_OPENS, LIST_CLOSES, OBJECT_OPENS, OBJECT_CLOSES] = [0x5b, 0x5d, 0x7b, 0x7d]

export const isScanned = (text: Uint8Array): boolean => text.length >= SCANNED_FROM_BYTES

/**
 * Finds the limit that a JSON text exceeds; undefined if none. Counts separators instead of parsing, because parsing a
 * few megabytes of small values takes seconds. The text may be invalid JSON.
 */
export function findExcess(text: Uint8Array, valuesMax: number): string | undefined {
  if (text.length < SCANNED_FROM_BYTES) return undefined
  let values = 1
  let depth = 0
  /**
   * The number of fields of each open object so far; negative for a list, whose length is bounded by the number of
   * values.
   */
  const fields = new Int32Array(NESTING_MAX + 1)
  for (let at = 0; at < text.length; at++) {
    const byte = text[at]
    if (byte === QUOTE) at = endOfText(text, at)
    else if (byte === COMMA) {
      values++
      const count = fields[depth] ?? 0
      if (count > 0) fields[depth] = count + 1
      if (count >= FIELDS_MAX) return `must have at most ${FIELDS_MAX} fields per object`
    } else if (byte === OBJECT_OPENS || byte === LIST_OPENS) {
      values++
      if (++depth > NESTING_MAX) return `must be nested at most ${NESTING_MAX} levels deep`
      fields[depth] = byte === OBJECT_OPENS ? 1 : -1
    } else if (byte === OBJECT_CLOSES || byte === LIST_CLOSES) depth = Math.max(0, depth - 1)
    if (values > valuesMax) return `must have at most ${valuesMax} values`
  }
  return undefined
}

/** Whether a quick count shows that a JSON text is not nested too deeply. Longer texts were scanned by `findExcess`. */
export function isShallow(text: Uint8Array): boolean {
  if (isScanned(text)) return true
  let opened = 0
  for (let at = 0; at < text.length; at++) if (text[at] === OBJECT_OPENS || text[at] === LIST_OPENS) opened++
  return opened <= NESTING_MAX
}

/** Finds the end of the string that starts at `start`. */
function endOfText(text: Uint8Array, start: number): number {
  let at = start + 1
  while (at < text.length && text[at] !== QUOTE) at += text[at] === BACKSLASH ? 2 : 1
  return at
}
