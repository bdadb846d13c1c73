import { LIST_SIZE_DEFAULT } from '@kobo/contract'
import type { Core } from '../../core/core.ts'
import { findMerchantId, type Merchant } from '../../core/merchants/index.ts'
import { fromMoment, throughMoment } from '../../kernel/dates.ts'
import { ID_MAX } from '../../kernel/ids.ts'
import { operatorErrors } from './errors.ts'

/** The start, size and period of a page of results. */
export interface PageQuery {
  readonly before: bigint
  readonly size: number
  readonly from: Date | undefined
  readonly to: Date | undefined
}

interface Query {
  readonly before?: string | undefined
  readonly size?: number | undefined
  readonly from?: string | undefined
  readonly to?: string | undefined
}

export const pageQueryOf = ({ before, size = LIST_SIZE_DEFAULT, from, to }: Query): PageQuery => ({
  before: before === undefined ? ID_MAX : BigInt(before),
  size,
  from: from === undefined ? undefined : fromMoment(from),
  to: to === undefined ? undefined : throughMoment(to),
})

/** Makes a page of results. `items` has one more than the page shows if another page follows. */
export function pageOf<Item extends { readonly id: string }>(items: readonly Item[], size: number) {
  const shown = items.slice(0, size)
  return { items: shown, next: items.length > size ? (shown.at(-1)?.id ?? null) : null, searchedBackTo: null }
}

/** Makes a page of a list that is short enough to be read whole. Its items may be in any order. */
export function pageOfAll<Item extends { readonly id: string; readonly createdOn: string }>(
  all: readonly Item[],
  { before, size, from, to }: PageQuery,
) {
  const within = all.filter(({ id, createdOn }) => {
    const at = new Date(createdOn)
    return BigInt(id) < before && (from === undefined || at >= from) && (to === undefined || at <= to)
  })
  const newestFirst = within.toSorted((one, other) => (BigInt(one.id) < BigInt(other.id) ? 1 : -1))
  return pageOf(newestFirst, size)
}

/** Looks up the code and name of each row's merchant, by id; both are null for a row without a merchant. */
export async function merchantFinder(
  { directory }: Core,
  rows: readonly { readonly merchantId: bigint }[],
): Promise<(id: bigint) => { readonly merchantCode: string | null; readonly merchantName: string | null }> {
  const known = new Map<bigint, Merchant | undefined>()
  for (const id of new Set(rows.map(({ merchantId }) => merchantId))) known.set(id, await directory.byId(id))
  return (id) => {
    const merchant = known.get(id)
    return { merchantCode: merchant?.code ?? null, merchantName: merchant?.name ?? null }
  }
}

export async function findMerchant({ db, directory }: Core, code: string): Promise<Merchant> {
  const id = await findMerchantId(db, code)
  const merchant = id === undefined ? undefined : await directory.byId(id)
  if (merchant === undefined) throw operatorErrors.unknownMerchant()
  return merchant
}
