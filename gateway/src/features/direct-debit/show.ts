import type * as contract from '@kobo/contract'
import type { Debit, Mandate, MandateStatus, Reply } from '@kobo/contract'
import type { Static } from 'typebox'
import { zoned } from '../../kernel/dates.ts'
import { toNaira, ZERO } from '../../kernel/money.ts'
import { authorizationMessage } from './instruction.ts'
import type { MandateLinks } from './link.ts'
import { awaitsAuthorization } from './mandate.ts'
import type { DebitRow, MandateRow } from './repository.ts'

/** The scheme under which the customers' banks let us debit: NIBSS Direct Debit. */
const SCHEME_CODE = 'NDD'

const STATUS_MESSAGES: Readonly<Record<MandateStatus, string>> = {
  INITIATED: 'The authorization instruction has not been sent yet',
  PENDING_AUTHORIZATION: 'Awaiting authorization by the customer',
  ACTIVE: 'Active mandate',
  SUSPENDED: "Suspended by the customer's bank until the customer authorizes it again",
  CANCELLED: 'Cancelled mandate',
  EXPIRED: 'Expired mandate',
  AUTHORIZATION_EXPIRED: 'The customer did not authorize it in time',
  FAILED: 'The customer refused it',
}

export function showMandate(mandate: MandateRow, links: MandateLinks): Static<typeof Mandate> {
  const isAwaited = awaitsAuthorization(mandate)
  return {
    mandateCode: mandate.mandateCode,
    externalMandateReference: mandate.mandateReference,
    mandateReference: mandate.mandateReference,
    startDate: zoned(mandate.startsAt),
    endDate: zoned(mandate.endsAt),
    mandateStatus: mandate.status,
    mandateAmount: toNaira(mandate.mandateAmount ?? ZERO),
    contractCode: mandate.contractCode,
    autoRenew: mandate.autoRenew,
    customerPhoneNumber: mandate.customerPhoneNumber,
    customerEmailAddress: mandate.customerEmailAddress,
    customerAddress: mandate.customerAddress,
    customerName: mandate.customerName,
    customerAccountName: mandate.customerAccountName,
    customerAccountNumber: mandate.customerAccountNumber,
    customerAccountBankCode: mandate.customerAccountBankCode,
    mandateDescription: mandate.mandateDescription,
    debitAmount: mandate.debitAmount === null ? null : toNaira(mandate.debitAmount),
    authorizationMessage: isAwaited ? authorizationMessage(mandate) : null,
    authorizationLink: isAwaited ? links.linkTo(mandate) : null,
    schemeCode: SCHEME_CODE,
    responseMessage: STATUS_MESSAGES[mandate.status],
  }
}

/** Shows a debit, with the reason if the bank declined it. */
export const showDebit = (debit: DebitRow, mandateCode: string): Static<typeof Debit> => ({
  transactionStatus: debit.status,
  responseMessage: debit.reason,
  transactionReference: debit.transactionReference,
  paymentReference: debit.paymentReference,
  debitAmount: toNaira(debit.amount),
  narration: debit.narration,
  mandateCode,
})

export const showCreated = (mandate: MandateRow): Reply<typeof contract.createMandate> => ({
  responseMessage: 'The mandate has been created. An authorization instruction is on its way to the customer by mail.',
  mandateReference: mandate.mandateReference,
  mandateCode: mandate.mandateCode,
  mandateStatus: mandate.status,
  ...(mandate.redirectUrl === null ? {} : { redirectUrl: mandate.redirectUrl }),
})
