import { type ChangeKind, type DisputeType, PERMISSIONS, type SettingsChange } from '@kobo/contract'
import { bankName } from '../../core/bank-list/index.ts'
import type { Core } from '../../core/core.ts'
import { applyPrice, lockMerchant, PriceError } from '../../core/merchants/index.ts'
import { dismissConflict, takeConflict } from '../../core/money/credits/index.ts'
import type { OrderMaker } from '../../core/orders/index.ts'
import type { PriceStep, Service } from '../../core/pricing/index.ts'
import { audit } from '../../core/security/audit.ts'
import type { UnitOfWork } from '../../core/unit-of-work.ts'
import { fromMoment } from '../../kernel/dates.ts'
import { invariant } from '../../kernel/errors.ts'
import { HOUSE } from '../../kernel/house.ts'
import { formatNaira, kobo, naira, nairaOrZero, ZERO } from '../../kernel/money.ts'
import { basisPointsOf } from '../../kernel/percentage.ts'
import { payOutWallet } from '../disbursements/index.ts'
import { decideDispute, type Outcome, openDispute } from '../disputes/index.ts'
import { type Destination, type ReturnRow, sendReturnTo, settleReturn } from '../returns/index.ts'
import { applySettings, type Rules } from '../settings/index.ts'
import { transactionReads } from '../transactions/index.ts'
import { changeErrors, operatorErrors } from './errors.ts'
import { applyOwner } from './owners.ts'
import type { ChangeRow } from './repository.ts'
import {
  type ActingOperator,
  changeOperator,
  type OperatorChange,
  type OperatorsDeps,
  operatorInWords,
} from './team-changes.ts'

/** The stored data of each kind of change. */
export interface ChangeData extends DisputeChangeData {
  readonly TEAM: OperatorChange
  readonly OWNER: { readonly email: string }
  readonly SETTINGS: {
    readonly change: SettingsChange
    readonly contractCode: string | null
    readonly consentBasis: string | null
  }
  readonly PRICE: {
    readonly service: Service
    readonly contractCode: string | null
    readonly steps: readonly RequestedStep[] | null
    readonly from: string | null
  }
  readonly RETURN: {
    readonly returnId: string
    readonly reference: string
    readonly amount: string
    readonly to: Destination | 'is back'
  }
  readonly PAYOUT: {
    readonly walletAccountNumber: string
    readonly bankCode: string
    readonly accountNumber: string
    readonly accountName: string
  }
  readonly CONFLICT: {
    readonly conflictId: string
    readonly railReference: string
    readonly amount: string
    readonly verdict: 'TAKE' | 'DISMISS'
  }
}

/** The stored data of disputes opened or closed by two operators. */
interface DisputeChangeData {
  readonly DISPUTE: {
    readonly transactionReference: string
    readonly partner: string
    readonly partnerReference: string
    readonly disputeType: DisputeType
    /** In kobo, as a string of digits; null for the whole remaining amount. */
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

/** A requested price step, with amounts in naira. */
export interface RequestedStep {
  readonly upTo?: number | string | null
  readonly percent?: string | null
  readonly flat?: number | string | null
  readonly cap?: number | string | null
}

/** An approved change that is being applied, its approver, and further details for the audit log. */
export interface Approved<Kind extends ChangeKind> {
  readonly change: ChangeRow
  readonly wanted: ChangeData[Kind]
  readonly by: ActingOperator
  readonly details: object
  /** Runs work after the commit. */
  readonly afterwards: (work: () => Promise<unknown>) => void
}

/** Dependencies of the changes that send no invitation. */
export interface ChangeDeps {
  readonly core: Core
  readonly rules: Rules
  readonly orders: OrderMaker
}

/** The kinds of change that a command can request: all but invitations. */
export type CommandKind = Exclude<ChangeKind, 'TEAM' | 'OWNER'>

/** Dependencies of applying a kind of change. Invitations also need a mailer. */
export type DepsOf<Kind extends ChangeKind> = [Kind] extends [CommandKind] ? ChangeDeps : ChangeDeps & OperatorsDeps

interface KindOfChange<Kind extends ChangeKind> {
  readonly about: (requested: ChangeData[Kind]) => string
  readonly apply: (unit: UnitOfWork, approved: Approved<Kind>, deps: DepsOf<Kind>) => Promise<unknown>
}

/** The kinds of change that need two operators. A change is applied in the transaction that approves it. */
export const KINDS: { readonly [Kind in ChangeKind]: KindOfChange<Kind> } = {
  SETTINGS: {
    about: ({ change }) => settingsInWords(change),
    apply: (unit, { change: { merchantId: id }, wanted, by, details }, { rules }) => {
      const { change, contractCode, consentBasis } = wanted
      const auditDetails = { ...details, ...(consentBasis === null ? {} : { consentBasis }) }
      const who = { ...by, act: 'merchant.change', details: auditDetails, notifiesMerchant: true }
      return applySettings(unit, rules, { id }, change, who, contractCode ?? undefined)
    },
  },
  PRICE: {
    about: ({ service, steps, contractCode }) =>
      `Price of ${service}${contractCode === null ? '' : ` of contract ${contractCode}`}: ${steps === null ? 'standard price' : steps.map(stepInWords).join(', then ')}`,
    apply: (unit, { change, wanted, by, details }) => {
      const { service, contractCode, steps, from } = wanted
      const merchantId = change.merchantId === HOUSE ? null : change.merchantId
      const validFrom = from === null ? undefined : fromMoment(from)
      const price = { merchantId, contractCode, service, steps: steps?.map(stepOf) ?? null, validFrom }
      return applyPrice(unit, { ...price, madeBy: by.name ?? by.actor }, { ...by, details }).catch(rejectPrice)
    },
  },
  RETURN: {
    about: ({ amount, reference, to }) =>
      `${amount} of ${reference} ${to === 'is back' ? 'was returned to its payer' : to === 'the partner' ? 'is returned through its partner' : `is sent to ${to.accountNumber} at ${bankName(to.bankCode)}`}`,
    apply: async (unit, { wanted: { returnId, to }, change: { reason }, by, details }) => {
      const id = BigInt(returnId)
      const row = await (to === 'is back' ? settleReturn(unit, id, reason) : sendReturnTo(unit, id, to))
      if (row === undefined) throw changeErrors.notWaiting()
      auditReturn(unit, row, to, by, details)
    },
  },
  CONFLICT: {
    about: ({ amount, railReference, verdict }) =>
      `${amount} under ${railReference} ${verdict === 'TAKE' ? 'is accepted as a separate payment' : 'is dismissed: no such money arrived'}`,
    apply: async (unit, { wanted: { conflictId, verdict }, change: { reason }, by, details }) => {
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
      `${disputeType} of ${amount === null ? 'all' : formatNaira(kobo(BigInt(amount)))} of ${transactionReference} is opened`,
    apply: async (unit, { change: { merchantId, reason }, wanted, by, details }) => {
      const merchant = await lockMerchant(unit.tx, merchantId)
      const { transactionReference } = wanted
      const transaction = await transactionReads.find(unit.tx, merchantId, { transactionReference })
      invariant(merchant !== undefined && transaction !== undefined, 'merchants and transactions are never deleted')
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
    apply: async (unit, { change: { merchantId, reason }, wanted: { disputeId, outcome }, by, details }) => {
      const dispute = await decideDispute(unit, { merchantId, id: BigInt(disputeId) }, outcome, reason)
      audit(unit, { ...by, merchantId, act: 'dispute.decide', reference: dispute.reference, details })
    },
  },
  TEAM: { about: operatorInWords, apply: changeOperator },
  OWNER: { about: ({ email }) => `${email} is invited as owner`, apply: applyOwner },
  PAYOUT: {
    about: ({ walletAccountNumber, bankCode, accountNumber, accountName }) =>
      `Everything in wallet ${walletAccountNumber} is paid out to ${accountName}, ${accountNumber} at ${bankName(bankCode)}`,
    apply: applyPayout,
  },
}

/** Pays out the rest of the money in a closed merchant's wallet. */
async function applyPayout(
  unit: UnitOfWork,
  approved: Approved<'PAYOUT'>,
  { core, orders }: ChangeDeps,
): Promise<void> {
  const { wanted, by, details } = approved
  const { id, merchantId } = approved.change
  const { walletAccountNumber, bankCode, accountNumber, accountName } = wanted
  const merchant = await core.directory.byId(merchantId)
  invariant(merchant !== undefined, 'merchants are never deleted')
  const paid = await payOutWallet(unit, orders, merchant, {
    reference: `final-payout-${id}`,
    walletAccountNumber,
    destination: { bankCode, accountNumber },
    accountName,
  })
  if (paid === undefined) throw operatorErrors.nothingLeft(walletAccountNumber)
  audit(unit, { ...by, merchantId, act: 'merchant.pay-out', reference: paid.transactionReference, details })
}

function auditReturn(
  unit: UnitOfWork,
  { id, merchantId, reference }: ReturnRow,
  to: Destination | 'is back',
  by: ActingOperator,
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

/** Throws a price error as an API error, and any other error unchanged. */
export const rejectPrice = (error: unknown): never => {
  throw error instanceof PriceError ? changeErrors.badPrice(error.message) : error
}

export const stepOf = ({ upTo, percent, flat, cap }: RequestedStep): PriceStep => ({
  upTo: upTo == null ? null : naira(upTo),
  basisPoints: basisPointsOf(percent ?? '0'),
  flat: flat == null ? ZERO : nairaOrZero(flat),
  cap: cap == null ? null : nairaOrZero(cap),
})

const stepInWords = ({ upTo, percent, flat, cap }: RequestedStep): string =>
  [
    upTo == null ? '' : `up to ₦${upTo}`,
    percent == null ? '' : `${percent} %`,
    flat == null ? '' : `₦${flat} flat`,
    cap == null ? '' : `at most ₦${cap}`,
  ]
    .filter((part) => part !== '')
    .join(', ') || 'free'

/** Describes a change of settings: the permissions granted and withdrawn, and the new value of each other setting. */
export function settingsInWords({ permissions, ...others }: SettingsChange): string {
  const granted = PERMISSIONS.filter((one) => permissions?.[one] === true)
  const withdrawn = PERMISSIONS.filter((one) => permissions?.[one] === false)
  const changed = [
    ...(granted.length === 0 ? [] : [`Grant permissions: ${granted.join(', ')}`]),
    ...(withdrawn.length === 0 ? [] : [`Withdraw permissions: ${withdrawn.join(', ')}`]),
    ...(permissions === null ? ['Reset permissions'] : []),
  ]
  return [...changed, ...Object.entries(others).map(([name, value]) => `${name}: ${valueInWords(value)}`)].join('; ')
}

const valueInWords = (value: unknown): string =>
  value === null
    ? 'default'
    : Array.isArray(value)
      ? value.join(', ')
      : typeof value === 'object'
        ? Object.entries(value)
            .map(([name, one]) => (name === 'bankCode' ? bankName(String(one)) : String(one)))
            .join(', ')
        : String(value)

export const amountInWords = formatNaira
