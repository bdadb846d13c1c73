import { type ChangeKind, type DisputeType, PERMISSIONS, type SettingsChange } from '@kobo/contract'
import type { By } from '../../core/edge/http/index.ts'
import { applyPrice, lockMerchant, PriceError } from '../../core/merchants/index.ts'
import { dismissConflict, takeConflict } from '../../core/money/credits/index.ts'
import type { PriceStep, Service } from '../../core/money/pricing/index.ts'
import { audit } from '../../core/security/audit.ts'
import type { UnitOfWork } from '../../core/unit-of-work.ts'
import { fromMoment } from '../../kernel/dates.ts'
import { invariant } from '../../kernel/errors.ts'
import { kobo, naira, nairaOrZero, toNairaForPeople, ZERO } from '../../kernel/money.ts'
import { basisPointsOf } from '../../kernel/percentage.ts'
import { decideDispute, type Outcome, openDispute } from '../disputes/index.ts'
import { type Destination, type ReturnRow, sendTo, settleReturn } from '../returns/index.ts'
import { applySettings, type Rules } from '../settings/index.ts'
import { findTransaction } from '../transactions/index.ts'
import { changeErrors } from './errors.ts'
import { changeOperator, type OperatorsDeps, operatorInWords, type WantedOperator } from './operators.ts'
import type { ChangeRow } from './repository.ts'

/** What is kept of each kind of change. */
export interface Wanted extends WantedDispute {
  readonly TEAM: WantedOperator
  readonly SETTINGS: {
    readonly change: SettingsChange
    readonly contractCode: string | null
    readonly consentBasis: string | null
  }
  readonly PRICE: {
    readonly service: Service
    readonly contractCode: string | null
    readonly steps: readonly WantedStep[] | null
    readonly from: string | null
  }
  readonly RETURN: {
    readonly returnId: string
    readonly reference: string
    readonly amount: string
    readonly to: Destination | 'is back'
  }
  readonly CONFLICT: {
    readonly conflictId: string
    readonly railReference: string
    readonly amount: string
    readonly verdict: 'TAKE' | 'DISMISS'
  }
}

/** What is kept of disputes that are opened or ended by two. */
interface WantedDispute {
  readonly DISPUTE: {
    readonly transactionReference: string
    readonly partner: string
    readonly partnerReference: string
    readonly disputeType: DisputeType
    /** Kobo in digits; null where it is all that is left. */
    readonly amount: string | null
    readonly respondBy: string | null
  }
  readonly DISPUTE_END: {
    readonly disputeId: string
    readonly reference: string
    readonly amount: string
    readonly outcome: Outcome
  }
}

/** A step of a price as it was asked for: naira, and percent in digits. */
export interface WantedStep {
  readonly upTo?: number | string | null
  readonly percent?: string | null
  readonly flat?: number | string | null
  readonly cap?: number | string | null
}

/** A change that is being carried out, by whom, and what the audit is to tell beside. */
export interface Approved<Kind extends ChangeKind> {
  readonly change: ChangeRow
  readonly wanted: Wanted[Kind]
  readonly by: By
  readonly details: object
  /** What is to be done once it is committed. */
  readonly afterwards: (work: () => Promise<unknown>) => void
}

/** What changes are carried out with. */
export interface ChangeDeps extends OperatorsDeps {
  readonly rules: Rules
}

interface KindOfChange<Kind extends ChangeKind> {
  /** What would change, in words. */
  readonly about: (wanted: Wanted[Kind]) => string
  readonly carryOut: (unit: UnitOfWork, approved: Approved<Kind>, deps: ChangeDeps) => Promise<unknown>
}

/** What there is that needs two operators, and how each is carried out: in the transaction that approves it. */
export const KINDS: { readonly [Kind in ChangeKind]: KindOfChange<Kind> } = {
  SETTINGS: {
    about: ({ change }) => settingsInWords(change),
    carryOut: (unit, { change: { merchantId: id }, wanted, by, details }, { rules }) => {
      const { change, contractCode, consentBasis } = wanted
      const told = { ...details, ...(consentBasis === null ? {} : { consentBasis }) }
      const who = { ...by, act: 'merchant.change', details: told, isTold: true }
      return applySettings(unit, rules, { id }, change, who, contractCode ?? undefined)
    },
  },
  PRICE: {
    about: ({ service, steps, contractCode }) =>
      `${service}${contractCode === null ? '' : ` of contract ${contractCode}`}: ${steps === null ? 'everybody’s price' : steps.map(stepInWords).join(', then ')}`,
    carryOut: (unit, { change: { merchantId }, wanted, by, details }) => {
      const { service, contractCode, steps, from } = wanted
      const validFrom = from === null ? undefined : fromMoment(from)
      const price = { merchantId, contractCode, service, steps: steps?.map(stepOf) ?? null, validFrom }
      return applyPrice(unit, { ...price, madeBy: by.name ?? by.actor }, { ...by, details }).catch(priceRefused)
    },
  },
  RETURN: {
    about: ({ amount, reference, to }) =>
      `${amount} of ${reference} ${to === 'is back' ? 'is back with its payer' : to === 'the partner' ? 'goes back by its partner' : `goes to ${to.accountNumber} at bank ${to.bankCode}`}`,
    carryOut: async (unit, { wanted: { returnId, to }, change: { reason }, by, details }) => {
      const id = BigInt(returnId)
      const row = await (to === 'is back' ? settleReturn(unit, id, reason) : sendTo(unit, id, to))
      if (row === undefined) throw changeErrors.notWaiting()
      auditReturn(unit, row, to, by, details)
    },
  },
  CONFLICT: {
    about: ({ amount, railReference, verdict }) =>
      `${amount} under ${railReference} ${verdict === 'TAKE' ? 'is received as money of its own' : 'is dismissed: there is no such money'}`,
    carryOut: async (unit, { wanted: { conflictId, verdict }, change: { reason }, by, details }) => {
      const id = BigInt(conflictId)
      const row = await (verdict === 'TAKE' ? takeConflict(unit.tx, id) : dismissConflict(unit.tx, id, reason))
      if (row === undefined) throw changeErrors.notWaiting()
      audit(unit, {
        ...by,
        merchantId: row.merchantId,
        act: verdict === 'TAKE' ? 'credit-conflict.take' : 'credit-conflict.dismiss',
        reference: row.railReference,
        details: { id: conflictId, ...details },
      })
    },
  },
  DISPUTE: {
    about: ({ disputeType, transactionReference, amount }) =>
      `${disputeType} of ${amount === null ? 'all' : toNairaForPeople(kobo(BigInt(amount)))} of ${transactionReference} is opened`,
    carryOut: async (unit, { change: { merchantId, reason }, wanted, by, details }) => {
      const merchant = await lockMerchant(unit.tx, merchantId)
      const { transactionReference } = wanted
      const transaction = await findTransaction(unit.tx, merchantId, { transactionReference })
      invariant(merchant !== undefined && transaction !== undefined, 'a merchant and its transaction stay')
      const { dispute } = await openDispute(unit, merchant, transaction, {
        partner: wanted.partner,
        partnerReference: wanted.partnerReference,
        kind: wanted.disputeType,
        paymentId: undefined,
        amount: wanted.amount === null ? undefined : kobo(BigInt(wanted.amount)),
        reason,
        evidenceDueAt: wanted.respondBy === null ? undefined : fromMoment(wanted.respondBy),
      })
      audit(unit, { ...by, merchantId, act: 'dispute.open', reference: dispute.reference, details })
    },
  },
  DISPUTE_END: {
    about: ({ amount, reference, outcome }) => `Dispute ${reference} of ${amount} is ${outcome}`,
    carryOut: async (unit, { change: { merchantId, reason }, wanted: { disputeId, outcome }, by, details }) => {
      const dispute = await decideDispute(unit, { merchantId, id: BigInt(disputeId) }, outcome, reason)
      audit(unit, { ...by, merchantId, act: 'dispute.decide', reference: dispute.reference, details })
    },
  },
  TEAM: { about: operatorInWords, carryOut: changeOperator },
}

function auditReturn(
  unit: UnitOfWork,
  { id, merchantId, reference }: ReturnRow,
  to: Destination | 'is back',
  by: By,
  details: object,
): void {
  const where =
    typeof to === 'string'
      ? to === 'is back'
        ? {}
        : { by: 'partner' }
      : { bankCode: to.bankCode, endsIn: to.accountNumber.slice(-4) }
  const act = to === 'is back' ? 'return.settle' : 'return.send'
  audit(unit, { ...by, merchantId, act, reference, details: { id: String(id), ...where, ...details } })
}

/** What keeps a price from being set is told to who wants it. */
export const priceRefused = (error: unknown): never => {
  throw error instanceof PriceError ? changeErrors.badPrice(error.message) : error
}

export const stepOf = ({ upTo, percent, flat, cap }: WantedStep): PriceStep => ({
  upTo: upTo == null ? null : naira(upTo),
  basisPoints: basisPointsOf(percent ?? '0'),
  flat: flat == null ? ZERO : nairaOrZero(flat),
  cap: cap == null ? null : nairaOrZero(cap),
})

const stepInWords = ({ upTo, percent, flat, cap }: WantedStep): string =>
  [
    upTo == null ? '' : `up to ₦${upTo}`,
    percent == null ? '' : `${percent} %`,
    flat == null ? '' : `₦${flat} flat`,
    cap == null ? '' : `at most ₦${cap}`,
  ]
    .filter((part) => part !== '')
    .join(', ') || 'free'

/** A change of settings in words: what is granted and withdrawn, and each other setting with its new value. */
function settingsInWords({ permissions, ...others }: SettingsChange): string {
  const granted = PERMISSIONS.filter((one) => permissions?.[one] === true)
  const withdrawn = PERMISSIONS.filter((one) => permissions?.[one] === false)
  return [
    ...(granted.length === 0 ? [] : [`grant ${granted.join(', ')}`]),
    ...(withdrawn.length === 0 ? [] : [`withdraw ${withdrawn.join(', ')}`]),
    ...(permissions === null ? ['permissions of a new merchant'] : []),
    ...Object.entries(others).map(([name, value]) => `${name}: ${valueInWords(value)}`),
  ].join('; ')
}

const valueInWords = (value: unknown): string =>
  value === null
    ? 'as a new merchant'
    : Array.isArray(value)
      ? value.join(', ')
      : typeof value === 'object'
        ? Object.values(value).join(', ')
        : String(value)

export const amountInWords = toNairaForPeople
