import { hidden } from '@kobo/gateway/kernel/hidden.ts'
import { kobo } from '@kobo/gateway/kernel/money.ts'
import type { AccountOpening } from '@kobo/gateway/rails/account.ts'
import type { Card, ChargeRequest } from '@kobo/gateway/rails/card.ts'
import type { PartnerRails } from '@kobo/gateway/rails/not-sent.ts'

/** Every operation of the protocol, carried out by the simulated rails. */
export const OPERATION_HANDLERS: Readonly<Record<string, (rails: PartnerRails, request: never) => Promise<object>>> = {
  'account/find-send-back': ({ returns }, { reference }) => returns.find(reference),
  'account/send-back': ({ returns }, request) => returns.send(inKobo(request)),
  'account/open': ({ account }, request: Omit<AccountOpening, 'expiresAt'> & { expiresAt: string | null }) =>
    account.open({ ...request, expiresAt: request.expiresAt === null ? null : new Date(request.expiresAt) }),
  'account/find': ({ account }, request) => account.find(request),
  'account/close': ({ account }, request) => account.close(request),
  'account/rename': ({ account }, request) => account.rename(request),
  'biller/catalogue': ({ biller }) => biller.catalogue(),
  'biller/validate-customer': ({ biller }, request) => biller.validateCustomer(request),
  'biller/vend': ({ biller }, request) => biller.vend(inKobo(request)),
  'biller/find-vend': ({ biller }, { reference }) => biller.findVend(reference),
  'card/charge': ({ card }, request: { card: Record<string, string>; amount: number }) =>
    card.charge({ ...(inKobo(request) as ChargeRequest), card: asCard(request.card) }),
  'card/authorize-otp': ({ card }, { reference, otp }: { reference: string; otp: string }) =>
    card.authorizeOtp({ reference, otp: hidden(otp) }),
  'card/find': ({ card }, { reference }) => card.find(reference),
  'card/refund': ({ card }, request) => card.refund(inKobo(request)),
  'card/find-refund': ({ card }, { reference }) => card.findRefund(reference),
  'debit/debit': ({ debit }, request) => debit.debit(inKobo(request)),
  'debit/find': ({ debit }, { reference }) => debit.findDebit(reference),
  'identity/find-account': ({ identity }, request) => identity.findAccount(request),
  'identity/find-bvn': ({ identity }, { bvn }) => identity.findBvn(bvn),
  'identity/find-nin': ({ identity }, { nin }) => identity.findNin(nin),
  'transfer/find': ({ transfer }, { reference }) => transfer.find(reference),
  'transfer/name-enquiry': ({ transfer }, request) => transfer.nameEnquiry(request),
  'transfer/send': ({ transfer }, request) => transfer.send(inKobo(request)),
}

/** Converts the amount of a validated request from a number to money. */
const inKobo = (request: { readonly amount: number }): never =>
  ({ ...request, amount: kobo(BigInt(request.amount)) }) as never

const asCard = ({ number = '', expiryMonth = '', expiryYear = '', cvv, pin }: Record<string, string>): Card => ({
  number: hidden(number),
  expiryMonth,
  expiryYear,
  cvv: cvv == null ? null : hidden(cvv),
  pin: pin == null ? null : hidden(pin),
})

export const asText = (response: object): string =>
  JSON.stringify(response, (_, value) => (typeof value === 'bigint' ? Number(value) : value))
