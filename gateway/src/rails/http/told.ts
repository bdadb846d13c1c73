import type { Static, TSchema } from 'typebox'
import { fromMoment } from '../../kernel/dates.ts'
import { httpErrors } from '../../platform/http.ts'
import { checkTexts, compileCheck, malformed } from '../../platform/validation.ts'
import type { InboundCredit } from '../bank.ts'
import type { InboundDispute } from '../dispute.ts'
import { CreditTold, DisputeTold, EnquiryTold, OutcomeTold } from '../protocol/index.ts'
import { readKobo } from './reader.ts'

/** What a notice of a credit is signed as. */
export const CREDITS = 'credits'
/** What a notice that something has become of an order is signed as. */
export const OUTCOMES = 'outcomes'
/** What a question for the holder of one of our account numbers is signed as. */
export const NAME_ENQUIRY = 'name-enquiry'

/** What a notice of a dispute is signed as. */
export const DISPUTES = 'disputes'

const credit = noticeReader(CreditTold)
const dispute = noticeReader(DisputeTold)
const outcome = noticeReader(OutcomeTold)

/** The account number whose holder a bank asks for. Refuses what is malformed. */
export const readEnquiry = noticeReader(EnquiryTold)

/** Money that the operator's bank has received, as its adapter tells of it. Refuses what is malformed. */
export function readCredit(partner: string, text: string): InboundCredit {
  const { railReference, bankCode, accountNumber, amount, payer, narration, fee = 0, vat = 0, arrivedAt } = credit(text)
  if (fee + vat > amount) throw malformed('fee', 'with vat no more than the amount')
  return {
    partner,
    railReference,
    bankCode,
    accountNumber,
    amount: readKobo(amount),
    payer: {
      name: payer?.name ?? null,
      accountNumber: payer?.accountNumber ?? null,
      bankCode: payer?.bankCode ?? null,
      bvn: payer?.bvn ?? null,
    },
    narration: narration ?? null,
    arrivedAt: typeof arrivedAt === 'string' ? fromMoment(arrivedAt) : undefined,
    cost: fee + vat === 0 ? undefined : { fee: readKobo(fee), vat: readKobo(vat) },
  }
}

/** A payment that is wanted back, as the adapter tells of it. Refuses what is malformed. */
export function readDispute(partner: string, text: string): InboundDispute {
  const { reference, kind, status, paymentReference, bankCode, accountNumber, amount, reason, respondBy } =
    dispute(text)
  return {
    partner,
    reference,
    kind,
    status,
    paymentReference,
    bankCode: bankCode ?? null,
    accountNumber: accountNumber ?? null,
    amount: readKobo(amount),
    reason: reason ?? null,
    respondBy: typeof respondBy === 'string' ? fromMoment(respondBy) : undefined,
  }
}

/** The reference of an order of which the adapter tells. What else it tells is not looked at: the partner is asked. */
export const readOutcome = (text: string): string => outcome(text).reference

/** Reads notices that look like the schema; refuses others, naming the field. */
function noticeReader<Schema extends TSchema>(schema: Schema): (text: string) => Static<Schema> {
  const findWrong = compileCheck(schema, 'body')
  return (text) => {
    const told = parsed(text)
    checkTexts(told)
    const wrong = findWrong(told)
    if (wrong !== undefined) throw wrong
    return told as Static<Schema>
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw httpErrors.invalidJson()
  }
}
