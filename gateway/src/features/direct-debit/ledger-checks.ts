import { acts, ownedBy, type RowCheck, ranged, within } from '../../core/money/ledger/index.ts'
import { forgotten, ofOrder, type WithOrder, withOrder } from '../../core/orders/index.ts'
import type { Kobo } from '../../kernel/money.ts'
import { ofMerchants } from '../../platform/postgres/table.ts'
import { type DebitRow, debits, type TokenRow, tokens } from './repository.ts'
import { tokenJournal } from './token.ts'

/** A debit, and the money that arrived for it. */
type Debit = DebitRow & WithOrder & { readonly paid: Kobo | null }

const debitCheck = acts<Debit>({
  name: 'debit',
  rows: { table: 'debit', idFormat: 'standard' },
  read: (tx, ranges) =>
    tx<Debit[]>`
      select ${debits.of('r')}, ${ofOrder}, p.amount as paid
        from ${ranged(ranges)}
        join debit r on ${within('r', ranges)}
        ${withOrder(ranges)}
        left join payment p on ${ofMerchants('p', ranges)} and p.merchant_id = r.merchant_id and p.rail_reference = r.transaction_reference and p.transaction_id = r.transaction_id`,
  reference: ({ paymentReference }) => paymentReference,
  state: ({ status }) => status,
  consequences: (debit) => {
    const { status, amount, paid } = debit
    const arrived =
      (status === 'PAID' ? amount : null) === paid
        ? []
        : [`debit of ${amount} is ${status}, but ${paid ?? 'nothing'} arrived`]
    return { wrong: [...arrived, ...forgotten(status === 'PENDING', debit)] }
  },
  mayChange: ({ status }) => status === 'PENDING',
})

type Token = TokenRow & { readonly mandateReference: string }

/** Checks that an accepted token is posted, and that it authorized its mandate, with an event. */
const tokenCheck = acts<Token>({
  name: 'mandate token',
  rows: { table: 'mandate_token', idFormat: 'standard' },
  read: (tx, ranges) =>
    tx<Token[]>`
      select ${tokens.of('r')}, m.mandate_reference
        from ${ranged(ranges)}
        join mandate_token r on ${within('r', ranges)}
        join mandate m on ${ofMerchants('m', ranges)} and m.merchant_id = r.merchant_id and m.id = r.mandate_id`,
  reference: ({ mandateReference }) => mandateReference,
  state: ({ reason }) => (reason === null ? 'accepted' : `sent back: ${reason}`),
  consequences: (token) =>
    token.reason === null
      ? {
          booked: [tokenJournal(token)],
          events: [{ eventType: 'MANDATE_UPDATE', reference: token.mandateReference, at: token.receivedAt }],
        }
      : { unbooked: [tokenJournal(token).key] },
  owned: [ownedBy('mandate-token/', 'mandate_token', 'rail_reference', 'the end')],
})

export const directDebitChecks: readonly RowCheck[] = [debitCheck, tokenCheck]
