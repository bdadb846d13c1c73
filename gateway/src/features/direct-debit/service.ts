import { MANDATE_REFERENCES_MAX } from '@kobo/contract'
import {
  accountName,
  closeAccounts,
  type IssuedNumber,
  type VirtualAccounts,
} from '../../core/account-numbers/index.ts'
import { findOfferedBank } from '../../core/bank-list/index.ts'
import type { Core } from '../../core/core.ts'
import { textsIn } from '../../core/edge/pages/index.ts'
import { findContract, type Merchant } from '../../core/merchants/index.ts'
import type { Mailer } from '../../core/messages/mail.ts'
import { emit } from '../../core/messages/outbox/index.ts'
import { priceOf } from '../../core/pricing/index.ts'
import { type UnitOfWork, unitOfWork } from '../../core/unit-of-work.ts'
import { secondsAfter } from '../../kernel/clock.ts'
import { startOfDay } from '../../kernel/dates.ts'
import { invariant, type Refusal } from '../../kernel/errors.ts'
import { ulid } from '../../kernel/ids.ts'
import { type Kobo, kobo, toNaira, ZERO } from '../../kernel/money.ts'
import type { Db } from '../../platform/postgres/db.ts'
import type { CountedPage, RequestedPage } from '../../platform/postgres/pagination.ts'
import { directDebitErrors } from './errors.ts'
import { mandateEvent } from './events.ts'
import { instructionMail } from './instruction.ts'
import type { MandateLinks } from './link.ts'
import type { MandateTrigger } from './machine.ts'
import { awaitsAuthorization, isFinal, moved } from './mandate.ts'
import {
  insertMandate,
  lockMandate,
  type MandateFilter,
  type MandateKey,
  type MandateRow,
  selectByReference,
  selectMandates,
  updateMandates,
} from './repository.ts'

export const DEBIT_AMOUNT_MIN = kobo(2_000n)
const AUTHORIZATION_SECONDS = 7 * 86_400
/** The time until a retry. It is longer than sending a mail takes, so that no mail is sent twice. */
const INSTRUCT_AGAIN_SECONDS = 600
const LIST_DAYS_MAX = 90
const DAY_MILLISECONDS = 86_400_000

export interface Deps {
  readonly core: Core
  readonly mailer: Mailer
  readonly virtualAccounts: VirtualAccounts
  readonly links: MandateLinks
}

/** A merchant's request for a mandate. */
export interface NewMandate
  extends Pick<
    MandateRow,
    | 'contractCode'
    | 'mandateReference'
    | 'customerName'
    | 'customerEmailAddress'
    | 'customerPhoneNumber'
    | 'customerAddress'
    | 'customerAccountNumber'
    | 'customerAccountBankCode'
    | 'customerAccountName'
    | 'mandateDescription'
    | 'redirectUrl'
    | 'autoRenew'
    | 'customerCancellation'
    | 'mandateAmount'
    | 'debitAmount'
    | 'startsAt'
    | 'endsAt'
    | 'language'
  > {}

/** Opens a mandate with the account for its token, then mails the customer. Returns it as opened, INITIATED. */
export async function createMandate(deps: Deps, merchant: Merchant, requested: NewMandate): Promise<MandateRow> {
  check(merchant, requested, deps.core.clock.now())
  const issued = await issuedNumber(deps, merchant, requested)
  const mandate = await unitOfWork(deps.core, (unit) => openMandate(unit, deps, merchant, requested, issued))
  await instruct(deps, mandate)
  return mandate
}

function check(merchant: Merchant, requested: NewMandate, at: Date): void {
  const { startsAt, endsAt, mandateAmount, debitAmount, customerAccountBankCode } = requested
  const contract = findContract(merchant, requested.contractCode)
  if (contract === undefined) throw directDebitErrors.unknownContract()
  if (!contract.paymentMethods.includes('DIRECT_DEBIT')) throw directDebitErrors.notEnabled()
  if (findOfferedBank(customerAccountBankCode, 'directDebit') === undefined)
    throw directDebitErrors.unknownBank(customerAccountBankCode)
  if (startsAt < startOfDay(at)) throw directDebitErrors.startInThePast()
  if (endsAt <= startsAt) throw directDebitErrors.endNotAfterStart()
  if (endsAt <= at) throw directDebitErrors.endInThePast()
  checkAmount('mandateAmount', mandateAmount)
  checkAmount('debitAmount', debitAmount)
  if (debitAmount !== null && mandateAmount !== null && debitAmount > mandateAmount)
    throw directDebitErrors.debitAboveMandate()
}

/** Rejects an amount too small for any debit. */
export function checkAmount(field: string, amount: Kobo | null): void {
  if (amount !== null && amount < DEBIT_AMOUNT_MIN)
    throw directDebitErrors.amountTooSmall(field, toNaira(DEBIT_AMOUNT_MIN))
}

/** Requests the number for a mandate's token, if the bank issues its own and the reference is not in use. */
async function issuedNumber(
  { core, virtualAccounts }: Deps,
  merchant: Merchant,
  requested: NewMandate,
): Promise<IssuedNumber | undefined> {
  const bankCode = virtualAccounts.firstBank()
  if (!virtualAccounts.isIssued(bankCode)) return undefined
  const [taken] = await selectByReference(core.db, merchant.id, [requested.mandateReference])
  if (taken !== undefined) throw directDebitErrors.duplicateMandate()
  const { mandateReference: ownerKey, customerName: name, customerEmailAddress: email } = requested
  const numbers = await virtualAccounts.numbersFor(
    {
      ...{ merchantId: merchant.id, purpose: 'mandate', ownerKey, expiresAt: null },
      accountName: tokenAccountName(merchant),
      customer: { name, email, bvn: null, nin: null },
    },
    [bankCode],
  )
  return numbers.get(bankCode)
}

const tokenAccountName = ({ name }: Merchant): string => accountName(`${name} mandate`)

async function openMandate(
  { tx, ids, at }: UnitOfWork,
  { virtualAccounts }: Deps,
  merchant: Merchant,
  requested: NewMandate,
  issued: IssuedNumber | undefined,
): Promise<MandateRow> {
  const id = ids.id()
  const [account] = await virtualAccounts.openAll(tx, [
    {
      bankCode: issued?.bankCode ?? virtualAccounts.firstBank(),
      merchantId: merchant.id,
      purpose: 'mandate',
      ownerId: id,
      accountName: tokenAccountName(merchant),
      openedAt: at,
      closesAt: null,
      issued,
    },
  ])
  invariant(account !== undefined, 'the requested account is opened')
  const lastDay = secondsAfter(at, AUTHORIZATION_SECONDS)
  const mandate: MandateRow = {
    ...requested,
    merchantId: merchant.id,
    id,
    mandateCode: `MTDD|${ulid(at)}`,
    status: 'INITIATED',
    period: 1,
    debited: ZERO,
    tokenBankCode: account.bankCode,
    tokenAccountNumber: account.accountNumber,
    tokenAmount: priceOf(merchant.prices, 'mandate-token', at),
    createdAt: at,
    authorizationEndsAt: lastDay < requested.endsAt ? lastDay : requested.endsAt,
    instructAt: secondsAfter(at, INSTRUCT_AGAIN_SECONDS),
    cancelRequestedAt: null,
  }
  if (!(await insertMandate(tx, mandate))) throw directDebitErrors.duplicateMandate()
  return mandate
}

/** Mails the customer how to authorize a mandate. If the mail fails, a sweep retries later. */
export async function instruct({ core, mailer, links }: Deps, mandate: MandateRow): Promise<void> {
  const merchant = await core.directory.byId(mandate.merchantId)
  invariant(merchant !== undefined, 'a mandate belongs to a merchant')
  const mail = instructionMail(mandate, merchant.name, links.linkTo(mandate), await textsIn(mandate.language))
  if (!(await mailer.send({ merchantId: merchant.id, ...mail }))) return
  await unitOfWork(core, async (unit) => {
    const present = await lockMandate(unit.tx, mandate.merchantId, mandate)
    // A mandate that was decided before the mail was sent keeps its status.
    const after = present === undefined ? undefined : moved(present, 'instruct')
    if (after !== undefined) changeMandates(unit, [after])
  })
}

/** Returns when to retry an instruction, if mailing it now fails. */
export const instructAgainAt = (at: Date): Date => secondsAfter(at, INSTRUCT_AGAIN_SECONDS)

/**
 * The only function that changes the status or dates of mandates. It sends an event for each change, and closes the
 * accounts of final mandates.
 */
export function changeMandates(unit: UnitOfWork, changed: readonly MandateRow[]): void {
  const owners = changed.filter(isFinal).map(({ merchantId, id }) => ({ merchantId, ownerId: id }))
  updateMandates(unit.tx, changed)
  emit(unit, changed.map(mandateEvent))
  closeAccounts(unit, 'mandate', owners)
}

/** Finds mandates by references, which are separated by commas. */
export async function getMandates(db: Db, merchantId: bigint, text: string): Promise<MandateRow[]> {
  const parts = text.split(',').map((part) => part.trim())
  const references = [...new Set([text, ...parts])].filter((reference) => reference !== '') // a reference may itself contain a comma
  if (parts.length > MANDATE_REFERENCES_MAX) throw directDebitErrors.tooManyReferences(MANDATE_REFERENCES_MAX)
  return selectByReference(db, merchantId, references)
}

/** Finds the mandate with this reference, if it was created at the given time or later. */
export async function mandateSince(
  db: Db,
  merchantId: bigint,
  mandateReference: string,
  since: Date,
): Promise<MandateRow | undefined> {
  const [mandate] = await selectByReference(db, merchantId, [mandateReference])
  return mandate && mandate.createdAt >= since ? mandate : undefined
}

/** Reads a page of mandates, newest first, with the total. */
export async function listMandates(
  db: Db,
  merchantId: bigint,
  filter: MandateFilter,
  /** The requested end of the period; `filter.to` may be the end of that day. */
  to: Date | undefined,
  page: RequestedPage,
): Promise<CountedPage<MandateRow>> {
  checkPeriod(filter.from, to)
  return selectMandates(db, merchantId, filter, page)
}

function checkPeriod(from: Date | undefined, to: Date | undefined): void {
  if (from === undefined || to === undefined) return
  if (to < from) throw directDebitErrors.datesReversed()
  if (to.getTime() - from.getTime() > LIST_DAYS_MAX * DAY_MILLISECONDS)
    throw directDebitErrors.datesApart(LIST_DAYS_MAX)
}

/** Requests the cancellation of a mandate, which a sweep performs. Returns the mandate as it is until then. */
export const requestCancellation = (
  { core }: Pick<Deps, 'core'>,
  merchantId: bigint,
  mandateCode: string,
): Promise<MandateRow> =>
  unitOfWork(core, async ({ tx, at }) => {
    const mandate = await lockMandate(tx, merchantId, { mandateCode })
    if (mandate === undefined) throw directDebitErrors.unknownMandate()
    if (moved(mandate, 'cancel') === undefined) throw directDebitErrors.notCancellable(mandate.status)
    if (mandate.cancelRequestedAt !== null) throw directDebitErrors.cancellationRequested()
    updateMandates(tx, [{ ...mandate, cancelRequestedAt: at }])
    return mandate
  })

/** A customer's decision: authorize, refuse, or later revoke the authorization. */
export type CustomerDecision = 'authorize' | 'refuse' | 'cancel'

/** Applies the customer's decision. Authorizing an ACTIVE mandate again changes nothing. */
export const decideMandate = (
  { core }: Pick<Deps, 'core'>,
  merchantId: bigint,
  by: { readonly mandateCode: string } | MandateKey,
  decision: CustomerDecision,
): Promise<MandateRow> =>
  unitOfWork(core, async (unit) => {
    const mandate = await lockMandate(unit.tx, merchantId, by)
    if (mandate === undefined) throw directDebitErrors.unknownMandate()
    if (decision === 'authorize' && mandate.status === 'ACTIVE') return mandate
    const after = mayDecide(mandate, decision, unit.at) ? moved(mandate, decision) : undefined
    if (after === undefined) throw notDecidable(mandate, decision)
    changeMandates(unit, [after])
    return after
  })

/** Whether the customer may still make this decision. */
export function mayDecide(mandate: MandateRow, decision: CustomerDecision, at: Date): boolean {
  if (moved(mandate, decision satisfies MandateTrigger) === undefined || mandate.cancelRequestedAt !== null)
    return false
  if (decision === 'cancel') return mandate.customerCancellation && moved(mandate, 'refuse') === undefined
  return (
    awaitsAuthorization(mandate) && at < (mandate.status === 'SUSPENDED' ? mandate.endsAt : mandate.authorizationEndsAt)
  )
}

const notDecidable = ({ status }: MandateRow, decision: CustomerDecision): Refusal =>
  decision === 'cancel' ? directDebitErrors.notCancellable(status) : directDebitErrors.notAuthorizable(status)
