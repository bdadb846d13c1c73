import type { PayoutKind } from '@kobo/contract'
import type { UnitOfWork } from '../../core/unit-of-work.ts'
import { invariant } from '../../kernel/errors.ts'
import type { Kobo } from '../../kernel/money.ts'
import type { Db } from '../../platform/postgres/db.ts'

/** The status of every payout waiting for approval, even if the API has another name for it. */
export const WAITING = 'PENDING_AUTHORIZATION'

export interface PayoutKey {
  readonly merchantId: bigint
  readonly id: bigint
}

/** A payment out of a wallet, as the approver sees it. */
export interface Payout {
  readonly id: bigint
  readonly reference: string
  /** WAITING while it awaits approval. */
  readonly status: string
  readonly amount: Kobo
  readonly fee: Kobo
  /** The receiver of the money, in words. */
  readonly recipient: string
  readonly narration: string
  readonly itemsCount: number
}

/** The facts that an approval covers, one row per payment: any change of them makes the approval void. */
export type Facts = readonly (readonly string[])[]

export interface LockedPayout extends Pick<Payout, 'reference' | 'status' | 'amount'> {
  readonly facts: Facts
  /** Releases the payout; returns the function that sends it after the commit, if there is something to send. */
  readonly release: () => Promise<(() => Promise<unknown>) | undefined>
  /** Returns the money to the wallet. */
  readonly reject: (reason: string) => Promise<void>
}

/** How a feature shows, locks and ends its payouts. */
export interface PayoutDefinition {
  readonly select: (db: Db, keys: readonly PayoutKey[]) => Promise<readonly Payout[]>
  readonly lock: (unit: UnitOfWork, key: PayoutKey) => Promise<LockedPayout>
}

/** The payouts of all features, by kind. */
export interface Payouts {
  readonly define: (kind: PayoutKind, definition: PayoutDefinition) => void
  readonly of: (kind: PayoutKind) => PayoutDefinition
}

export function openPayouts(): Payouts {
  const kinds = new Map<PayoutKind, PayoutDefinition>()
  return {
    define: (kind, definition) => void kinds.set(kind, definition),
    of: (kind) => {
      const definition = kinds.get(kind)
      invariant(definition !== undefined, `a feature has payouts of kind ${kind}`)
      return definition
    },
  }
}
