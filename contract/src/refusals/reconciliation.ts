import { refusals } from '../refusal.ts'

/** How what people decide about exceptions of the reconciliation is refused. */
export const reconciliationRefusals = refusals({
  notDecided: {
    code: 'NOT_DECIDED',
    status: 422,
    text: '{why}',
    cause:
      'What is to be booked does not fit the exception, it is settled already, or whoever proposed it confirms it. The message says which.',
  },
})
