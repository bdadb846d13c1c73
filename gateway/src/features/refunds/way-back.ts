import { WALLET_BANK } from '../../core/banks/index.ts'
import type { Merchant } from '../../core/merchants/index.ts'
import { invariant } from '../../kernel/errors.ts'
import type { FoundCardRefund } from '../../rails/card.ts'
import type { Rails } from '../../rails/index.ts'
import type { FoundTransfer } from '../../rails/transfer.ts'
import type { RefundRow } from './repository.ts'

/** What became of a refund on its way back to the customer. */
export type WayBack =
  | { readonly kind: 'arrived' }
  | { readonly kind: 'failed'; readonly reason: string }
  /** Nobody knows yet. `askAt` where the rail says when it will. */
  | { readonly kind: 'unknown'; readonly askAt?: Date }

/**
 * Sends a refund back the way its payment came. From the second attempt on the rail is asked what became of it first, and
 * sends it only where it never saw it.
 */
export async function sendBack(rails: Rails, merchant: Merchant, refund: RefundRow, now: () => Date): Promise<WayBack> {
  const { send, find } = wayOf(rails, merchant, refund, now)
  const found = refund.attempts > 1 ? await find() : undefined
  return found ?? send()
}

interface Way {
  readonly send: () => Promise<WayBack>
  /** Undefined where the rail never saw it. */
  readonly find: () => Promise<WayBack | undefined>
}

function wayOf(rails: Rails, merchant: Merchant, refund: RefundRow, now: () => Date): Way {
  const { reference, amount, chargeReference } = refund
  if (chargeReference !== null)
    return {
      send: async () => fromCard(await rails.card.refund({ reference, chargeReference, amount })),
      find: async () => seen(await rails.card.findRefund(reference), fromCard),
    }
  const { destinationAccountNumber, destinationBankCode } = refund
  invariant(destinationAccountNumber !== null && destinationBankCode !== null, 'a refund goes to a card or an account')
  const order = {
    reference,
    amount,
    destination: {
      accountNumber: destinationAccountNumber,
      bankCode: destinationBankCode,
      accountName: refund.destinationAccountName ?? '',
    },
    narration: refund.customerNote.trim() || 'Refund',
    sender: {
      name: merchant.name,
      accountNumber: refund.walletAccountNumber,
      bankCode: WALLET_BANK.code,
      bvn: null,
    },
  }
  return {
    // What just went through may still come back: it counts once the rail, asked at that time, says that it stayed.
    send: async () => fromTransfer(await rails.transfer.send(order), undefined),
    find: async () => seen(await rails.transfer.find(reference), (found) => fromTransfer(found, now())),
  }
}

const seen = <Found extends { readonly kind: string }>(
  found: Found | { readonly kind: 'not found' },
  read: (found: Found) => WayBack,
): WayBack | undefined => (found.kind === 'not found' ? undefined : read(found as Found))

function fromTransfer(outcome: Exclude<FoundTransfer, { kind: 'not found' }>, askedAt: Date | undefined): WayBack {
  switch (outcome.kind) {
    case 'succeeded': {
      const { finalAt } = outcome
      const isFinal = finalAt === undefined || (askedAt !== undefined && askedAt >= finalAt)
      return isFinal ? { kind: 'arrived' } : { kind: 'unknown', askAt: finalAt }
    }
    case 'reversed':
      return { kind: 'failed', reason: 'The customer’s bank sent the money back' }
    case 'failed':
      return { kind: 'failed', reason: outcome.reason }
    case 'unknown':
      return { kind: 'unknown' }
  }
}

function fromCard(outcome: Exclude<FoundCardRefund, { kind: 'not found' }>): WayBack {
  switch (outcome.kind) {
    case 'refunded':
      return { kind: 'arrived' }
    case 'refused':
      return { kind: 'failed', reason: outcome.reason }
    case 'unknown':
      return { kind: 'unknown' }
  }
}
