import { hidden } from '@kobo/gateway/kernel/hidden.ts'
import { kobo } from '@kobo/gateway/kernel/money.ts'
import type { AccountOpening } from '@kobo/gateway/rails/account.ts'
import type { Card, ChargeRequest } from '@kobo/gateway/rails/card.ts'
import type { PartnerRails } from '@kobo/gateway/rails/not-sent.ts'

/** Every operation of the protocol, implemented by rails. */
export const OPERATION_HANDLERS: Readonly<Record<string, (rails: PartnerRails, told: never) => Promise<object>>> = {
  'account/find-send-back': ({ returns }, { reference }) => returns.find(reference),
  'account/send-back': ({ returns }, told) => returns.send(inKobo(told)),
  'account/open': ({ account }, told: Omit<AccountOpening, 'expiresAt'> & { expiresAt: string | null }) =>
    account.open({ ...told, expiresAt: told.expiresAt === null ? null : new Date(told.expiresAt) }),
  'account/find': ({ account }, told) => account.find(told),
  'account/close': ({ account }, told) => account.close(told),
  'account/rename': ({ account }, told) => account.rename(told),
  'biller/catalogue': ({ biller }) => biller.catalogue(),
  'biller/validate-customer': ({ biller }, told) => biller.validateCustomer(told),
  'biller/vend': ({ biller }, told) => biller.vend(inKobo(told)),
  'biller/find-vend': ({ biller }, { reference }) => biller.findVend(reference),
  'card/charge': ({ card }, told: { card: Record<string, string>; amount: number }) =>
    card.charge({ ...(inKobo(told) as ChargeRequest), card: asCard(told.card) }),
  'card/authorize-otp': ({ card }, { reference, otp }: { reference: string; otp: string }) =>
    card.authorizeOtp({ reference, otp: hidden(otp) }),
  'card/find': ({ card }, { reference }) => card.find(reference),
  'card/refund': ({ card }, told) => card.refund(inKobo(told)),
  'card/find-refund': ({ card }, { reference }) => card.findRefund(reference),
  'debit/debit': ({ debit }, told) => debit.debit(inKobo(told)),
  'debit/find': ({ debit }, { reference }) => debit.findDebit(reference),
  'identity/find-account': ({ identity }, told) => identity.findAccount(told),
  'identity/find-bvn': ({ identity }, { bvn }) => identity.findBvn(bvn),
  'identity/find-nin': ({ identity }, { nin }) => identity.findNin(nin),
  'transfer/find': ({ transfer }, { reference }) => transfer.find(reference),
  'transfer/name-enquiry': ({ transfer }, told) => transfer.nameEnquiry(told),
  'transfer/send': ({ transfer }, told) => transfer.send(inKobo(told)),
}

/** Amounts travel as whole kobo; the rest was validated and is passed as it is. */
const inKobo = (told: { readonly amount: number }): never => ({ ...told, amount: kobo(BigInt(told.amount)) }) as never

const asCard = ({ number = '', expiryMonth = '', expiryYear = '', cvv, pin }: Record<string, string>): Card => ({
  number: hidden(number),
  expiryMonth,
  expiryYear,
  cvv: cvv == null ? null : hidden(cvv),
  pin: pin == null ? null : hidden(pin),
})

/** A response on the wire. */
export const asText = (answer: object): string =>
  JSON.stringify(answer, (_, value) => (typeof value === 'bigint' ? Number(value) : value))
