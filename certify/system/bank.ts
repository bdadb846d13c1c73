import { appendFileSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Fault, FaultOptions } from '@kobo/connectors/faults.ts'
import { wallClock } from '@kobo/gateway/kernel/clock.ts'
import { hidden } from '@kobo/gateway/kernel/hidden.ts'
import { openPost } from '@kobo/gateway/platform/http/post-json.ts'
import { requestSigned } from '@kobo/gateway/rails/http/index.ts'
import { until } from '../../deploy/ha/processes.ts'
import { keepRunning } from './process.ts'

/** The code under which the gateways know the bank. */
export const PARTNER = 'sandbox'

/** A transfer in the bank's book. */
export interface Booked {
  /** The order's reference. Another attempt has the same one with `~2`. */
  readonly reference: string
  readonly amount: number
  readonly sessionId: string
  /** The day in Lagos, such as 2026-11-18. */
  readonly day: string
  /** Faults that its reference met. */
  readonly faults: readonly Fault[]
}

/** A simulated bank behind a connector, in its own process. It stores its transfers in a file, to survive restarts. */
export interface Bank {
  readonly url: string
  readonly pid: () => number
  /** The settings of a gateway that uses it. */
  readonly settings: NodeJS.ProcessEnv
  readonly inject: (fault: Fault, how?: FaultOptions) => Promise<void>
  /** Removes all faults. */
  readonly repair: () => Promise<void>
  readonly transfers: () => readonly Booked[]
  readonly stop: () => void
}

const RESPONSE_MILLISECONDS_MAX = 10_000
/** How far Lagos is ahead of UTC. */
const LAGOS_MILLISECONDS = 3_600_000

export function startBank(folder: string, port: number): Bank {
  const file = join(folder, 'bank.jsonl')
  appendFileSync(file, '')
  const secret = 'a-secret-between-gateways-and-bank'
  const url = `http://127.0.0.1:${port}/${PARTNER}`
  const connector = keepRunning('connectors/src/main.ts', {
    ...process.env,
    PORT: String(port),
    KOBO_CONNECTORS: `${PARTNER}?book=${file}`,
    KOBO_RAILS_SECRET: secret,
    LOG_LEVEL: 'error',
  })
  const { post, close } = openPost({
    allowPrivate: true,
    timeoutMilliseconds: RESPONSE_MILLISECONDS_MAX,
    excerptLengthMax: 65_536,
  })
  // Repeated, because another scenario may have killed or frozen the connector.
  const control = (name: string, body: object): Promise<void> =>
    until(`the bank accepts control/${name}`, async () => {
      const options = { url, keys: { secret: hidden(secret) }, wall: wallClock, post }
      return (await requestSigned(options, `control/${name}`, JSON.stringify(body))).text !== undefined
    })
  return {
    url: `http://127.0.0.1:${port}`,
    pid: connector.pid,
    settings: { KOBO_RAILS_URL: url, KOBO_RAILS_SECRET: secret },
    inject: (fault, how = {}) => control('fault', { fault, ...how }),
    repair: () => control('mend', {}),
    transfers: () => readTransfers(file),
    stop: () => {
      connector.stop()
      close()
    },
  }
}

/** A line of the bank's file. */
interface Line {
  readonly rail?: string
  readonly reference: string
  readonly at?: string
  readonly facts?: { readonly amount?: string; readonly sessionId: string }
  readonly fault?: Fault
}

function readTransfers(file: string): readonly Booked[] {
  const lines = readFileSync(file, 'utf8')
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as Line)
  const faults = Map.groupBy(lines, ({ reference }) => reference)
  return lines.flatMap(({ rail, reference, facts, at = '' }) =>
    rail !== 'transfer' || facts?.amount === undefined
      ? []
      : {
          reference,
          amount: Number(facts.amount),
          sessionId: facts.sessionId,
          day: new Date(Date.parse(at) + LAGOS_MILLISECONDS).toISOString().slice(0, 10),
          faults: (faults.get(reference) ?? []).flatMap(({ fault }) => fault ?? []),
        },
  )
}
