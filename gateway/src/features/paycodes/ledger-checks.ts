import { accounts, acts, ownedBy, type RowCheck, ranged, within } from '../../core/money/ledger/index.ts'
import { add } from '../../kernel/money.ts'
import { heldJournal, paidOutJournal, returnedJournal } from './journals.ts'
import { type PaycodeRow, paycodes } from './repository.ts'

const paycodeCheck = acts<PaycodeRow>({
  name: 'paycode',
  rows: { table: 'paycode', idFormat: 'standard' },
  read: (tx, ranges) =>
    tx<PaycodeRow[]>`select ${paycodes.of('r')} from ${ranged(ranges)} join paycode r on ${within('r', ranges)}`,
  reference: ({ paycodeReference }) => paycodeReference,
  state: ({ status }) => status,
  consequences: (paycode) => {
    const { status, amount, fee, walletAccountNumber } = paycode
    const [held, paidOut, returned] = [heldJournal(paycode), paidOutJournal(paycode), returnedJournal(paycode)]
    switch (status) {
      case 'PENDING':
        return {
          booked: [held],
          unbooked: [paidOut.key, returned.key],
          holds: { account: accounts.inFlight(walletAccountNumber), amount: add(amount, fee) },
        }
      case 'SUCCESS':
        return { booked: [held, paidOut], unbooked: [returned.key] }
      case 'EXPIRED':
      case 'CANCELLED':
        return { booked: [held, returned], unbooked: [paidOut.key] }
    }
  },
  mayChange: ({ status }) => status === 'PENDING',
  owned: [ownedBy('paycode/', 'paycode', 'transaction_reference')],
})

export const paycodeChecks: readonly RowCheck[] = [paycodeCheck]
