import { claimCredits, openMemory, outcomeOf } from '../../core/money/credits/index.ts'
import { accounts, type Journal } from '../../core/money/ledger/index.ts'
import { openWallets, type WalletAct, walletNumbers } from '../../core/money/wallet-balances/index.ts'
import type { UnitOfWork } from '../../core/unit-of-work.ts'
import { invariant } from '../../kernel/errors.ts'
import type { Kobo } from '../../kernel/money.ts'
import type { CreditOutcome, InboundCredit } from '../../rails/bank.ts'
import { insertTopUps, type TopUpRow } from './repository.ts'

export interface WalletCredit {
  readonly merchantId: bigint
  readonly walletId: bigint
  readonly credit: InboundCredit
}

/** A top-up, with further facts of its credit for the wallet statement. */
type TopUp = TopUpRow & { readonly narration: string | null; readonly sessionId: string | undefined }

/** Returns the journal of a top-up: the bank owes us the amount, and all of it belongs to the wallet. */
export const topUpJournal = (
  topUp: Pick<TopUpRow, 'merchantId' | 'railReference' | 'walletAccountNumber' | 'amount' | 'partner'>,
): Journal => ({
  merchantId: topUp.merchantId,
  key: `top-up/${topUp.railReference}`,
  memo: `Top-up of wallet ${topUp.walletAccountNumber}`,
  moves: [
    {
      from: accounts.clearing('bank-transfer', topUp.partner),
      to: accounts.wallet(topUp.walletAccountNumber),
      amount: topUp.amount,
    },
  ],
})

/** Returns the journal of the sandbox's test money: a top-up without a bank. */
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
 * Posts a batch of credits to wallets in one database transaction. A repeated or contradictory notification changes
 * nothing.
 */
export async function receiveTopUps(
  unit: UnitOfWork,
  credits: readonly WalletCredit[],
): Promise<readonly CreditOutcome[]> {
  const { tx, at } = unit
  const keys = credits.map(({ merchantId, walletId }) => ({ merchantId, id: walletId }))
  const numbers = await walletNumbers(tx, keys)
  const topUps = credits.map((credit): TopUp => {
    const number = numbers.get(credit.walletId)
    invariant(number !== undefined, 'a top-up account has a wallet')
    return topUpOf(credit, number, at)
  })
  // Sent together and run in this order: the query after the lock sees what a concurrent duplicate has committed.
  const [wallets, decisions] = await Promise.all([
    openWallets(
      tx,
      topUps.map(({ merchantId, walletAccountNumber }) => ({ merchantId, accountNumber: walletAccountNumber })),
    ),
    claimCredits(tx, topUps),
  ])
  const memory = openMemory(decisions)
  const fresh: TopUp[] = []
  const outcomes = topUps.map((topUp): CreditOutcome => {
    const before = memory.earlierDecision(topUp)
    if (before !== undefined) return before
    fresh.push(withReference(topUp, memory.referenceFor(topUp)))
    memory.remember(topUp, null)
    return outcomeOf(null)
  })
  for (const topUp of fresh) invariant(wallets.take(topUpAct(topUp)), 'a wallet can always be credited')
  insertTopUps(tx, fresh)
  wallets.write(unit)
  return outcomes
}

const topUpOf = ({ merchantId, credit }: WalletCredit, walletAccountNumber: string, at: Date): TopUp => ({
  merchantId,
  partner: credit.partner,
  railReference: credit.railReference,
  sessionId: credit.sessionId,
  walletAccountNumber,
  amount: credit.amount,
  payerName: credit.payer.name,
  payerAccountNumber: credit.payer.accountNumber,
  payerBankCode: credit.payer.bankCode,
  bankCode: credit.bankCode,
  accountNumber: credit.accountNumber,
  receivedAt: at,
  narration: credit.narration ?? null,
})

/** Returns a top-up with the reference under which it is stored, which may differ from the bank's. */
const withReference = (topUp: TopUp, railReference: string): TopUp =>
  railReference === topUp.railReference
    ? topUp
    : { ...topUp, railReference, sessionId: topUp.sessionId ?? topUp.railReference }

const topUpAct = (topUp: TopUp): WalletAct => ({
  journal: topUpJournal(topUp),
  reference: topUp.sessionId ?? topUp.railReference,
  transactionReference: topUp.railReference,
  narration: topUp.narration,
  message: `Top-up from ${topUp.payerName ?? 'a bank account'}`,
  counterparty: {
    accountName: topUp.payerName,
    accountNumber: topUp.payerAccountNumber,
    bankCode: topUp.payerBankCode,
  },
})
