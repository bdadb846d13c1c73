/** An ISO 8583:1987 message: its fields by their numbers, and its type as number 0. */
export type Message = Readonly<Record<number, string>>

type Format =
  | { readonly kind: 'fixed'; readonly length: number }
  /** A variable length up to a maximum. Two or three digits before the value state its length. */
  | { readonly kind: 'counted'; readonly digits: 2 | 3; readonly max: number }
  /** Bytes, written as hexadecimal. */
  | { readonly kind: 'bytes'; readonly length: number }

const fixed = (length: number): Format => ({ kind: 'fixed', length })
const counted = (digits: 2 | 3, max: number): Format => ({ kind: 'counted', digits, max })
const bytes = (length: number): Format => ({ kind: 'bytes', length })

/** The fields that we use, in ASCII. A message with any other field cannot be parsed. */
const FORMATS: Readonly<Record<number, Format>> = {
  2: counted(2, 19),
  3: fixed(6),
  4: fixed(12),
  7: fixed(10),
  11: fixed(6),
  12: fixed(6),
  13: fixed(4),
  14: fixed(4),
  15: fixed(4),
  18: fixed(4),
  22: fixed(3),
  25: fixed(2),
  28: fixed(9),
  32: counted(2, 11),
  35: counted(2, 37),
  37: fixed(12),
  38: fixed(6),
  39: fixed(2),
  41: fixed(8),
  42: fixed(15),
  43: fixed(40),
  44: counted(2, 25),
  48: counted(3, 999),
  49: fixed(3),
  52: bytes(8),
  54: counted(3, 120),
  64: bytes(8),
  70: fixed(3),
  90: fixed(42),
  95: fixed(42),
  123: counted(3, 999),
  127: counted(3, 999),
  128: bytes(8),
}

const TYPE_LENGTH = 4
const BITMAP_LENGTH = 16
const HALF_BITMAP_LENGTH = 8

function written(number: number, value: string): Buffer {
  const format = FORMATS[number]
  if (format === undefined) throw new Error(`field ${number} has no format`)
  if (format.kind === 'bytes') {
    if (!new RegExp(`^[0-9A-F]{${format.length * 2}}$`, 'i').test(value))
      throw new Error(`field ${number} is malformed`)
    return Buffer.from(value, 'hex')
  }
  if (!/^[\x20-\x7e]*$/.test(value)) throw new Error(`field ${number} is not ASCII`)
  if (format.kind === 'fixed') {
    if (value.length !== format.length) throw new Error(`field ${number} must have ${format.length} characters`)
    return Buffer.from(value, 'latin1')
  }
  if (value.length > format.max) throw new Error(`field ${number} has more than ${format.max} characters`)
  return Buffer.from(String(value.length).padStart(format.digits, '0') + value, 'latin1')
}

/** Returns the bytes of a message: type, both bitmaps, fields. Throws if a field does not match its format. */
export function encode(message: Message): Buffer {
  const bitmap = Buffer.alloc(BITMAP_LENGTH)
  bitmap[0] = 0x80 // says that the second bitmap is present
  const parts: Buffer[] = [Buffer.from(message[0] ?? '', 'latin1'), bitmap]
  const numbers = Object.keys(message)
    .map(Number)
    .filter((number) => number > 0)
  for (const number of numbers.sort((a, b) => a - b)) {
    const place = (number - 1) >> 3
    bitmap[place] = (bitmap[place] ?? 0) | (0x80 >> ((number - 1) & 7))
    parts.push(written(number, message[number] ?? ''))
  }
  return Buffer.concat(parts)
}

/** Parses a whole message; undefined if it is invalid or has an unknown field. */
export function decode(text: Buffer): Message | undefined {
  const type = text.subarray(0, TYPE_LENGTH).toString('latin1')
  const hasSecond = ((text[TYPE_LENGTH] ?? 0) & 0x80) !== 0
  const bitmap = text.subarray(TYPE_LENGTH, TYPE_LENGTH + (hasSecond ? BITMAP_LENGTH : HALF_BITMAP_LENGTH))
  if (!/^\d{4}$/.test(type) || bitmap.length < HALF_BITMAP_LENGTH) return undefined
  const message: Record<number, string> = { 0: type }
  let place = TYPE_LENGTH + bitmap.length
  for (let number = 2; number <= bitmap.length * 8; number++) {
    if (((bitmap[(number - 1) >> 3] ?? 0) & (0x80 >> ((number - 1) & 7))) === 0) continue
    const field = readField(text, place, FORMATS[number])
    if (field === undefined) return undefined
    message[number] = field.value
    place = field.end
  }
  return place === text.length ? message : undefined
}

function readField(
  text: Buffer,
  start: number,
  format: Format | undefined,
): { value: string; end: number } | undefined {
  if (format === undefined) return undefined
  let from = start
  let length = format.kind === 'counted' ? 0 : format.length
  if (format.kind === 'counted') {
    const count = text.subarray(start, start + format.digits).toString('latin1')
    if (!/^\d+$/.test(count) || count.length !== format.digits || Number(count) > format.max) return undefined
    from = start + format.digits
    length = Number(count)
  }
  const end = from + length
  if (end > text.length) return undefined
  const value = text.subarray(from, end).toString(format.kind === 'bytes' ? 'hex' : 'latin1')
  return { value: format.kind === 'bytes' ? value.toUpperCase() : value, end }
}

const LENGTH_BYTES = 2
const MESSAGE_LENGTH_MAX = 4_096

/** A message with its length prefix. */
export function framed(message: Message): Buffer {
  const text = encode(message)
  const length = Buffer.alloc(LENGTH_BYTES)
  length.writeUInt16BE(text.length)
  return Buffer.concat([length, text])
}

/** Extracts whole messages from received bytes; undefined if the bytes are not messages of this protocol. */
export function unframed(received: Buffer): { readonly texts: readonly Buffer[]; readonly rest: Buffer } | undefined {
  const texts: Buffer[] = []
  let rest = received
  while (rest.length >= LENGTH_BYTES) {
    const length = rest.readUInt16BE()
    if (length > MESSAGE_LENGTH_MAX) return undefined
    if (rest.length < LENGTH_BYTES + length) break
    texts.push(rest.subarray(LENGTH_BYTES, LENGTH_BYTES + length))
    rest = rest.subarray(LENGTH_BYTES + length)
  }
  return { texts, rest }
}
