import type { Db, Tx } from '../../platform/postgres/db.ts'
import type { Core } from '../core.ts'
import { deleteStoredResponses } from '../edge/idempotency.ts'
import { deleteRequests } from '../edge/request-recorder/index.ts'
import { deleteMails } from '../messages/mail.ts'
import { deleteNotices } from '../messages/notices.ts'
import { replaceBodies, selectBodies } from '../messages/outbox/index.ts'
import { type AuditRecord, audit } from '../security/audit.ts'
import { deleteCards } from '../security/stored-cards.ts'
import { unitOfWork } from '../unit-of-work.ts'
import type { Customer } from './customer.ts'
import { type CustomerData, type CustomerRecord, slicesOf, type TransactionCustomerData } from './customer-data.ts'
import { erasedBody } from './event-body.ts'

/** How many rows were changed or deleted, by kind. */
export type Erased = Readonly<Record<string, number>>

/** Thrown if an open payment, refund or other record still needs the customer's data. */
export class StillOpen extends Error {}

/** Rows changed per transaction. */
const CHUNK_MAX = 200
const EVENTS_READ_AT_ONCE_MAX = 500
/** An email address with more records than this cannot belong to a single customer. */
const ROWS_PER_CUSTOMER_MAX = 100_000
const OPEN_SHOWN_MAX = 10
const TRANSACTION = 'transaction'

/**
 * Replaces a customer with a pseudonym in all of a merchant's records; ledger, references, amounts and times stay. It
 * runs in batches, each committed separately. If it is interrupted, the next run continues.
 */
export async function eraseCustomer(
  core: Core,
  customerData: readonly (CustomerData | TransactionCustomerData)[],
  customer: Customer,
  onStep: (done: number, steps: number) => void,
): Promise<Erased> {
  const ofCustomers = customerData.filter((data) => 'find' in data)
  const ofTransactions = customerData.filter((data) => 'findOpen' in data)
  const steps = 2 * ofCustomers.length + 2
  let done = 0
  const step = (): void => onStep(++done, steps)

  const found = new Map<CustomerData, readonly CustomerRecord[]>()
  for (const data of ofCustomers) {
    found.set(data, await findAll(core, data, customer))
    step()
  }
  await checkNothingOpen(core, ofTransactions, customer, found)
  await unitOfWork(core, async (unit) => audit(unit, record(customer, { state: 'begun' })))

  const erased: Record<string, number> = {}
  for (const [data, rows] of found) {
    for (const ids of chunks(rows.map(({ id }) => id)))
      await unitOfWork(core, async (unit) => {
        await data.erase(unit, customer, ids, core.keyring)
        if (data.table !== TRANSACTION) return
        for (const one of ofTransactions) await one.erase(unit, customer, ids)
        // The transactions are locked by now. If something was opened since the first check, this batch is undone.
        throwIfOpen(await openOf(unit.tx, ofTransactions, customer, ids), 'Start over later')
      })
    erased[data.name] = rows.length
    step()
  }
  const refs = new Set([...found.values()].flatMap((rows) => rows.flatMap((row) => row.refs)))
  erased['events'] = await eraseEvents(core, customer, refs)
  step()
  Object.assign(erased, await deleteMessages(core, customer, refs))
  step()
  await unitOfWork(core, async (unit) => audit(unit, record(customer, { state: 'done', erased })))
  return erased
}

const record = ({ merchantId, pseudonym }: Customer, details: object): AuditRecord => ({
  merchantId,
  act: 'customer.erase',
  actor: 'command line',
  reference: pseudonym.email,
  details,
})

/** Finds the customer's rows in one table. */
async function findAll({ db }: Core, data: CustomerData, customer: Customer): Promise<readonly CustomerRecord[]> {
  const found: CustomerRecord[] = []
  for await (const slice of slicesOf(db, data.table, customer.merchantId)) {
    found.push(...(await data.find(db, customer, slice)))
    if (found.length > ROWS_PER_CUSTOMER_MAX)
      throw new StillOpen(
        `Nothing was changed: more than ${ROWS_PER_CUSTOMER_MAX} ${data.name} are too many for one customer.`,
      )
  }
  return found
}

async function checkNothingOpen(
  { db }: Core,
  ofTransactions: readonly TransactionCustomerData[],
  customer: Customer,
  found: ReadonlyMap<CustomerData, readonly CustomerRecord[]>,
): Promise<void> {
  const open: string[] = []
  for (const [{ name, table }, rows] of found) {
    open.push(...rows.filter(({ isOpen }) => isOpen).map(({ refs }) => `${name}: ${refs[0]}`))
    if (table !== TRANSACTION) continue
    for (const ids of chunks(rows.map(({ id }) => id))) open.push(...(await openOf(db, ofTransactions, customer, ids)))
  }
  throwIfOpen(open, 'Nothing was changed')
}

async function openOf(
  db: Db | Tx,
  ofTransactions: readonly TransactionCustomerData[],
  { merchantId }: Customer,
  ids: readonly bigint[],
): Promise<readonly string[]> {
  const open: string[] = []
  for (const { name, findOpen } of ofTransactions)
    open.push(...(await findOpen(db, merchantId, ids)).map((reference) => `${name}: ${reference}`))
  return open
}

function throwIfOpen(open: readonly string[], consequence: string): void {
  if (open.length === 0) return
  const named = open.slice(0, OPEN_SHOWN_MAX).map((one) => `  ${one}`)
  const more = open.length > named.length ? [`  and ${open.length - named.length} more`] : []
  throw new StillOpen(
    `${consequence}: this customer still has open records (${open.length}). Wait until they are completed, or cancel them.\n${[...named, ...more].join('\n')}`,
  )
}

/** Erases the customer from events about their records, and from events that contain their address. */
async function eraseEvents(core: Core, customer: Customer, refs: ReadonlySet<string>): Promise<number> {
  const { merchantId, emails } = customer
  let erased = 0
  for (let after = 0n; ; ) {
    const events = await selectBodies(core.db, merchantId, after, EVENTS_READ_AT_ONCE_MAX)
    const changed = events
      .filter((event) => event.refs.some((ref) => refs.has(ref)) || hasEmail(event.body, emails))
      .map((event) => ({ ...event, before: event.body, body: erasedBody(event.body, customer, refs) }))
      .filter(({ before, body }) => body !== before)
    if (changed.length > 0) await unitOfWork(core, async ({ tx }) => replaceBodies(tx, changed))
    erased += changed.length
    const last = events.at(-1)
    if (last === undefined || events.length < EVENTS_READ_AT_ONCE_MAX) return erased
    after = last.id
  }
}

const hasEmail = (text: string, emails: readonly string[]): boolean => {
  const lower = text.toLowerCase()
  return emails.some((email) => lower.includes(email))
}

/** Stored cards, mails, stored responses and logged requests are not part of the ledger: they are deleted. */
async function deleteMessages(
  core: Core,
  { merchantId, emails, phones }: Customer,
  refs: ReadonlySet<string>,
): Promise<Erased> {
  const [cards, notices, mails, requests] = await unitOfWork(core, async ({ tx }) => [
    await deleteCards(tx, merchantId, emails),
    await deleteNotices(tx, merchantId, emails),
    await deleteMails(tx, merchantId, emails),
    await deleteRequests(tx, merchantId, [...emails, ...phones], [...refs]),
  ])
  const responses = await deleteStoredResponses(core, merchantId, (text) => hasEmail(text, emails))
  return {
    'cards on file': cards ?? 0,
    mails: (notices ?? 0) + (mails ?? 0),
    'stored responses': responses,
    requests: requests ?? 0,
  }
}

function* chunks(ids: readonly bigint[]): Generator<readonly bigint[]> {
  for (let start = 0; start < ids.length; start += CHUNK_MAX) yield ids.slice(start, start + CHUNK_MAX)
}
