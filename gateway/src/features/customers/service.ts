import type { CustomerRecordKind } from '@kobo/contract'
import { findAccounts } from '../../core/account-numbers/index.ts'
import { knownBanks } from '../../core/bank-list/index.ts'
import { firstIdAt, firstTransactionIdAt, ID_MAX, momentOfId, momentOfTransactionId } from '../../kernel/ids.ts'
import type { Db } from '../../platform/postgres/db.ts'
import type { Listing, ListPage, PlaceInList } from '../../platform/postgres/list-search.ts'
import { findMandatesByNumber, mandateHolderList } from '../direct-debit/index.ts'
import { accountHolderList, findAccountHolders, selectReservedAccounts } from '../reserved-accounts/index.ts'
import { transactionReads } from '../transactions/index.ts'

/** A customer, as named in their latest transaction or, without one, in a reserved account or mandate. */
export interface CustomerRow {
  /** The place in the list. */
  readonly id: bigint
  readonly customerEmail: string
  readonly customerName: string | null
  /** A transaction, if there is one; else a reserved account; else a mandate. */
  readonly lastRecord: CustomerRecordKind
  readonly lastActivityAt: Date
}

interface Named {
  readonly id: bigint
  readonly createdAt: Date
  readonly customerName: string | null
  readonly customerEmail: string
}

/** A kind of record that names customers. */
interface Source {
  readonly kind: CustomerRecordKind
  readonly list: (...read: Parameters<Listing<Named>>) => Promise<ListPage<Named>>
  readonly momentOf: (id: bigint) => Date
  readonly firstAt: (moment: Date) => bigint
  /** The precision of the time in the ids. */
  readonly stepMilliseconds: number
}

const MOMENTS = { momentOf: momentOfId, firstAt: firstIdAt, stepMilliseconds: 1 }

const SOURCES: readonly Source[] = [
  {
    kind: 'TRANSACTION',
    list: transactionReads.payerList,
    momentOf: momentOfTransactionId,
    firstAt: firstTransactionIdAt,
    stepMilliseconds: 1_000,
  },
  { kind: 'RESERVED_ACCOUNT', list: accountHolderList, ...MOMENTS },
  {
    kind: 'MANDATE',
    list: async (...read) => {
      const page = await mandateHolderList(...read)
      return { ...page, rows: page.rows.map((row) => ({ ...row, customerEmail: row.customerEmailAddress })) }
    },
    ...MOMENTS,
  },
]

/** A place in the list consists of milliseconds, source and id, because ids of different sources cannot be compared. */
const ID_BITS = 63n
const SOURCE_BITS = 2n
const placeOf = (source: number, id: bigint): bigint =>
  (((BigInt(SOURCES[source]?.momentOf(id).getTime() ?? 0) << SOURCE_BITS) | BigInt(source)) << ID_BITS) | id

/** Returns the id below which all rows of a source come after the given place in the list. */
function boundOf(source: number, before: bigint): bigint {
  const { firstAt, stepMilliseconds } = SOURCES[source] as Source
  const at = Number((before >> (ID_BITS + SOURCE_BITS)) & 0xffff_ffff_ffffn)
  const other = Number((before >> ID_BITS) & 3n)
  if (other === source) return before & ID_MAX
  // Records of the same moment are ordered by their source.
  const bound = firstAt(new Date(source < other ? at + stepMilliseconds : at))
  return bound < 0n ? 0n : bound > ID_MAX ? ID_MAX : bound
}

const PHONE = /^\+?[\d\s-]{11,17}$/
const ACCOUNT_NUMBER = /^\d{10}$/
/** The most customers found by one number. */
const FOUND_MAX = 20
/** How many pages are read at most to find one with a customer who is not listed elsewhere. */
const ROUNDS_MAX = 5

/** Reads a merchant's customers, latest first: all, or those with an email address, name, phone or account number. */
export async function findCustomers(
  db: Db,
  merchantId: bigint,
  search: string | undefined,
  place: PlaceInList,
): Promise<ListPage<CustomerRow>> {
  const text = search?.trim()
  if (text !== undefined && (ACCOUNT_NUMBER.test(text) || PHONE.test(text))) return byNumber(db, merchantId, text)
  let page = await readPage(db, merchantId, text, place)
  for (let round = 1; round < ROUNDS_MAX && page.rows.length === 0 && page.next !== undefined; round++) {
    if (page.searchedBackTo !== undefined) break
    page = await readPage(db, merchantId, text, { ...place, before: page.next })
  }
  return page
}

async function readPage(
  db: Db,
  merchantId: bigint,
  customer: string | undefined,
  { before, size }: PlaceInList,
): Promise<ListPage<CustomerRow>> {
  const pages = await Promise.all(
    SOURCES.map(({ list }, source) =>
      list(db, merchantId, { customer }, { before: before === undefined ? undefined : boundOf(source, before), size }),
    ),
  )
  // Below this place a source may have rows that were not read.
  const ends = pages.flatMap(({ next, searchedBackTo }, source) =>
    next === undefined ? [] : [{ place: placeOf(source, next), searchedBackTo }],
  )
  const end = ends.toSorted((one, other) => (one.place < other.place ? 1 : -1))[0]
  const listed = (await withoutDuplicates(db, merchantId, pages))
    .filter(({ id }) => end === undefined || id >= end.place)
    .toSorted((one, other) => (one.id < other.id ? 1 : -1))
  const rows = listed.slice(0, size)
  return listed.length > size
    ? { rows, next: rows.at(-1)?.id, searchedBackTo: undefined }
    : { rows, next: end?.place, searchedBackTo: end?.searchedBackTo }
}

/** Returns the customers of some pages, each listed once, by the first source that has a record of them. */
async function withoutDuplicates(
  db: Db,
  merchantId: bigint,
  pages: readonly ListPage<Named>[],
): Promise<readonly CustomerRow[]> {
  const rows = pages.flatMap((page, source) => page.rows.map((row) => customerRow(source, row)))
  const others = rows.filter(({ lastRecord }) => lastRecord !== 'TRANSACTION').map(keyOf)
  if (others.length === 0) return rows
  const mandates = rows.filter(({ lastRecord }) => lastRecord === 'MANDATE').map(keyOf)
  const [payers, holders] = await Promise.all([
    transactionReads.payers(db, merchantId, others),
    findAccountHolders(db, merchantId, mandates),
  ])
  return rows.filter((row) => {
    if (row.lastRecord === 'TRANSACTION') return true
    return !payers.has(keyOf(row)) && (row.lastRecord === 'RESERVED_ACCOUNT' || !holders.has(keyOf(row)))
  })
}

const keyOf = ({ customerEmail }: Pick<CustomerRow, 'customerEmail'>): string => customerEmail.toLowerCase()

const customerRow = (source: number, { id, createdAt, customerName, customerEmail }: Named): CustomerRow => ({
  id: placeOf(source, id),
  customerEmail,
  customerName,
  lastRecord: (SOURCES[source] as Source).kind,
  lastActivityAt: createdAt,
})

/**
 * Finds customers by phone number or account number. The account may be one to pay into, or one they paid from.
 */
async function byNumber(db: Db, merchantId: bigint, text: string): Promise<ListPage<CustomerRow>> {
  const digits = text.replace(/\D/g, '')
  const local = digits.replace(/^234/, '0')
  const isAccount = ACCOUNT_NUMBER.test(digits)
  const [mandates, accounts, paidFrom] = await Promise.all([
    findMandatesByNumber(
      db,
      merchantId,
      [...new Set([text, digits, local, `+234${local.slice(1)}`, `234${local.slice(1)}`])],
      FOUND_MAX,
    ),
    isAccount
      ? findAccounts(
          db,
          knownBanks().map(({ code }) => ({ bankCode: code, accountNumber: digits })),
        )
      : undefined,
    isAccount ? transactionReads.paidFrom(db, merchantId, digits) : undefined,
  ])
  const own = [...(accounts?.values() ?? [])].filter((account) => account.merchantId === merchantId)
  const ownedBy = (purpose: (typeof own)[number]['purpose']) =>
    own.filter((account) => account.purpose === purpose).map(({ ownerId: id }) => ({ merchantId, id }))
  const [transactions, reserved] = await Promise.all([
    transactionReads.byKeys(db, [...ownedBy('transaction'), ...(paidFrom?.keys ?? [])]),
    selectReservedAccounts(db, ownedBy('reserved-account')),
  ])
  const emails = [
    ...mandates.map(({ customerEmailAddress }) => customerEmailAddress),
    ...[...transactions, ...reserved].map(({ customerEmail }) => customerEmail),
  ].map((email) => email.toLowerCase())
  const found = await Promise.all(
    [...new Set(emails)].slice(0, FOUND_MAX).map((email) => readPage(db, merchantId, email, { size: 1 })),
  )
  const rows = found.flatMap((page) => page.rows).toSorted((one, other) => (one.id < other.id ? 1 : -1))
  return { rows, next: undefined, searchedBackTo: paidFrom?.searchedBackTo }
}
