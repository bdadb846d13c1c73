import { refusal } from '../../kernel/errors.ts'

export const refundErrors = {
  unknownTransaction: refusal(404, () => 'Could not find specified transaction', { code: 'R1' }),
  notRefundable: refusal(400, (why: string) => `Transaction cannot be refunded: ${why}`, { code: 'R2' }),
  aboveAmount: refusal(400, (naira: string) => `refundAmount is above the ${naira} that can still be refunded`, {
    code: 'R3',
  }),
  amountTooSmall: refusal(400, (naira: number) => `refundAmount must be at least ${naira}`, { code: 'R4' }),
  insufficientBalance: refusal(400, () => 'Wallet balance is too low for the refund and its fee', { code: 'R5' }),
  invalidAccount: refusal(400, (why: string) => `Customer account is not valid: ${why}`, { code: 'R6' }),
  notFound: refusal(404, () => 'Could not find specified refund', { code: 'R7' }),
  textTooLong: refusal(400, (field: string, length: number) => `${field} must be at most ${length} characters`, {
    code: 'R8',
  }),
  duplicateReference: refusal(400, () => 'Duplicate refund reference', { code: 'R9' }),
  fullyRefunded: refusal(400, () => 'Transaction has been refunded in full already', { code: 'R12' }),
}
