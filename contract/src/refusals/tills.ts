import { refusals } from '../refusal.ts'

export const tillRefusals = refusals({
  notFound: {
    code: 'UNKNOWN_TILL',
    status: 404,
    text: 'There is no till with this reference',
    cause: 'The merchant has no such till, or the cashier has another one.',
  },
  notCashier: {
    code: 'NOT_A_CASHIER',
    status: 422,
    text: 'cashiers must be team members with the role cashier',
    cause: 'A user in the list is not in the team, or has another role.',
  },
})
