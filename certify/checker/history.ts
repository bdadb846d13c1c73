/** The outcome of an operation; unknown after no response or a 5xx error, because it may have taken effect. */
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

/** The creation of a payment with the merchant's reference. */
export interface Init extends Call {
  readonly kind: 'init'
  /** The gateway's reference, if the call succeeded. */
  readonly transactionReference?: string
}

/** A customer's transfer into the account of a payment, in kobo. */
export interface Pay extends Call {
  readonly kind: 'pay'
  readonly amount: number
}

/** A transfer from the wallet, in kobo. */
export interface Transfer extends Call {
  readonly kind: 'transfer'
  readonly amount: number
}

/** A client's read of a payment. Without a status, the payment was not found. */
export interface ReadPayment extends Call {
  readonly kind: 'readPayment'
  readonly status?: string
  readonly amountPaid?: number
  readonly transactionReference?: string
}

/** A client's read of a transfer. Without a status, the transfer was not found. */
export interface ReadTransfer extends Call {
  readonly kind: 'readTransfer'
  readonly status?: string
  readonly amount?: number
  readonly fee?: number
}

/** A client's read of the wallet's balance, in kobo. */
export interface ReadBalance extends Call {
  readonly kind: 'readBalance'
  readonly available?: number
  readonly ledger?: number
}

export type Operation = Init | Pay | Transfer | ReadPayment | ReadTransfer | ReadBalance

/** A webhook that the endpoint received. */
export interface ReceivedEvent {
  readonly eventType: string
  /** The merchant's reference of the payment or transfer. */
  readonly reference: string
  readonly amount: number
  /** Whether the signature was valid. */
  readonly isSigned: boolean
}

/** A transfer that the simulated bank carried out. */
export interface BankEffect {
  readonly reference: string
  readonly amount: number
  /** The amount on the bank's statement, if the bank has one; 0 if the line is missing. */
  readonly stated?: number
  /** The fault by which the bank misreported this transfer, as the bank itself logged it. */
  readonly lie?: string
}

/** Everything that the checker compares. */
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
