import type { Log } from '../../platform/observability/log.ts'
import type { Db, Tx } from '../../platform/postgres/db.ts'
import { column, type Row, table } from '../../platform/postgres/table.ts'
import { openSyslog } from '../../platform/syslog.ts'
import type { Sweep } from '../sweep.ts'
import { type UnitOfWorkDeps, unitOfWork } from '../unit-of-work.ts'
import { type ChainLink, chainLine, readChain } from './audit-chain.ts'

/** How far the audit log was sent to each server. */
const streams = table('audit_stream', ['destination'], {
  destination: column<string>(),
  /** The number of the last record that was sent. */
  number: column<bigint>(),
  sentAt: column<Date>(),
})

/** How many records a new connection resends: the server may not have read the last ones from the old connection. */
const OVERLAP = 100n
const BATCH_MAX = 500

interface Deps {
  readonly core: UnitOfWorkDeps
  readonly log: Log
  /** `tls://host:port` or `tcp://host:port`. */
  readonly url: string
}

/**
 * Sends every record of the audit log to a syslog server, in the chain's order and at least once. Each record has a
 * number, which shows repeats and gaps.
 */
export function openAuditStream({ core, log, url }: Deps): { readonly sweep: Sweep; readonly close: () => void } {
  const syslog = openSyslog(url)
  let isDown = false

  async function sendNext(at: Date): Promise<number> {
    const sent = await readPosition(core.db, url)
    const links = await nextLinks(core.db, syslog.isConnected() ? sent : sent > OVERLAP ? sent - OVERLAP : 0n)
    if (links.length === 0) return 0
    await syslog.send(links.map(messageOf))
    const last = links.at(-1)?.number ?? sent
    if (last > sent)
      await unitOfWork(core, async ({ tx }) => putPosition(tx, { destination: url, number: last, sentAt: at }))
    return Number(last > sent ? last - sent : 0n)
  }

  return {
    sweep: {
      name: 'stream the audit log',
      run: async (at) => {
        try {
          const sent = await sendNext(at)
          if (isDown) log.info({ sent }, 'audit stream recovered')
          isDown = false
          return sent
        } catch (error) {
          if (!isDown) log.error({ error }, 'audit stream interrupted; records wait until the syslog server is back')
          isDown = true
          return 0
        }
      },
    },
    close: syslog.close,
  }
}

const messageOf = (link: ChainLink) => ({
  at: link.record?.at ?? new Date(0),
  id: link.record?.act ?? 'missing',
  text: chainLine(link),
})

/** Reads the next records after a number. */
async function nextLinks(db: Db, after: bigint): Promise<readonly ChainLink[]> {
  const links: ChainLink[] = []
  for await (const link of readChain(db, after)) {
    links.push(link)
    if (links.length >= BATCH_MAX) break
  }
  return links
}

const readPosition = async (db: Db, destination: string): Promise<bigint> =>
  (await streams.find(db, { destination }))?.number ?? 0n

function putPosition(tx: Tx, { destination, number, sentAt }: Row<typeof streams>): void {
  void tx`
    insert into audit_stream (destination, number, sent_at) values (${destination}, ${number}, ${sentAt})
    on conflict (destination) do update set number = excluded.number, sent_at = excluded.sent_at`
}

/** Counts the records that wait to be sent. */
export async function countUnsent(db: Db, destination: string): Promise<number> {
  const [row] = await db<{ count: bigint }[]>`
    select coalesce(max(number), 0) - ${await readPosition(db, destination)} as count from audit_seal`
  return Number(row?.count ?? 0n)
}
