import type { Merchant } from '../../core/merchants/index.ts'
import { openWallets } from '../../core/money/wallet-balances/index.ts'
import { type OrderMaker, placeOrders } from '../../core/orders/index.ts'
import type { UnitOfWork } from '../../core/unit-of-work.ts'
import { invariant } from '../../kernel/errors.ts'
import { ZERO } from '../../kernel/money.ts'
import type { BankAccount } from '../../rails/transfer.ts'
import { heldAct } from './accept.ts'
import { transferOrder } from './orders.ts'
import { insertTransfers, type TransferRow } from './repository.ts'
import { beginTransfer, CURRENCY_CODE } from './service.ts'

/** A payout of everything in a wallet, on which operators agreed. */
export interface WholeWallet {
  readonly reference: string
  readonly walletAccountNumber: string
  readonly destination: BankAccount
  readonly accountName: string
}

/** Pays out everything in a merchant's wallet, without a fee; returns undefined if it is empty. */
export async function payOutWallet(
  unit: UnitOfWork,
  orders: OrderMaker,
  merchant: Merchant,
  { reference, walletAccountNumber, destination, accountName }: WholeWallet,
): Promise<TransferRow | undefined> {
  const { tx, ids, at } = unit
  const wallet = { merchantId: merchant.id, accountNumber: walletAccountNumber }
  const wallets = await openWallets(tx, [wallet])
  const amount = wallets.available(wallet)
  if (amount === undefined || amount <= 0n) return undefined
  const facts = {
    amount,
    reference,
    narration: `Final payout of ${merchant.name}`,
    currencyCode: CURRENCY_CODE,
    sourceAccountNumber: walletAccountNumber,
    destination,
    destinationAccountName: accountName,
    batchId: null,
  }
  const transfer = { ...beginTransfer(ids, merchant, facts, { kind: 'none' }, at), fee: ZERO }
  invariant(wallets.take(heldAct(transfer)), 'the available balance can be debited')
  insertTransfers(tx, [transfer])
  placeOrders(unit, [transferOrder(orders, transfer, 'worker')])
  wallets.write(unit)
  return transfer
}
