import type * as contract from '@kobo/contract'
import { CONSENT_PERMISSIONS, type Input, SETTING_NAMES, SETTINGS, type SettingsChange } from '@kobo/contract'
import type { Core } from '../../core/core.ts'
import { checkPrice, type Merchant } from '../../core/merchants/index.ts'
import { selectConflicts } from '../../core/money/credits/index.ts'
import { unitOfWork } from '../../core/unit-of-work.ts'
import { fromMoment } from '../../kernel/dates.ts'
import { HOUSE } from '../../kernel/house.ts'
import { selectWaiting } from '../returns/index.ts'
import { checkSettings, type Rules } from '../settings/index.ts'
import { amountInWords, type ChangeData, rejectPrice, settingsInWords, stepOf } from './change-kinds.ts'
import { changeErrors } from './errors.ts'
import { checkNoOwner } from './owners.ts'
import type { Proposal } from './request-change.ts'

interface CoreDeps {
  readonly core: Core
}

interface RequestedSettings {
  readonly change: SettingsChange
  readonly contractCode?: string | null | undefined
  readonly consentBasis?: string | null | undefined
}

/**
 * Whether a change at the command line needs two operators: if it concerns a setting that only operators may change, or
 * one that a merchant's team can change only with a second person, or not at all.
 */
export const needsTwoOperators = (change: SettingsChange): boolean =>
  SETTING_NAMES.some((name) => change[name] !== undefined && SETTINGS[name].changedBy === 'operator') ||
  change.ipWhitelist !== undefined ||
  (change.otpEnabled !== undefined && change.otpEnabled !== true)

export function proposeSettings(
  { rules }: { readonly rules: Rules },
  merchant: Merchant,
  { change, contractCode, consentBasis }: RequestedSettings,
): Proposal<'SETTINGS'> {
  if (settingsInWords(change) === '') throw changeErrors.nothingToChange()
  checkSettings(change, rules)
  checkContract(merchant, contractCode)
  const needsConsent = CONSENT_PERMISSIONS.some((one) => change.permissions?.[one] === true)
  if (needsConsent && rules.environment === 'live' && consentBasis == null) throw changeErrors.consentMissing()
  const requested = { change, contractCode: contractCode ?? null, consentBasis: consentBasis ?? null }
  return { merchantId: merchant.id, kind: 'SETTINGS', wanted: requested }
}

type RequestedPrice = Omit<ChangeData['PRICE'], 'contractCode' | 'from'> & {
  readonly contractCode?: string | null | undefined
  readonly from?: string | null | undefined
}

/** Proposes a price of one merchant, or the standard price if no merchant is given. */
export async function proposePrice(
  { core }: CoreDeps,
  merchant: Merchant | undefined,
  { service, contractCode = null, steps, from = null }: RequestedPrice,
): Promise<Proposal<'PRICE'>> {
  if (merchant !== undefined) checkContract(merchant, contractCode)
  await unitOfWork(core, async (unit) => {
    const validFrom = (from === null ? undefined : fromMoment(from)) ?? unit.at
    const price = { merchantId: merchant?.id ?? null, contractCode, service, validFrom }
    await checkPrice(unit, { ...price, steps: steps?.map(stepOf) ?? null }).catch(rejectPrice)
  })
  return { merchantId: merchant?.id ?? HOUSE, kind: 'PRICE', wanted: { service, contractCode, steps, from } }
}

function checkContract({ contracts }: Merchant, code: string | null | undefined): void {
  if (code != null && !contracts.has(code)) throw changeErrors.unknownContract(code)
}

/** Proposes to invite an owner to a merchant that has none: the first link was never used, or all owners have left. */
export async function proposeOwner({ core }: CoreDeps, { id }: Merchant, email: string): Promise<Proposal<'OWNER'>> {
  await unitOfWork(core, (unit) => checkNoOwner(unit, id))
  return { merchantId: id, kind: 'OWNER', wanted: { email } }
}

type RequestedReturn = Omit<Input<typeof contract.requestReturn>['body'], 'reason'>

export async function proposeReturn(
  { core }: CoreDeps,
  id: bigint,
  request: RequestedReturn,
): Promise<Proposal<'RETURN'>> {
  const to = destinationOf(request)
  const waiting = (await selectWaiting(core.db)).find((row) => row.id === id)
  if (waiting === undefined) throw changeErrors.notWaiting()
  const { merchantId, reference } = waiting
  const requested = { returnId: String(id), reference, amount: amountInWords(waiting.amount), to }
  return { merchantId, kind: 'RETURN', wanted: requested }
}

function destinationOf({ way, bankCode, accountNumber, accountName }: RequestedReturn): ChangeData['RETURN']['to'] {
  if (way === 'PARTNER') return 'the partner'
  if (way === 'IS_BACK') return 'is back'
  if (bankCode == null || accountNumber == null) throw changeErrors.accountMissing()
  return { bankCode, accountNumber, accountName: accountName ?? null }
}

export async function proposeConflictDecision(
  { core }: CoreDeps,
  id: bigint,
  verdict: 'TAKE' | 'DISMISS',
): Promise<Proposal<'CONFLICT'>> {
  const open = (await selectConflicts(core.db)).find((row) => row.id === id && row.state === 'OPEN')
  if (open === undefined) throw changeErrors.notWaiting()
  const { railReference, merchantId } = open
  const requested = { conflictId: String(id), railReference, amount: amountInWords(open.amount), verdict }
  return { merchantId, kind: 'CONFLICT', wanted: requested }
}
