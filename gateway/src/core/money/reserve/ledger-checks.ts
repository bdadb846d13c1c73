import type { Tx } from '../../../platform/postgres/db.ts'
import {
  acts,
  FINDINGS_SHOWN_MAX,
  type Finding,
  type JournalKey,
  type JournalOwner,
  type LedgerCheck,
  ranged,
  type StateCheck,
  within,
} from '../ledger/index.ts'
import { type LotRow, lots } from './lots.ts'
import { releaseJournal, releaseKey } from './release.ts'

/** A reserve lot and the wallet it is released to. */
type Lot = LotRow & { readonly walletAccountNumber: string }

const lotCheck = acts<Lot>({
  name: 'reserve',
  rows: { table: 'reserve_lot', idFormat: 'standard' },
  read: (tx, ranges) =>
    tx<Lot[]>`
      select ${lots.of('r')}, m.wallet_account_number
        from ${ranged(ranges)}
        join reserve_lot r on ${within('r', ranges)}
        join merchant m on m.id = r.merchant_id`,
  reference: ({ id }) => `RESERVE-${id}`,
  state: ({ releasedAt }) => (releasedAt === null ? 'withheld' : 'released'),
  consequences: (lot) =>
    lot.releasedAt === null
      ? { unbooked: [releaseKey(lot)] }
      : { booked: [releaseJournal(lot, lot.walletAccountNumber)] },
  mayChange: ({ releasedAt }) => releasedAt === null,
  owned: [{ prefix: 'reserve/', find: findLots }],
})

const RELEASED = /^reserve\/(\d{1,18})\/released$/

/** Finds the lots that journals were posted for. A journal's key contains the lot's id. */
async function findLots(tx: Tx, journals: readonly JournalKey[]): Promise<readonly JournalOwner[]> {
  const named = journals.flatMap(({ merchantId, key }) => {
    const id = RELEASED.exec(key)?.[1]
    return id === undefined ? [] : { merchantId, key, id: BigInt(id) }
  })
  const found = new Set((await lots.select(tx, named)).map(({ merchantId, id }) => `${merchantId} ${id}`))
  return named.filter(({ merchantId, id }) => found.has(`${merchantId} ${id}`))
}

/** Checks that the balance of the reserve account equals the unused amounts of its unreleased lots. */
const reservesMatchLots: StateCheck = async (tx, whose) => {
  const rows = await tx<{ merchantId: bigint; balance: string; kept: string }[]>`
    with kept as (
      select merchant_id, sum(amount - taken) as kept from reserve_lot l
       where released_at is null and ${whose('l')} group by merchant_id)
    select merchant_id, coalesce(balance, 0)::text as balance, coalesce(kept, 0)::text as kept
      from (select merchant_id, balance from account a where code = 'reserve' and ${whose('a')}) a
      full join kept using (merchant_id)
     where coalesce(balance, 0) <> coalesce(kept, 0)
     limit ${FINDINGS_SHOWN_MAX}`
  return rows.map(
    ({ merchantId, balance, kept }): Finding => ({
      merchantId,
      reference: 'reserve',
      what: `account reserve holds ${balance}, unreleased reserves sum to ${kept}`,
    }),
  )
}

export const reserveChecks: readonly LedgerCheck[] = [lotCheck, reservesMatchLots]
