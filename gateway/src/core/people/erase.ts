import type { Core } from '../core.ts'
import { forgetAnswers } from '../edge/idempotency.ts'
import { forgetRequests } from '../edge/request-log/index.ts'
import { forgetMails } from '../messages/mail.ts'
import { forgetNotices } from '../messages/notices.ts'
import { replaceBodies, selectBodies } from '../messages/outbox/index.ts'
import { type AuditRecord, audit } from '../security/audit.ts'
import { forgetCards } from '../security/stored-cards.ts'
import { unitOfWork } from '../unit-of-work.ts'
import { erasedBody } from './event-body.ts'
import type { Person } from './person.ts'
import { type AllTraces, slicesOf, type Trace, type Traces } from './traces.ts'

/** How many rows were changed or forgotten, by what they are. */
export type Erased = Readonly<Record<string, number>>

/** Nothing was changed, since something is still to happen for which the person must be known. */
export class StillOpen extends Error {}

/** Rows that are changed in one transaction. */
const SET_MAX = 200
const EVENTS_READ_AT_ONCE_MAX = 500
/** Nobody pays so often to one merchant: whatever is known by such an address is no person. */
const ROWS_OF_A_PERSON_MAX = 100_000
const OPEN_NAMED_MAX = 10
const TRANSACTION = 'transaction'

/**
 * Puts a pseudonym in a person's place wherever a merchant's records name them; the books, references, amounts and moments
 * stay. Goes in sets, each committed by itself: started again after it was stopped, it finds what is left.
 */
export async function erasePerson(
  core: Core,
  { ofPeople, ofTransactions }: AllTraces,
  person: Person,
  onStep: (done: number, steps: number) => void,
): Promise<Erased> {
  const steps = 2 * ofPeople.length + 2
  let done = 0
  const step = (): void => onStep(++done, steps)

  const found = new Map<Traces, readonly Trace[]>()
  for (const traces of ofPeople) {
    found.set(traces, await findAll(core, traces, person))
    step()
  }
  await checkNothingOpen(core, ofTransactions, person, found)
  await unitOfWork(core, async (unit) => audit(unit, record(person, { state: 'begun' })))

  const erased: Record<string, number> = {}
  for (const [traces, rows] of found) {
    for (const ids of setsOf(rows.map(({ id }) => id)))
      await unitOfWork(core, async (unit) => {
        await traces.erase(unit, person, ids, core.keyring)
        if (traces.table === TRANSACTION) for (const one of ofTransactions) await one.erase(unit, person, ids)
      })
    erased[traces.name] = rows.length
    step()
  }
  const refs = new Set([...found.values()].flatMap((rows) => rows.flatMap((row) => row.refs)))
  erased['events'] = await eraseEvents(core, person, refs)
  step()
  Object.assign(erased, await forgetMessages(core, person, refs))
  step()
  await unitOfWork(core, async (unit) => audit(unit, record(person, { state: 'done', erased })))
  return erased
}

const record = ({ merchantId, pseudonym }: Person, details: object): AuditRecord => ({
  merchantId,
  act: 'customer.erase',
  actor: 'command line',
  reference: pseudonym.email,
  details,
})

/** Tells nothing of the person but how often they are named. */
async function findAll({ db }: Core, traces: Traces, person: Person): Promise<readonly Trace[]> {
  const found: Trace[] = []
  for await (const slice of slicesOf(db, traces.table, person.merchantId)) {
    found.push(...(await traces.find(db, person, slice)))
    if (found.length > ROWS_OF_A_PERSON_MAX)
      throw new StillOpen(`Nothing was changed: more than ${ROWS_OF_A_PERSON_MAX} ${traces.name} are no person's.`)
  }
  return found
}

async function checkNothingOpen(
  { db }: Core,
  ofTransactions: AllTraces['ofTransactions'],
  { merchantId }: Person,
  found: ReadonlyMap<Traces, readonly Trace[]>,
): Promise<void> {
  const open: string[] = []
  for (const [{ name, table }, rows] of found) {
    open.push(...rows.filter(({ isOpen }) => isOpen).map(({ refs }) => `${name}: ${refs[0]}`))
    if (table !== TRANSACTION) continue
    for (const ids of setsOf(rows.map(({ id }) => id)))
      for (const one of ofTransactions)
        open.push(...(await one.findOpen(db, merchantId, ids)).map((reference) => `${one.name}: ${reference}`))
  }
  if (open.length === 0) return
  const named = open.slice(0, OPEN_NAMED_MAX).map((one) => `  ${one}`)
  const more = open.length > named.length ? [`  and ${open.length - named.length} more`] : []
  throw new StillOpen(
    `Nothing was changed: ${open.length} of this person's affairs are still open. Wait until they have ended, or end them.\n${[...named, ...more].join('\n')}`,
  )
}

/** Events of what is the person's, and those that name them. */
async function eraseEvents(core: Core, person: Person, refs: ReadonlySet<string>): Promise<number> {
  const { merchantId, emails } = person
  let erased = 0
  for (let after = 0n; ; ) {
    const events = await selectBodies(core.db, merchantId, after, EVENTS_READ_AT_ONCE_MAX)
    const changed = events
      .filter((event) => event.refs.some((ref) => refs.has(ref)) || names(event.body, emails))
      .map((event) => ({ ...event, before: event.body, body: erasedBody(event.body, person, refs) }))
      .filter(({ before, body }) => body !== before)
    if (changed.length > 0) await unitOfWork(core, async ({ tx }) => replaceBodies(tx, changed))
    erased += changed.length
    const last = events.at(-1)
    if (last === undefined || events.length < EVENTS_READ_AT_ONCE_MAX) return erased
    after = last.id
  }
}

const names = (text: string, emails: readonly string[]): boolean => {
  const lower = text.toLowerCase()
  return emails.some((email) => lower.includes(email))
}

/** Cards on file, mails, kept answers and noted requests are no part of the books: they go altogether. */
async function forgetMessages(
  core: Core,
  { merchantId, emails, phones }: Person,
  refs: ReadonlySet<string>,
): Promise<Erased> {
  const [cards, notices, mails, requests] = await unitOfWork(core, async ({ tx }) => [
    await forgetCards(tx, merchantId, emails),
    await forgetNotices(tx, merchantId, emails),
    await forgetMails(tx, merchantId, emails),
    await forgetRequests(tx, merchantId, [...emails, ...phones], [...refs]),
  ])
  const answers = await forgetAnswers(core, merchantId, (text) => names(text, emails))
  return {
    'cards on file': cards ?? 0,
    mails: (notices ?? 0) + (mails ?? 0),
    'kept answers': answers,
    requests: requests ?? 0,
  }
}

function* setsOf(ids: readonly bigint[]): Generator<readonly bigint[]> {
  for (let start = 0; start < ids.length; start += SET_MAX) yield ids.slice(start, start + SET_MAX)
}
