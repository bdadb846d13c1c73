import { refusals } from '../refusal.ts'
import { bankRefusals } from './banks.ts'
import { transactionRefusals } from './transactions.ts'

export const bankTransferRefusals = refusals({
  unknownBank: bankRefusals.unknownBank,
  methodNotEnabled: {
    ...transactionRefusals.methodNotEnabled,
    text: 'Payment method {paymentMethod} is not enabled for this transaction',
  },
})
