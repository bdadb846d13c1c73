import type { AddressInfo } from 'node:net'
import { createServer, type Socket } from 'node:net'
import type { TestContext } from 'node:test'

/**
 * An acquirer's switch by ISO 8583:1987, with its own reader and writer: two bytes of length, type, bitmap, fields in
 * ASCII, PIN block in bytes. The length of each field: a number, or the digits of its own length as 'LL' and 'LLL'.
 */
const LENGTHS: Record<number, number | 'LL' | 'LLL'> = {
  ...{ 2: 'LL', 3: 6, 4: 12, 7: 10, 11: 6, 12: 6, 13: 4, 14: 4, 18: 4, 22: 3, 25: 2, 32: 'LL', 37: 12, 38: 6, 39: 2 },
  ...{ 41: 8, 42: 15, 43: 40, 49: 3, 52: 8, 70: 3, 90: 42, 127: 'LLL' },
}

type Fields = Map<number, string>

function read(text: Buffer): { type: string; fields: Fields } {
  const fields: Fields = new Map()
  const bits = [...text.subarray(4, 20)].map((byte) => byte.toString(2).padStart(8, '0')).join('')
  let at = bits[0] === '1' ? 20 : 12
  for (let number = 2; number <= (bits[0] === '1' ? 128 : 64); number++) {
    if (bits[number - 1] !== '1') continue
    const length = LENGTHS[number]
    if (length === undefined) throw new Error(`the switch has no field ${number}`)
    const digits = typeof length === 'number' ? 0 : length.length
    const size = typeof length === 'number' ? length : Number(text.toString('latin1', at, at + digits))
    fields.set(number, text.toString(number === 52 ? 'hex' : 'latin1', at + digits, at + digits + size))
    at += digits + size
  }
  if (at !== text.length) throw new Error('there is more in the message than its bitmap says')
  return { type: text.toString('latin1', 0, 4), fields }
}

function write(type: string, fields: Fields): Buffer {
  const numbers = [...fields.keys()].sort((a, b) => a - b)
  const isLong = numbers.some((number) => number > 64)
  const bits = Array.from({ length: isLong ? 128 : 64 }, (_, at) =>
    fields.has(at + 1) || (isLong && at === 0) ? '1' : '0',
  )
  const bitmap = Buffer.from((bits.join('').match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)))
  const body = numbers.map((number) => {
    const value = fields.get(number) ?? ''
    const length = LENGTHS[number]
    return typeof length === 'string' ? String(value.length).padStart(length.length, '0') + value : value
  })
  const text = Buffer.concat([Buffer.from(type), bitmap, Buffer.from(body.join(''), 'latin1')])
  return Buffer.concat([Buffer.from([text.length >> 8, text.length & 255]), text])
}

export interface Switch {
  readonly address: string
  /** The types of all messages received, in order. Network messages also have their code. */
  readonly messages: string[]
  readonly last: (type: string) => Fields
  readonly approvedCharges: () => number
  /**
   * How charges (0200) are responded to: normally, not at all, or with an error code although the charge is approved.
   */
  readonly respondToCharges: (how: 'soundly' | 'not' | `by ${string}`) => void
  /** Ignores this many reversals before it acknowledges one. */
  readonly ignoreReversals: (count: number) => void
  /** Rejects this many reversals with a code before it executes one. */
  readonly rejectReversals: (count: number, code: string) => void
  /** Sends the delayed responses. */
  readonly respondLate: () => void
  /** Breaks the connection, and accepts no other until it is back. */
  readonly goAway: () => void
  readonly comeBack: () => Promise<void>
}

export async function acquirerSwitch(t: TestContext): Promise<Switch> {
  const messages: string[] = []
  const last = new Map<string, Fields>()
  const charges = new Map<string, 'approved' | 'declined' | 'reversed'>()
  const lines = new Set<Socket>()
  const signedOn = new WeakSet<Socket>()
  let late: (() => void)[] = []
  let how = 'soundly'
  let ignored = 0
  let rejected = { count: 0, code: '96' }

  const echoed = (fields: Fields, more: [number, string][]): Fields =>
    new Map([
      ...[3, 4, 7, 11, 32, 37, 41, 49, 70].flatMap((n) =>
        fields.has(n) ? [[n, fields.get(n) ?? ''] as [number, string]] : [],
      ),
      ...more,
    ])

  function charge(line: Socket, fields: Fields): void {
    const rrn = fields.get(37) ?? ''
    const isSound =
      fields.get(49) === '566' &&
      /^[0-9a-f]{16}$/.test(fields.get(52) ?? '') &&
      /^[0-9A-F]{20}$/.test(fields.get(127) ?? '')
    const code =
      !signedOn.has(line) || !isSound ? '30' : charges.has(rrn) ? '94' : fields.get(2)?.endsWith('51') ? '51' : '00'
    if (!charges.has(rrn)) charges.set(rrn, code === '00' ? 'approved' : 'declined')
    const responseCode = how.startsWith('by ') ? how.slice(3) : code
    const respond = () =>
      void line.write(
        write(
          '0210',
          echoed(fields, [
            [38, 'A1B2C3'],
            [39, responseCode],
          ]),
        ),
      )
    if (how === 'not') late.push(respond)
    else respond()
  }

  const server = createServer((line) => {
    lines.add(line)
    line.on('close', () => lines.delete(line)).on('error', () => {})
    let received = Buffer.alloc(0)
    line.on('data', (part) => {
      received = Buffer.concat([received, part])
      while (received.length >= 2 && received.length >= 2 + received.readUInt16BE()) {
        const length = received.readUInt16BE()
        const { type, fields } = read(received.subarray(2, 2 + length))
        received = received.subarray(2 + length)
        messages.push(type === '0800' ? `0800/${fields.get(70)}` : type)
        last.set(type, fields)
        if (type === '0800') {
          signedOn.add(line)
          line.write(write('0810', echoed(fields, [[39, '00']])))
        } else if (type === '0200') charge(line, fields)
        else if (type === '0420' || type === '0421') {
          if (ignored-- > 0) continue
          if (rejected.count-- > 0) {
            line.write(write('0430', echoed(fields, [[39, rejected.code]])))
            continue
          }
          charges.set(fields.get(37) ?? '', 'reversed')
          line.write(write('0430', echoed(fields, [[39, '00']])))
        }
      }
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  t.after(() => {
    for (const line of lines) line.destroy()
    server.close()
  })
  return {
    address: `127.0.0.1:${port}`,
    messages,
    last: (type) => last.get(type) ?? new Map(),
    approvedCharges: () => [...charges.values()].filter((state) => state === 'approved').length,
    respondToCharges: (other) => {
      how = other
    },
    ignoreReversals: (count) => {
      ignored = count
    },
    rejectReversals: (count, code) => {
      rejected = { count, code }
    },
    respondLate: () => {
      for (const respond of late) respond()
      late = []
    },
    goAway: () => {
      server.close()
      for (const line of lines) line.destroy()
    },
    comeBack: () => new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve)),
  }
}
