import { accounts, type Journal } from '../../core/ledger/index.ts'
import { openWallets, type WalletAct } from '../../core/wallets/index.ts'
import { invariant } from '../../kernel/errors.ts'
import type { IdSource } from '../../kernel/ids.ts'
import type { Kobo } from '../../kernel/money.ts'
import type { Tx } from '../../platform/db.ts'
import type { CreditOutcome, InboundCredit } from '../../rails/bank.ts'
import { insertTopUps, receivedBefore, type TopUpRow, topUpKey, walletNumbers } from './repository.ts'

/** A credit on the account of a wallet. */
export interface WalletCredit {
  readonly merchantId: bigint
  readonly walletId: bigint
  readonly credit: InboundCredit
}

/** What is to be written down of a credit. */
type TopUp = TopUpRow & { readonly narration: string | null }

/** A top-up: the bank owes us what arrived, and all of it is the wallet's. */
export const topUpJournal = (
  topUp: Pick<TopUpRow, 'merchantId' | 'railReference' | 'walletAccountNumber' | 'amount'>,
): Journal => ({
  merchantId: topUp.merchantId,
  key: `top-up/${topUp.railReference}`,
  memo: `Top-up of wallet ${topUp.walletAccountNumber}`,
  moves: [
    { from: accounts.clearing('bank-transfer'), to: accounts.wallet(topUp.walletAccountNumber), amount: topUp.amount },
  ],
})

/** The sandbox's play money: as a top-up, but from no bank. */
export const fundingJournal = (funding: {
  readonly merchantId: bigint
  readonly reference: string
  readonly accountNumber: string
  readonly amount: Kobo
}): Journal => ({
  merchantId: funding.merchantId,
  key: `funding/${funding.reference}`,
  memo: `Play money for wallet ${funding.accountNumber}`,
  moves: [{ from: accounts.clearing('funding'), to: accounts.wallet(funding.accountNumber), amount: funding.amount }],
})

/**
 * Puts a set of credits into wallets, in one database transaction. A credit whose rail reference was seen before changes
 * nothing.
 */
export async function receiveTopUps(
  tx: Tx,
  ids: IdSource,
  at: Date,
  credits: readonly WalletCredit[],
): Promise<readonly CreditOutcome[]> {
  const numbers = await walletNumbers(
    tx,
    credits.map(({ merchantId, walletId }) => ({ merchantId, id: walletId })),
  )
  const topUps = credits.map(({ merchantId, walletId, credit }): TopUp => {
    const walletAccountNumber = numbers.get(walletId)
    invariant(walletAccountNumber !== undefined, 'an account of a wallet belongs to one')
    return {
      merchantId,
      railReference: credit.railReference,
      walletAccountNumber,
      amount: credit.amount,
      payerName: credit.payer.name,
      payerAccountNumber: credit.payer.accountNumber,
      payerBankCode: credit.payer.bankCode,
      bankCode: credit.bankCode,
      accountNumber: credit.accountNumber,
      receivedAt: at,
      narration: credit.narration ?? null,
    }
  })
  // Sent together and carried out in this order: what is asked after the lock sees all that a twin elsewhere has committed.
  const [wallets, known] = await Promise.all([
    openWallets(
      tx,
      topUps.map(({ merchantId, walletAccountNumber }) => ({ merchantId, accountNumber: walletAccountNumber })),
    ),
    receivedBefore(
      tx,
      topUps.map(({ merchantId, railReference }) => ({ merchantId, railReference })),
    ),
  ])
  const seen = new Set(known)
  const fresh = topUps.filter((topUp) => {
    const isNew = !seen.has(topUpKey(topUp))
    seen.add(topUpKey(topUp))
    return isNew
  })
  for (const topUp of fresh) invariant(wallets.take(topUpAct(topUp)), 'money can always be put into a wallet')
  insertTopUps(tx, fresh)
  wallets.write({ tx, ids, at, wake: () => {} })
  return credits.map(() => ({ kind: 'accepted' }))
}

const topUpAct = (topUp: TopUp): WalletAct => ({
  journal: topUpJournal(topUp),
  reference: topUp.railReference,
  transactionReference: topUp.railReference,
  narration: topUp.narration,
  message: `Top-up from ${topUp.payerName ?? 'a bank account'}`,
  counterparty: {
    accountName: topUp.payerName,
    accountNumber: topUp.payerAccountNumber,
    bankCode: topUp.payerBankCode,
  },
})
