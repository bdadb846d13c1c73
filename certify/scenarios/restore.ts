import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { until } from '../../deploy/ha/processes.ts'
import { checkBooks } from '../../gateway/test/bookkeeper/check-books.ts'
import { type Api, openApi } from '../system/api.ts'
import { archiveAll, backUp, flipByte, type Moment, noteMoment, restore } from '../system/backup.ts'
import { queryRows, type ServerSystem, startServerSystem, untilReady } from '../system/system.ts'
import { initPayment } from '../system/workload.ts'
import type { Stage } from './scenario.ts'

const PAYMENTS = 20
const REJECTED_SECONDS_MAX = 60

/** A system with a backup and two groups of payments: made before a moment, and after it. */
interface Restorable {
  readonly system: ServerSystem
  readonly api: Api
  readonly copy: string
  readonly moment: Moment
  readonly before: readonly string[]
  readonly after: readonly string[]
}

/** Runs `work` on its own system, because the restore must lose everything that was acknowledged after the moment. */
async function withRestorable(work: (one: Restorable) => Promise<void>): Promise<void> {
  const system = await startServerSystem({ keepsArchive: true })
  const folder = mkdtempSync(join(tmpdir(), 'kobo-backup-'))
  try {
    const { database, gateways, credentials } = system
    const api = openApi(
      gateways.map(({ url }) => url),
      credentials,
    )
    const copy = join(folder, 'copy')
    // Otherwise the first read after the backup writes the table to the WAL, and a restore repairs its damage.
    await queryRows(database.url(), `vacuum (freeze) ${(await ledgerTable(system)).name}`)
    await backUp(database, copy)
    const before = await createPayments(api, system, 'before')
    const moment = await noteMoment(database)
    const after = await createPayments(api, system, 'after')
    await archiveAll(database)
    await work({ system, api, copy, moment, before, after })
  } finally {
    await system.stop()
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Finds a ledger table that has rows, and its file. */
async function ledgerTable({ database }: ServerSystem): Promise<{ readonly name: string; readonly file: string }> {
  const [row] = await queryRows(
    database.url(),
    'select tableoid::regclass::text as name, pg_relation_filepath(tableoid) as file from journal limit 1',
  )
  return row as { name: string; file: string }
}

async function createPayments(api: Api, system: ServerSystem, name: string): Promise<readonly string[]> {
  const references = Array.from({ length: PAYMENTS }, (_, nth) => `${name}-${nth}`)
  for (const reference of references)
    await until(
      `${reference} is created`,
      async () => (await initPayment(api, system.credentials, reference)).outcome === 'ok',
    )
  return references
}

const RESTORED = 'A database that was restored is not used until an operator accepts it'

/** Restores the database behind running gateways. They must reject it, and continue once an operator has accepted it. */
export const restoreDatabase = ({ report }: Stage): Promise<void> =>
  withRestorable(async ({ system, api, copy, moment, before, after }) => {
    const { database, gateways, kobo } = system
    // Gateways regularly store the position of the WAL up to which they have acknowledged work. Wait until they did.
    const [noted] = await queryRows(database.url(), 'select max(leased_until)::text as until from node')
    await until('the gateways have noted it', async () => {
      const rows = await queryRows(database.url(), `select 1 from node where leased_until > '${noted?.['until']}'`)
      return rows.length === gateways.length
    })
    await restore(database, copy, moment)
    await untilReady(gateways, 5).then(
      () => report(RESTORED, 'the gateways use it'),
      () => {},
    )
    for (const { url } of gateways)
      await until(
        'it says why',
        async () => /restored to an earlier moment/.test(await (await fetch(`${url}/health/ready`)).text()),
        REJECTED_SECONDS_MAX,
      ).catch(() => report(RESTORED, `${url} does not say why it is not ready`))
    const { status } = await initPayment(api, system.credentials, 'rejected')
    if (status !== 503) report(RESTORED, `a payment got ${status}`)
    await kobo('database', 'accept-timeline', '--by', 'Ada')
    await untilReady(gateways)
    await checkPayments(api, report, before, after)
    for (const what of await checkBooks(database.url())) report('The books are right', what)
    await kobo('ledger', 'verify')
    await until(
      'payments are accepted',
      async () => (await initPayment(api, system.credentials, 'accepted')).outcome === 'ok',
    )
  })

async function checkPayments(
  api: Api,
  report: Stage['report'],
  before: readonly string[],
  after: readonly string[],
): Promise<void> {
  const statusOf = async (reference: string): Promise<number> =>
    (await api.send('GET', `/api/v2/merchant/transactions/query?paymentReference=${reference}`)).status
  for (const reference of before)
    if ((await statusOf(reference)) !== 200)
      report('A restore has everything before its moment', `${reference} is gone`)
  for (const reference of after)
    if ((await statusOf(reference)) !== 404) report('A restore has nothing after its moment', `${reference} is there`)
}

const DAMAGED = 'A damaged backup is not taken for a good one'

/** Restores from a damaged archive, and from a damaged copy. PostgreSQL or Kobo must notice both. */
export const restoreDamaged = ({ report }: Stage): Promise<void> =>
  withRestorable(async ({ system, copy, moment }) => {
    const { database, kobo } = system
    const { file } = await ledgerTable(system)
    const wal = join(database.archive, moment.file)
    flipByte(wal, moment.offset - 100)
    await restore(database, copy, moment).then(
      () => report(DAMAGED, 'PostgreSQL was restored from a damaged archive'),
      () => {},
    )
    flipByte(wal, moment.offset - 100)
    flipByte(join(copy, file), 5_000)
    await restore(database, copy, moment)
    await kobo('ledger', 'verify', '--all').then(
      () => report(DAMAGED, '`kobo ledger verify --all` finds nothing wrong in a database with a damaged table'),
      () => {},
    )
  })
