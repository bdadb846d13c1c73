import type { Static, TSchema } from 'typebox'
import { fromMoment } from '../../kernel/dates.ts'
import { httpErrors } from '../../platform/http/server.ts'
import { checkTexts, compileCheck, malformed } from '../../platform/http/validation.ts'
import type { InboundCredit } from '../bank.ts'
import type { InboundDispute } from '../dispute.ts'
import { CreditNotification, DisputeNotification, NameEnquiryRequest, OutcomeNotification } from '../protocol/index.ts'
import { readKobo } from './reader.ts'

export const CREDITS = 'credits'
export const OUTCOMES = 'outcomes'
export const NAME_ENQUIRY = 'name-enquiry'

export const DISPUTES = 'disputes'

const credit = noticeReader(CreditNotification)
const dispute = noticeReader(DisputeNotification)
const outcome = noticeReader(OutcomeNotification)

/** Reads a bank's name enquiry. Rejects malformed ones. */
export const readEnquiry = noticeReader(NameEnquiryRequest)

/** Reads a credit notification. Rejects malformed ones. */
export function readCredit(partner: string, text: string): InboundCredit {
  const { railReference, bankCode, accountNumber, amount, payer, narration, fee = 0, vat = 0, arrivedAt } = credit(text)
  if (fee + vat > amount) throw malformed('fee', 'and vat must add up to at most the amount')
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

/** Reads a dispute notification. Rejects malformed ones. */
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

/** Reads the reference in an order notification. Ignores the rest, because the partner is queried. */
export const readOutcome = (text: string): string => outcome(text).reference

/** Creates a reader of notifications that match a schema. Others are rejected with the field's name. */
function noticeReader<Schema extends TSchema>(schema: Schema): (text: string) => Static<Schema> {
  const findWrong = compileCheck(schema, 'body')
  return (text) => {
    const body = parsed(text)
    checkTexts(body)
    const wrong = findWrong(body)
    if (wrong !== undefined) throw wrong
    return body as Static<Schema>
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw httpErrors.invalidJson()
  }
}
