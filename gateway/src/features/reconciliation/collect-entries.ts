import { referenceBehind, selectCredited } from '../../core/money/credits/index.ts'
import { type ClearingEntry, RAILS } from '../../core/money/ledger/index.ts'
import type { UnitOfWork } from '../../core/unit-of-work.ts'
import { secondsAfter } from '../../kernel/clock.ts'
import { lagosDay, lagosMoment } from '../../kernel/dates.ts'
import { chunksOf } from '../../platform/lanes/chunks.ts'
import { selectSessions } from '../disbursements/index.ts'
import { selectPartnerReferences } from '../disputes/index.ts'
import { type BankReferences, selectRejected } from '../returns/index.ts'
import { selectPayoutSessions } from '../settlements/index.ts'
import { selectClearingEntries } from './clearing-entries.ts'
import { type EntryRow, insertEntries } from './entry-repository.ts'
import { changeAccount, type StatementAccount } from './statement-repository.ts'

/** Longer than any database transaction. So entries of transactions that were open at the last run are also found. */
const OPEN_SECONDS_MAX = 3_600
const ENTRIES_PER_CHUNK = 2_000

/** Collects ledger entries at a partner since the last run, a day at a time. */
export async function collectEntries(unit: UnitOfWork, account: StatementAccount, closed: number): Promise<void> {
  const { partner } = account
  const rereadFrom = secondsAfter(account.gatheredUntil, -OPEN_SECONDS_MAX)
  const first = Math.max(closed + 1, lagosDay(rereadFrom))
  for (let day = first; day <= lagosDay(unit.at); day++) await collectDay(unit, partner, day)
  changeAccount(unit.tx, partner, { gatheredUntil: unit.at })
}

/** A day is read in this many parts, to bound memory. */
const PARTS_OF_DAY = 24
const PART_MINUTES = 60

/** Stores a day's ledger entries at a partner. */
export async function collectDay(unit: UnitOfWork, partner: string, day: number): Promise<void> {
  for (let part = 0; part < PARTS_OF_DAY; part++) {
    const [from, to] = [lagosMoment(day, part * PART_MINUTES), lagosMoment(day, (part + 1) * PART_MINUTES)]
    for (const booked of chunksOf(await selectClearingEntries(unit.tx, partner, from, to), ENTRIES_PER_CHUNK)) {
      const bankReferences = await findBankReferences(unit, booked)
      const bankReferenceOf = (entry: ClearingEntry) =>
        bankReferences.get(lookupKey(entry, isSentBack(entry.key) ? entry.key : referenceIn(entry.key)))
      await insertEntries(
        unit.tx,
        booked.map((entry) => entryOf(partner, day, entry, bankReferenceOf(entry))),
      )
    }
  }
}

const lookupKey = ({ merchantId }: Pick<ClearingEntry, 'merchantId'>, reference: string): string =>
  `${merchantId} ${reference}`

/** Finds the banks' references of entries, by merchant and our own reference. */
async function findBankReferences(
  { tx }: UnitOfWork,
  booked: readonly ClearingEntry[],
): Promise<ReadonlyMap<string, string>> {
  const ofKind = (prefix: string) =>
    booked
      .filter(({ key }) => key.startsWith(prefix))
      .map(({ merchantId, key, postedAt }) => ({ merchantId, reference: referenceIn(key), postedAt }))
  const [costs, returns, disputes] = [ofKind(COST), ofKind(RETURN), ofKind(DISPUTE)]
  const [transfers, payouts] = [ofKind(TRANSFER), ofKind(PAYOUT)]
  const disputed = disputes.length === 0 ? [] : await selectPartnerReferences(tx, disputes)
  const sent = [
    ...(transfers.length === 0 ? [] : await selectSessions(tx, transfers)),
    ...(payouts.length === 0 ? [] : await selectPayoutSessions(tx, payouts)),
  ]
  const found = [
    ...(costs.length === 0 ? [] : await selectCredited(tx, costs)),
    ...(returns.length === 0 ? [] : await selectRejected(tx, returns)).flatMap(bothReferences),
    ...disputed.map(({ partnerReference, ...one }) => ({ ...one, railReference: partnerReference })),
    ...sent.map(({ sessionId, ...one }) => ({ ...one, railReference: sessionId })),
  ]
  return new Map(found.map((one) => [lookupKey(one, one.reference), one.railReference]))
}

/** Returns both references of a rejected credit at the bank: of the incoming payment, and of the return. */
const bothReferences = ({ merchantId, reference, railReference, sessionId }: BankReferences) => [
  { merchantId, reference, railReference },
  ...(sessionId === null ? [] : [{ merchantId, reference: sentBackKey(reference), railReference: sessionId }]),
]

const COST = 'credit-cost/'
const RETURN = 'return/'
const REFUND = 'refund/'
const DISPUTE = 'dispute/'
const TRANSFER = 'transfer/'
const PAYOUT = 'payout/'
/** The suffixes that can follow the reference in a journal key. */
const ENDINGS = /\/(held|sent|released|reversed|completed|failed|returned|paid|paid out|lost)$/
const sentBackKey = (reference: string): string => `${RETURN}${reference}/returned`
const isSentBack = (key: string): boolean => key.startsWith(RETURN) && key.endsWith('/returned')
const REVERSED = /\/reversed$/

/** Returns the reference in a journal's key, between its prefix and its suffix. */
const referenceIn = (key: string): string => key.slice(key.indexOf('/') + 1).replace(ENDINGS, '')

function entryOf(partner: string, day: number, entry: ClearingEntry, railReference: string | undefined): EntryRow {
  const { merchantId, key, amount, income } = entry
  const reference = referenceIn(key)
  // A credit with an ambiguous reference is stored under its full name: partner, bank and reference.
  const whole = reference.startsWith(`${partner}/`) ? reference.split('/').slice(2).join('/') : undefined
  // The reference of an accepted conflict is the bank's reference with a number added at the end.
  const taken = referenceBehind(reference) === reference ? undefined : referenceBehind(reference)
  const isCost = key.startsWith(COST)
  // If a payout comes back, the bank uses a reference other than the one that we sent.
  const isUnderRailReference = railReference !== undefined && (isSentBack(key) || !key.endsWith('/returned'))
  const named = [isCost ? undefined : reference, whole, taken, isUnderRailReference ? railReference : undefined]
  return {
    partner,
    merchantId,
    key,
    day,
    amount,
    kind: isCost ? 'COST' : 'PAYMENT',
    method: methodOf(entry),
    income,
    named: named.filter((name) => name !== undefined),
    itemId: null,
  }
}

/** Returns the payment method of an entry. Partners' prices depend on it. */
function methodOf({ key, account, amount }: ClearingEntry): string {
  if (key.startsWith(COST)) return 'bank-transfer'
  if (key.startsWith(RETURN)) return amount > 0n ? 'bank-transfer' : 'returns'
  if (key.startsWith(REFUND)) return 'refunds'
  if (key.startsWith(DISPUTE)) return 'disputes'
  if (REVERSED.test(key)) return 'reversals'
  const rail = account.split('/')[1] ?? ''
  return RAILS.find((one) => one === rail) ?? 'others'
}
