import { createHash, randomUUID } from 'node:crypto'
import { wallClock } from '@kobo/gateway/kernel/clock.ts'
import { can, type Manifest, type Trial } from '@kobo/gateway/rails/protocol/index.ts'

/** An order that the test can send without real money. */
export interface Send {
  readonly operation: string
  readonly find: string
  readonly request: (reference: string, amount?: number) => object
  /** The kind of a successful response. */
  readonly done: string
  /**
   * The kind of response for an order that is given up, because it cannot be queried. No such order may move money.
   */
  readonly givenUp?: string
}

export const newReference = (): string => `trial-${randomUUID()}`

const SEQUENCE_DIGITS = 18
const PLACED_AT = wallClock.now().toISOString()

/** The identifiers of an order, always the same for the same reference. */
export const orderOf = (reference: string) => ({
  reference,
  sequence: String(createHash('sha256').update(reference).digest().readBigUInt64BE()).slice(-SEQUENCE_DIGITS),
  placedAt: PLACED_AT,
})

/** The orders that the manifest allows the test to send; none if it names no test accounts and cards. */
export function sendsOf(manifest: Manifest): readonly Send[] {
  const { trial } = manifest
  if (trial === undefined) return []
  const { transfer, credit, card, debit, bill, account, amount: usual } = trial
  const all: (Send | false | undefined)[] = [
    transfer && can(manifest, 'transfers') && transferTo(transfer.bankCode, transfer.accountNumber, usual),
    credit && can(manifest, 'returns') && sendingBack(credit, usual),
    card &&
      can(manifest, 'cards') && {
        operation: 'card/charge',
        find: 'card/find',
        request: (reference, amount = usual) => ({
          ...orderOf(reference),
          amount,
          currencyCode: 'NGN',
          card,
          initiator: 'HOLDER',
          merchantName: 'Trial',
          returnUrl: 'https://example.com/back',
        }),
        done: 'approved',
      },
    debit &&
      can(manifest, 'debits') && {
        operation: 'debit/debit',
        find: 'debit/find',
        request: (reference, amount = usual) => ({
          ...orderOf(reference),
          amount,
          narration: 'Trial',
          ...debit,
        }),
        done: 'paid',
      },
    bill &&
      can(manifest, 'billers') && {
        operation: 'biller/vend',
        find: 'biller/find-vend',
        request: (reference, amount = usual) => ({
          ...orderOf(reference),
          amount,
          ...bill,
          validationReference: null,
          emailAddress: null,
          phoneNumber: null,
        }),
        done: 'vended',
      },
    account &&
      can(manifest, 'issued-accounts') && {
        operation: 'account/open',
        find: 'account/find',
        // An account opening has no amount, so another name makes the request differ from the first one.
        request: (reference, amount = usual) => ({
          ...orderOf(reference),
          bankCode: account.bankCode,
          kind: 'DYNAMIC',
          accountName: `Trial ${amount}`,
          expiresAt: null,
          customer: null,
        }),
        done: 'opened',
        givenUp: 'refused',
      },
  ]
  return all.filter((send) => typeof send === 'object')
}

export const transferTo = (bankCode: string, accountNumber: string, usual: number): Send => ({
  operation: 'transfer/send',
  find: 'transfer/find',
  request: (reference, amount = usual) => ({
    ...orderOf(reference),
    amount,
    destination: { bankCode, accountNumber, accountName: 'TRIAL' },
    narration: 'Trial',
    sender: { name: 'Trial', accountNumber: null, bankCode: null, bvn: null },
  }),
  done: 'succeeded',
})

/** Returns a send that returns a credit to its payer: each reference another credit. */
export const sendingBack = (account: NonNullable<Trial['credit']>, usual: number): Send => ({
  operation: 'account/send-back',
  find: 'account/find-send-back',
  request: (reference, amount = usual) => aReturn(account, reference, `credit-${reference}`, amount),
  done: 'succeeded',
})

export const aReturn = (
  account: NonNullable<Trial['credit']>,
  reference: string,
  railReference: string,
  amount: number,
) => ({
  ...orderOf(reference),
  amount,
  credit: { railReference, ...account },
  narration: 'Trial',
})

/** Requests that change nothing and that the manifest allows. */
export function enquiriesOf(manifest: Manifest): readonly { readonly operation: string; readonly request: object }[] {
  const { transfer, bvn } = manifest.trial ?? {}
  return [
    ...(transfer && can(manifest, 'name-enquiry')
      ? [
          {
            operation: 'transfer/name-enquiry',
            request: { bankCode: transfer.bankCode, accountNumber: transfer.accountNumber },
          },
        ]
      : []),
    ...(bvn !== undefined && can(manifest, 'identity') ? [{ operation: 'identity/find-bvn', request: { bvn } }] : []),
    ...(can(manifest, 'billers') ? [{ operation: 'biller/catalogue', request: {} }] : []),
  ]
}
