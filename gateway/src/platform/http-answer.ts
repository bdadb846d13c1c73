/** An answer that is no HTTP, or not as we take it. */
export class BadAnswer extends Error {}

/** What a server answered over HTTP/1.1. */
export interface HttpAnswer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  /** How the body begins. */
  readonly body: Buffer
  /** Whether the connection may be used again. */
  readonly keepsAlive: boolean
  /** Whether it ended before all of it had arrived. */
  readonly isCutShort: boolean
}

/** Reads one answer from a connection. Whatever it throws, the connection is of no use any more. */
export interface AnswerReader {
  /** Takes bytes as they come; answers once the answer is whole, or so long that nobody reads on. */
  readonly push: (bytes: Buffer) => HttpAnswer | undefined
  /** The connection was closed: what is known by then. */
  readonly close: () => HttpAnswer | undefined
}

export interface AnswerBounds {
  /** So much of the body is kept. */
  readonly keptLengthMax: number
  /** Beyond it nobody reads on. */
  readonly bodyLengthMax: number
}

const HEAD_LENGTH_MAX = 16_384
const CHUNK_HEAD_LENGTH_MAX = 1_024
/** So many answers may only announce another one. */
const ANNOUNCED_MAX = 10
const HEAD_END = Buffer.from('\r\n\r\n')
const LINE_END = Buffer.from('\r\n')
const NOTHING: Buffer = Buffer.alloc(0)

const STATUS_LINE = /^HTTP\/1\.([01]) ([1-9]\d\d)(?: |$)/
const HEADER_LINE = /^([!#$%&'*+.^_`|~\w-]+):[ \t]*(.*?)[ \t]*$/
const FORBIDDEN = /[\0\r\n]/
const LENGTH = /^\d{1,15}$/
const CHUNK_HEAD = /^([\da-fA-F]{1,12})[ \t]*(?:;.*)?$/
const OK = 200
const SWITCHING_PROTOCOLS = 101
const WITHOUT_BODY = new Set([204, 304])

interface Head {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly keepsAlive: boolean
  /** How many bytes follow; or that they come in chunks, or until the connection is closed. */
  readonly length: number | 'chunks' | 'until closed'
}

/** As strict as it can be: what could be read in two ways is no answer. */
export function answerReader({ keptLengthMax, bodyLengthMax }: AnswerBounds): AnswerReader {
  const unread = unreadBytes()
  let head: Head | undefined
  let kept = NOTHING
  let length = 0
  /** Takes up to so many bytes of the body; answers how many. */
  const take = (most: number): number => {
    const bytes = unread.take(most)
    const room = Math.min(bytes.length, keptLengthMax - kept.length)
    if (room > 0) kept = kept.length === 0 ? bytes.subarray(0, room) : Buffer.concat([kept, bytes.subarray(0, room)])
    length += bytes.length
    return bytes.length
  }
  const nextHead = headReader(unread)
  const areChunksRead = chunkReader(unread, take)
  const isRead = ({ length: expected }: Head): boolean => {
    if (expected === 'chunks') return areChunksRead()
    take(expected === 'until closed' ? Number.POSITIVE_INFINITY : expected - length)
    return length === expected
  }
  const answer = ({ status, headers, keepsAlive }: Head, isWhole: boolean): HttpAnswer => ({
    status,
    headers,
    body: kept,
    keepsAlive: isWhole && keepsAlive && unread.length() === 0,
    isCutShort: false,
  })
  return {
    push: (bytes) => {
      unread.add(bytes)
      head ??= nextHead()
      if (head === undefined) return undefined
      if (isRead(head)) return answer(head, true)
      return length > bodyLengthMax ? answer(head, false) : undefined
    },
    close: () =>
      head === undefined ? undefined : { ...answer(head, false), isCutShort: head.length !== 'until closed' },
  }
}

/** Bytes that have arrived and that nobody has read yet. */
interface Unread {
  readonly add: (bytes: Buffer) => void
  readonly length: () => number
  /** Up to so many of them. */
  readonly take: (most: number) => Buffer
  /** What stands before an end, without it, once that is there. Fails where it is longer than this. */
  readonly until: (end: Buffer, lengthMax: number) => string | undefined
}

function unreadBytes(): Unread {
  let bytes = NOTHING
  const take = (most: number): Buffer => {
    const taken = bytes.subarray(0, most)
    bytes = bytes.subarray(taken.length)
    return taken
  }
  return {
    add: (more) => {
      bytes = bytes.length === 0 ? more : Buffer.concat([bytes, more])
    },
    length: () => bytes.length,
    take,
    until: (end, lengthMax) => {
      const at = bytes.indexOf(end)
      if ((at === -1 ? bytes.length : at) > lengthMax) throw new BadAnswer('the answer has too long a head')
      if (at === -1) return undefined
      const text = take(at).toString('latin1')
      take(end.length)
      return text
    },
  }
}

/** Makes what reads chunks as far as they are there, and answers whether the last one has ended. */
function chunkReader(unread: Unread, take: (most: number) => number): () => boolean {
  /** Of the chunk that is being read; undefined where its head comes next. */
  let left: number | undefined
  let isLast = false
  return () => {
    while (true) {
      if (isLast) {
        const trailer = unread.until(LINE_END, HEAD_LENGTH_MAX)
        if (trailer === undefined || trailer === '') return trailer === ''
        continue // nobody asked for it
      }
      if (left === undefined) {
        const line = unread.until(LINE_END, CHUNK_HEAD_LENGTH_MAX)
        if (line === undefined) return false
        const size = CHUNK_HEAD.exec(line)?.[1]
        if (size === undefined) throw new BadAnswer('a chunk of the answer has no size')
        left = Number.parseInt(size, 16)
        isLast = left === 0
        continue
      }
      left -= take(left)
      if (left > 0 || unread.length() < LINE_END.length) return false
      if (!unread.take(LINE_END.length).equals(LINE_END)) throw new BadAnswer('a chunk of the answer has no end')
      left = undefined
    }
  }
}

/** Makes what reads the head of an answer once it is there, past those that only announce it. */
function headReader(unread: Unread): () => Head | undefined {
  let announced = 0
  return () => {
    while (announced <= ANNOUNCED_MAX) {
      const text = unread.until(HEAD_END, HEAD_LENGTH_MAX)
      if (text === undefined) return undefined
      const head = parseHead(text)
      if (head.status >= OK) return head
      announced = head.status === SWITCHING_PROTOCOLS ? Number.POSITIVE_INFINITY : announced + 1
    }
    throw new BadAnswer('the answer is none')
  }
}

/** Reads the first lines of an answer. */
function parseHead(text: string): Head {
  const [first = '', ...lines] = text.split('\r\n')
  const [, minor, digits] = STATUS_LINE.exec(first) ?? []
  if (digits === undefined || FORBIDDEN.test(first)) throw new BadAnswer('the answer is no HTTP')
  const headers: Record<string, string> = Object.create(null)
  for (const line of lines) {
    const [, name, value = ''] = HEADER_LINE.exec(line) ?? []
    if (name === undefined || FORBIDDEN.test(value)) throw new BadAnswer('the answer has a broken header')
    const key = name.toLowerCase()
    headers[key] = headers[key] === undefined ? value : `${headers[key]}, ${value}`
  }
  const status = Number(digits)
  const isClosing = /\bclose\b/i.test(headers['connection'] ?? (minor === '0' ? 'close' : ''))
  return { status, headers, keepsAlive: !isClosing, length: lengthOf(status, headers) }
}

function lengthOf(status: number, headers: Readonly<Record<string, string>>): Head['length'] {
  const { 'transfer-encoding': coding, 'content-length': length } = headers
  if (coding !== undefined && (coding.toLowerCase() !== 'chunked' || length !== undefined))
    throw new BadAnswer('the answer has no length that can be relied on')
  // Two of them are joined by a comma, and are none.
  if (length !== undefined && !LENGTH.test(length))
    throw new BadAnswer('the answer has no length that can be relied on')
  if (status < OK || WITHOUT_BODY.has(status)) return 0
  return coding !== undefined ? 'chunks' : length !== undefined ? Number(length) : 'until closed'
}
