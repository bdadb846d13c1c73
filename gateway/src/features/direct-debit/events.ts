import type { OutgoingEvent } from '../../core/messages/outbox/index.ts'
import { spacedTenth } from '../../kernel/dates.ts'
import { toNaira, ZERO } from '../../kernel/money.ts'
import type { MandateRow } from './repository.ts'

/** Returns the event for a mandate whose status changed, or whose dates changed because it was renewed. */
export const mandateEvent = (mandate: MandateRow): OutgoingEvent => ({
  merchantId: mandate.merchantId,
  eventType: 'MANDATE_UPDATE',
  refs: [mandate.mandateReference, mandate.mandateCode],
  eventData: {
    customerAddress: mandate.customerAddress,
    endDate: spacedTenth(mandate.endsAt),
    customerEmailAddress: mandate.customerEmailAddress,
    customerAccountName: mandate.customerAccountName,
    customerAccountNumber: mandate.customerAccountNumber,
    customerAccountBankCode: mandate.customerAccountBankCode,
    customerName: mandate.customerName,
    mandateDescription: mandate.mandateDescription,
    externalMandateReference: mandate.mandateReference,
    mandateStatus: mandate.status,
    mandateAmount: toNaira(mandate.mandateAmount ?? ZERO),
    autoRenew: mandate.autoRenew,
    mandateCode: mandate.mandateCode,
    contractCode: mandate.contractCode,
    customerPhoneNumber: mandate.customerPhoneNumber,
    startDate: spacedTenth(mandate.startsAt),
  },
})
