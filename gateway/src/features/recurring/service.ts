import type { Core } from '../../core/core.ts'
import type { Merchant } from '../../core/merchants/index.ts'
import { isSameAddress, type Vault } from '../../core/security/vault.ts'
import { type Cards, isExpired } from '../cards/index.ts'
import {
  draftTransaction,
  type NewTransaction,
  type TransactionRecord,
  transactionReads,
} from '../transactions/index.ts'
import { recurringErrors } from './errors.ts'

export interface Deps {
  readonly core: Core
  readonly vault: Vault
  readonly cards: Cards
}

/** Charges a stored card for a new transaction; returns that transaction with its payment. */
export async function chargeToken(
  { core, vault, cards }: Deps,
  merchant: Merchant,
  cardToken: string,
  requested: NewTransaction,
): Promise<TransactionRecord> {
  const { db, ids } = core
  const at = core.clock.now()
  const card = await vault.find(merchant.id, cardToken)
  if (card === undefined) throw recurringErrors.invalidToken()
  if (isExpired(card, at)) throw recurringErrors.expiredToken()
  if (!isSameAddress(card.customerEmail, requested.customerEmail)) throw recurringErrors.anotherEmail()
  const draft = draftTransaction({ ids, at }, merchant, requested)
  const { transaction } = await cards.chargeOnFile(merchant, draft, card)
  return { transaction, payments: await transactionReads.payments(db, [transaction]) }
}

/** Finds the charge that a merchant requested since the given time; if it was declined, throws its error again. */
export async function chargedSince(
  { core, cards }: Deps,
  merchant: Merchant,
  requested: NewTransaction,
  since: Date,
): Promise<TransactionRecord | undefined> {
  const opened = await transactionReads.openedSince(core.db, merchant.id, requested, since)
  if (opened !== undefined) await cards.latest(opened.transaction)
  return opened
}
