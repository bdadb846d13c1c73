import { readFileSync } from 'node:fs'
import { setTimeout as wait } from 'node:timers/promises'
import * as contract from '@kobo/contract'
import { median } from './benchmark.ts'
import { load } from './load.ts'
import { aTransaction } from './merchant.ts'
import type { DashboardOptions, Reader } from './reader.ts'

const CONNECTIONS = 16
const MEMORY_EVERY_MILLISECONDS = 500
const EXPORT_SECONDS_MAX = 900
/** What the gateway has made ahead goes on for a moment after nobody reads any more. */
const SETTLE_MILLISECONDS = 300

/**
 * Payments alone and payments while all transactions are exported, in turn: one export, which is read in the windows beside
 * payments, and left alone in the others. At the end the rest of it is read at full speed.
 */
export async function exportBesidePayments(
  reader: Reader,
  file: string,
  { rounds, seconds, progress }: DashboardOptions,
): Promise<Readonly<Record<string, string>>> {
  const pay = await payments(reader, file)
  progress('payments alone')
  await pay(seconds)
  const reading = await beginExport(reader)
  const windows = { alone: [] as number[], beside: [] as number[] }
  for (let round = 0; round < rounds; round++) {
    // Who comes first in a round comes last in the next.
    for (const isBeside of round % 2 === 0 ? [false, true] : [true, false]) {
      progress(`round ${round + 1} of ${rounds}, ${isBeside ? 'beside an export' : 'alone'}`)
      if (isBeside) reading.goOn()
      else await reading.pause()
      const { perSecond } = await pay(seconds)
      windows[isBeside ? 'beside' : 'alone'].push(perSecond)
      await reading.lookAtMemory() // between windows: the look itself takes 15 ms of the gateway
    }
  }
  await reading.pause()
  const ratios = windows.beside.map((rate, round) => (rate / (windows.alone[round] ?? rate)) * 100)
  const beside = reading.bytes()
  progress('the rest of the export')
  const began = performance.now()
  const { bytes, megabytesMax } = await reading.toTheEnd()
  const rest = (performance.now() - began) / 1_000
  const shown = (numbers: readonly number[]): string => numbers.map((one) => one.toFixed(0)).join(' ')
  const sum = (numbers: readonly number[]): number => numbers.reduce((all, one) => all + one, 0)
  return {
    'payments a second alone, by round': shown(windows.alone),
    'payments a second beside an export': shown(windows.beside),
    'all beside ÷ all alone, %': ((sum(windows.beside) / sum(windows.alone)) * 100).toFixed(1),
    'the middle of the rounds’ ratios, %': `${median(ratios).toFixed(1)} (${shown(ratios.toSorted((a, b) => a - b))})`,
    'exported beside payments, MB / seconds': `${megabytes(beside)} / ${(rounds * seconds).toFixed(0)}`,
    'exported alone, MB / seconds': `${megabytes(bytes - beside)} / ${rest.toFixed(0)}`,
    'memory of the gateway meanwhile at most, MB': megabytesMax.toFixed(0),
  }
}

const megabytes = (bytes: number): string => (bytes / 1_000_000).toFixed(0)

/** What has so many seconds of payments made. */
async function payments({ baseUrl }: Reader, file: string) {
  const credentials = JSON.parse(readFileSync(file, 'utf8')) as {
    readonly apiKey: string
    readonly secretKey: string
    readonly contractCode: string
  }
  const { accessToken: token } = await contract.logIn({ baseUrl }, credentials)
  let made = 0
  return (seconds: number) =>
    load({
      url: baseUrl.replace('localhost', '127.0.0.1'),
      connections: CONNECTIONS,
      requestsMax: Number.POSITIVE_INFINITY,
      secondsMax: seconds,
      request: () =>
        contract.requestOf(
          { baseUrl: '', token },
          contract.initTransaction,
          aTransaction(credentials.contractCode, `export-${process.pid}-${made++}`),
        ),
    })
}

interface Reading {
  readonly goOn: () => void
  /** Reads no more; the gateway has nothing to do for the export when this is over. */
  readonly pause: () => Promise<void>
  readonly bytes: () => number
  readonly lookAtMemory: () => Promise<void>
  readonly toTheEnd: () => Promise<{ readonly bytes: number; readonly megabytesMax: number }>
}

/** Has all transactions exported, and reads nothing of it yet. */
async function beginExport({ baseUrl, cookie }: Reader): Promise<Reading> {
  const path = contract.exportList.path.replace(':list', 'transactions')
  const signal = AbortSignal.timeout(EXPORT_SECONDS_MAX * 1_000)
  const answer = await fetch(baseUrl + path, { headers: { cookie }, signal })
  const { body } = answer
  if (!answer.ok || body === null) throw new Error(`no export: ${answer.status}`)
  let [bytes, megabytesMax, looksAgainAt] = [0, 0, 0]
  let open = Promise.withResolvers<void>()
  let [isOpen, isLast] = [false, false]
  const goOn = (): void => {
    isOpen = true
    open.resolve()
  }
  const lookAtMemory = async (): Promise<void> => {
    megabytesMax = Math.max(megabytesMax, await memoryOf(baseUrl))
  }
  const read = async (): Promise<void> => {
    for await (const part of body) {
      bytes += part.length
      if (isLast && performance.now() >= looksAgainAt) {
        await lookAtMemory()
        looksAgainAt = performance.now() + MEMORY_EVERY_MILLISECONDS
      }
      await open.promise
    }
  }
  const reading = read()
  reading.catch(() => {}) // told by toTheEnd
  return {
    goOn,
    pause: async () => {
      if (isOpen) open = Promise.withResolvers<void>()
      isOpen = false
      await wait(SETTLE_MILLISECONDS)
    },
    bytes: () => bytes,
    lookAtMemory,
    toTheEnd: async () => {
      isLast = true
      goOn()
      await reading
      return { bytes, megabytesMax }
    },
  }
}

/** The memory of the gateway's process, as it measures it. */
async function memoryOf(baseUrl: string): Promise<number> {
  const text = await (await fetch(`${baseUrl}/metrics`)).text()
  return Number(/^process_resident_memory_bytes(?:\{.*\})? (\S+)/m.exec(text)?.[1] ?? 0) / 1_000_000
}
