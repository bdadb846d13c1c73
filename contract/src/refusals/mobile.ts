import { refusals } from '../refusal.ts'

export const mobileRefusals = refusals({
  methodNotOffered: {
    code: 'METHOD_NOT_OFFERED',
    status: 422,
    text: 'This payment method is not enabled: pay by card, bank transfer or USSD',
    cause: 'No partner of the gateway offers payments by phone number or with a bank login.',
  },
})
