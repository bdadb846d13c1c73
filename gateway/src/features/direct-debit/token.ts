import type { RejectionReason } from '@kobo/contract'
import { claimCredits, openMemory, outcomeOf } from '../../core/money/credits/index.ts'
import { accounts, type Journal, postNew } from '../../core/money/ledger/index.ts'
import type { UnitOfWork } from '../../core/unit-of-work.ts'
import { invariant } from '../../kernel/errors.ts'
import type { CreditOutcome, InboundCredit } from '../../rails/bank.ts'
import { moved } from './mandate.ts'
import { insertTokens, type MandateRow, mandates, type TokenRow } from './repository.ts'
import { changeMandates, mayDecide } from './service.ts'

/** A credit on the account of a mandate. */
export interface TokenCredit {
  readonly merchantId: bigint
  readonly mandateId: bigint
  readonly credit: InboundCredit
}

/**
 * Receives a batch of token payments. A payment from the mandated account authorizes its mandate; all others are sent
 * back. A duplicate, or a report that contradicts an earlier one, changes nothing.
 */
export async function receiveTokens(
  unit: UnitOfWork,
  credits: readonly TokenCredit[],
): Promise<readonly CreditOutcome[]> {
  const { tx, at } = unit
  const keys = credits.map(({ merchantId, mandateId }) => ({ merchantId, id: mandateId }))
  const reported = credits.map(({ merchantId, credit }) => ({ ...credit, merchantId }))
  // Pipelined queries run in order: a query after the lock sees what a concurrent duplicate has committed.
  const [locked, decisions] = await Promise.all([mandates.lock(tx, keys), claimCredits(tx, reported)])
  const mandatesById = new Map(locked.map((mandate) => [mandate.id, mandate]))
  const memory = openMemory(decisions)
  const tokens: TokenRow[] = []
  const authorized: MandateRow[] = []

  const outcomes = credits.map(({ merchantId, mandateId, credit }): CreditOutcome => {
    const listed = { ...credit, merchantId }
    const before = memory.earlierDecision(listed)
    if (before !== undefined) return before
    const mandate = mandatesById.get(mandateId)
    invariant(mandate !== undefined, 'the mandate of an account is stored')
    const reason = whySentBack(mandate, credit, at) ?? null
    tokens.push(tokenOf(unit, mandate, { ...credit, railReference: memory.referenceFor(listed) }, reason))
    memory.remember(listed, reason)
    const after = reason === null ? moved(mandate, 'authorize') : undefined
    if (after !== undefined) {
      authorized.push(after)
      mandatesById.set(mandateId, after)
    }
    return outcomeOf(reason)
  })

  insertTokens(tx, tokens)
  changeMandates(unit, authorized)
  postNew(unit, tokens.filter(({ reason }) => reason === null).map(tokenJournal))
  return outcomes
}

/** Returns why a payment does not authorize a mandate, as the reason reported to banks. */
function whySentBack(mandate: MandateRow, { amount, payer }: InboundCredit, at: Date): RejectionReason | undefined {
  if (mandate.status === 'ACTIVE') return 'ALREADY_PAID'
  if (!mayDecide(mandate, 'authorize', at)) return 'ACCOUNT_EXPIRED'
  const isFromMandatedAccount =
    payer.accountNumber === mandate.customerAccountNumber && payer.bankCode === mandate.customerAccountBankCode
  if (!isFromMandatedAccount) return 'PAYMENT_SOURCE_NOT_ALLOWED'
  if (amount === mandate.tokenAmount) return undefined
  return amount < mandate.tokenAmount ? 'UNDER_PAYMENT' : 'LIMIT_EXCEEDED'
}

const tokenOf = (
  { ids, at }: UnitOfWork,
  mandate: MandateRow,
  { partner, railReference, amount, payer }: InboundCredit,
  reason: string | null,
): TokenRow => ({
  merchantId: mandate.merchantId,
  id: ids.id(),
  mandateId: mandate.id,
  partner,
  railReference,
  amount,
  payerName: payer.name,
  payerAccountNumber: payer.accountNumber,
  payerBankCode: payer.bankCode,
  reason,
  receivedAt: at,
})

/** Returns the journal of an accepted token, which is our fee for setting up the mandate. */
export const tokenJournal = ({ merchantId, railReference, partner, amount }: TokenRow): Journal => ({
  merchantId,
  key: `mandate-token/${railReference}`,
  memo: 'Mandate token',
  moves: [{ from: accounts.clearing('bank-transfer', partner), to: accounts.fees('mandate'), amount }],
})
