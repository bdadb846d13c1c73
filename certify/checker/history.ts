/**
 * The outcome of an operation: unknown if there was no response, or an error after which it may have taken effect
 * (5xx).
 */
export type Outcome = 'ok' | 'failed' | 'unknown'

interface Call {
  /** The client's name. One client makes one call at a time. */
  readonly client: string
  readonly reference: string
  /** When the call began and ended, in milliseconds of one clock for all clients. */
  readonly invokedAt: number
  readonly endedAt: number
  readonly outcome: Outcome
}

/** A payment is created under the merchant's reference. */
export interface Init extends Call {
  readonly kind: 'init'
  /** The gateway's reference, if the call succeeded. */
  readonly transactionReference?: string
}

/** A customer pays an amount in kobo into a payment's account. */
export interface Pay extends Call {
  readonly kind: 'pay'
  readonly amount: number
}

/** A transfer from the wallet, in kobo. */
export interface Transfer extends Call {
  readonly kind: 'transfer'
  readonly amount: number
}

/** A payment as a client reads it. Without a status, it was not found. */
export interface ReadPayment extends Call {
  readonly kind: 'readPayment'
  readonly status?: string
  readonly amountPaid?: number
  readonly transactionReference?: string
}

/** A transfer as a client reads it. Without a status, it was not found. */
export interface ReadTransfer extends Call {
  readonly kind: 'readTransfer'
  readonly status?: string
  readonly amount?: number
  readonly fee?: number
}

/** The wallet's balance as a client reads it, in kobo. */
export interface ReadBalance extends Call {
  readonly kind: 'readBalance'
  readonly available?: number
  readonly ledger?: number
}

export type Operation = Init | Pay | Transfer | ReadPayment | ReadTransfer | ReadBalance

/** A webhook as the endpoint logged it. */
export interface ReceivedEvent {
  readonly eventType: string
  /** The merchant's reference of the payment or transfer. */
  readonly reference: string
  readonly amount: number
  /** Whether the signature was valid. */
  readonly isSigned: boolean
}

/** A transfer in the books of the simulated bank. */
export interface BankEffect {
  readonly reference: string
  readonly amount: number
  /** The amount on its statement, if there is one; 0 if the line is missing. */
  readonly stated?: number
  /** How it lied about it, by its own account. */
  readonly lie?: string
}

/** Everything that the checker knows. */
export interface History {
  /** The wallet's balance before the first operation, in kobo. */
  readonly startBalance: number
  readonly operations: readonly Operation[]
  /** Two reads of every payment and transfer, after all faults are repaired and all work is done. */
  readonly finalReads: readonly (ReadPayment | ReadTransfer)[]
  readonly finalBalance: number
  readonly events: readonly ReceivedEvent[]
  readonly bankEffects: readonly BankEffect[]
  /** The references that reconciliation with the bank's statement lists, if there is a statement. */
  readonly exceptions?: readonly string[]
}

export const ofKind = <Kind extends Operation['kind']>(
  operations: readonly Operation[],
  kind: Kind,
): readonly Extract<Operation, { kind: Kind }>[] =>
  operations.filter((one): one is Extract<Operation, { kind: Kind }> => one.kind === kind)

/** Groups operations by reference. */
export const byReference = <One extends { readonly reference: string }>(all: readonly One[]): Map<string, One[]> =>
  Map.groupBy(all, ({ reference }) => reference)
