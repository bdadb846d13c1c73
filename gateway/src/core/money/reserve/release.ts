import { invariant } from '../../../kernel/errors.ts'
import { type Kobo, subtract } from '../../../kernel/money.ts'
import type { Core } from '../../core.ts'
import type { Shard } from '../../shards/index.ts'
import type { Sweep } from '../../sweep.ts'
import { type UnitOfWork, unitOfWork } from '../../unit-of-work.ts'
import { openDebts } from '../debts.ts'
import { accounts, type Journal, movesAboveZero } from '../ledger/index.ts'
import { openWallets } from '../wallet-balances/index.ts'
import { type LotRow, leftIn, lockDueLots, nextLotDue, releaseLots } from './lots.ts'

export const releaseKey = ({ id }: Pick<LotRow, 'id'>): string => `reserve/${id}/released`

/** Books the release of a lot: what disputes have not taken repays debts first, and the rest goes to the wallet. */
export const releaseJournal = (
  lot: Pick<LotRow, 'merchantId' | 'id' | 'amount' | 'taken' | 'repaidDebts'>,
  walletAccountNumber: string,
): Journal => ({
  merchantId: lot.merchantId,
  key: releaseKey(lot),
  memo: 'Reserve released',
  moves: movesAboveZero([
    { from: accounts.reserve, to: accounts.debt, amount: lot.repaidDebts },
    {
      from: accounts.reserve,
      to: accounts.wallet(walletAccountNumber),
      amount: subtract(leftIn(lot), lot.repaidDebts),
    },
  ]),
})

/** Releases reserves when they are due. */
export const reserveSweep = (core: Core): Sweep => ({
  name: 'release reserves',
  runShard: (shard, at, limit) => unitOfWork(core, (unit) => releaseDue(core, unit, shard, at, limit)),
  nextDue: () => nextLotDue(core.db),
})

async function releaseDue(core: Core, unit: UnitOfWork, shard: Shard, at: Date, limit: number): Promise<number> {
  const { tx } = unit
  const due = await lockDueLots(tx, shard, at, limit)
  if (due.length === 0) return 0
  const walletNumbers = new Map<bigint, string>()
  for (const { merchantId } of due)
    if (!walletNumbers.has(merchantId)) walletNumbers.set(merchantId, await walletNumberOf(core, merchantId))
  const walletOf = ({ merchantId }: LotRow): string => walletNumbers.get(merchantId) ?? ''
  const debts = await openDebts(tx, due)
  const wallets = await openWallets(
    tx,
    due.map((lot) => ({ merchantId: lot.merchantId, accountNumber: walletOf(lot) })),
  )
  const released = due.map((lot) => {
    const repaidDebts: Kobo = debts.repay(lot.merchantId, leftIn(lot), releaseKey(lot))
    return { ...lot, releasedAt: unit.at, repaidDebts }
  })
  for (const lot of released) {
    const journal = releaseJournal(lot, walletOf(lot))
    // A lot that disputes have used up needs no journal.
    if (journal.moves.length === 0) continue
    const reference = `RESERVE-${lot.id}`
    const act = { journal, reference, transactionReference: reference, narration: null, message: 'Reserve released' }
    invariant(wallets.take(act), 'a release never debits a wallet')
  }
  releaseLots(tx, released)
  debts.write(unit)
  wallets.write(unit)
  return released.length
}

async function walletNumberOf({ directory }: Core, merchantId: bigint): Promise<string> {
  const merchant = directory.known(merchantId) ?? (await directory.byId(merchantId))
  invariant(merchant !== undefined, 'a reserve belongs to a merchant')
  return merchant.walletAccountNumber
}
