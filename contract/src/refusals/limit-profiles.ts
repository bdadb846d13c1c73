import { refusals } from '../refusal.ts'

export const limitProfileRefusals = refusals({
  nameTaken: {
    code: 'DUPLICATE_LIMIT_PROFILE_NAME',
    status: 422,
    text: 'A limit profile with this name already exists: use another limitProfileName',
    cause: 'Another limit profile of the merchant has this name.',
  },
  dailyBelowSingle: {
    code: 'DAILY_BELOW_SINGLE',
    status: 400,
    text: 'dailyTransactionValue must be at least singleTransactionValue',
    cause: 'A single payment could exceed the daily limit.',
  },
  notFound: {
    code: 'UNKNOWN_LIMIT_PROFILE',
    status: 404,
    text: 'Cannot find limit profile',
    cause: 'The merchant has no limit profile with this code.',
  },
})
