import { lookup } from 'node:dns/promises'
import { setTimeout as pause } from 'node:timers/promises'
import { equalSecrets, keyedHash } from '../platform/crypto.ts'
import type { Db } from '../platform/postgres/db.ts'
import type { Position, TimelineFence } from '../platform/postgres/timeline.ts'
import type { Core } from './core.ts'
import { type AuditRecord, audit, NO_MERCHANT } from './security/audit.ts'
import type { Keyring } from './security/keyring.ts'
import { unitOfWork } from './unit-of-work.ts'

/**
 * Accepts a restored database although Kobo has already worked on a newer timeline. Every process reads the acceptance
 * from the database.
 */
export async function acceptTimeline(core: Core, by: Pick<AuditRecord, 'actor' | 'name'>): Promise<number> {
  const timeline = await readTimeline(core.db)
  await unitOfWork(core, async (unit) => {
    audit(unit, { merchantId: NO_MERCHANT, act: 'timeline.accept', ...by, details: { timeline } })
    void unit.tx`insert into accepted_timeline (accepted_at, timeline, accepted_by) values (${core.wall.now()}, ${timeline}, ${by.name ?? by.actor})`
  })
  return timeline
}

async function readTimeline(db: Db): Promise<number> {
  const [row] = await db<{ timeline: number }[]>`
    select ('x' || left(pg_walfile_name(pg_current_wal_lsn()), 8))::bit(32)::integer as timeline`
  return row?.timeline ?? 0
}

/** The header of `/health/live`, in requests and responses, with the newest timeline that the sender has used. */
export const TIMELINE_HEADER = 'kobo-timeline'
const HEADER = /^(\d{1,20})\.(\d{1,10})\.(\d{1,15})\.(\S{1,100})$/

/** The other processes of this installation. */
export interface Peers {
  /** The header’s value: timeline positions, signed so that no outsider can make a process reject its database. */
  readonly timelines: () => string
  /** Learns the positions in another process's header. */
  readonly learn: (header: string) => void
  readonly close: () => void
}

const POLL_MILLISECONDS = 1_000

/**
 * Exchanges timelines with the other processes every second, and before this process uses a newer timeline. The
 * processes call each other directly, not through the database.
 */
export function openPeers(peers: readonly URL[], fence: TimelineFence, keyring: Pick<Keyring, 'derive'>): Peers {
  const key = keyring.derive('timelines')
  const timelines = (): string =>
    fence
      .newest()
      .map((position) => signed(key, position))
      .join(' ')
  const learn = (header: string): void => readPositions(key, header).forEach(fence.learn)
  const exchange = async (peer: URL): Promise<void> => {
    // A host name may have the addresses of all processes, as with a headless service of Kubernetes.
    const addresses = await lookup(peer.hostname.replace(/[[\]]/g, ''), { all: true })
    const responses = await Promise.allSettled(addresses.map(({ address }) => sendHeader(peer, address, timelines())))
    for (const one of responses) if (one.status === 'fulfilled') learn(one.value)
  }
  // A failed exchange is ignored: that peer asks us when it is back.
  const exchangeAll = (): Promise<unknown> => Promise.allSettled(peers.map(exchange))
  // A name server that does not respond must not hold up a failover.
  fence.announceBy(() => Promise.race([exchangeAll(), pause(POLL_MILLISECONDS, undefined, { ref: false })]))
  const timer = setInterval(exchangeAll, POLL_MILLISECONDS).unref()
  return { timelines, learn, close: () => clearInterval(timer) }
}

/** Sends our timelines to a process; returns its own. */
async function sendHeader(peer: URL, address: string, timelines: string): Promise<string> {
  const url = new URL('/health/live', peer)
  url.hostname = address.includes(':') ? `[${address}]` : address
  const response = await fetch(url, {
    headers: { [TIMELINE_HEADER]: timelines },
    signal: AbortSignal.timeout(POLL_MILLISECONDS),
    redirect: 'error',
  })
  await response.body?.cancel()
  return response.headers.get(TIMELINE_HEADER) ?? ''
}

function signed(key: Buffer, { system, timeline, acceptedAt }: Position): string {
  const text = `${system}.${timeline}.${acceptedAt}`
  return `${text}.${keyedHash(key, text)}`
}

/** Reads the positions in a header that a process of this installation has signed. */
const readPositions = (key: Buffer, header: string): readonly Position[] =>
  header.split(' ').flatMap((one) => {
    const [, system = '', timeline, acceptedAt] = HEADER.exec(one) ?? []
    const position = { system, timeline: Number(timeline), acceptedAt: Number(acceptedAt) }
    return system !== '' && equalSecrets(signed(key, position), one) ? [position] : []
  })
