import type {
  checkoutCard,
  checkoutOtp,
  checkoutTransfer,
  checkoutUssd,
  getCheckout,
  mailReceipt,
} from '@kobo/contract'
import type { Address } from '@kobo/contract/client'

/** Where the gateway answers the page; the compiler holds each against the contract. */
export const ROUTES: {
  readonly state: Address<typeof getCheckout>
  readonly transfer: Address<typeof checkoutTransfer>
  readonly ussd: Address<typeof checkoutUssd>
  readonly card: Address<typeof checkoutCard>
  readonly otp: Address<typeof checkoutOtp>
  readonly receipt: Address<typeof mailReceipt>
} = {
  state: { method: 'GET', path: '/checkout/:checkoutReference/state' },
  transfer: { method: 'POST', path: '/checkout/:checkoutReference/transfer' },
  ussd: { method: 'POST', path: '/checkout/:checkoutReference/ussd' },
  card: { method: 'POST', path: '/checkout/:checkoutReference/card' },
  otp: { method: 'POST', path: '/checkout/:checkoutReference/otp' },
  receipt: { method: 'POST', path: '/checkout/:checkoutReference/receipt' },
}
