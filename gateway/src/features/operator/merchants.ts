import type * as contract from '@kobo/contract'
import { type Input, type Reply, SETTING_NAMES, SETTINGS } from '@kobo/contract'
import type { Core } from '../../core/core.ts'
import type { By } from '../../core/edge/http/index.ts'
import type { EndOpen } from '../../core/feature.ts'
import { type Merchant, type MerchantRow, type MerchantStatus, selectMerchantPage } from '../../core/merchants/index.ts'
import type { Mailer } from '../../core/messages/mail.ts'
import { selectEndpoints } from '../../core/messages/outbox/index.ts'
import { walletBalances } from '../../core/money/wallet-balances/index.ts'
import { createMerchant, permissionsAtStart, whitelistAtStart } from '../../core/onboarding.ts'
import type { OrderMaker } from '../../core/orders/index.ts'
import { type Price, selectStandardPrices } from '../../core/pricing/index.ts'
import { type SignedIn, selectTeam } from '../../core/sessions/index.ts'
import { unitOfWork } from '../../core/unit-of-work.ts'
import { secondsAfter } from '../../kernel/clock.ts'
import { startOfDay } from '../../kernel/dates.ts'
import { firstIdAt, ID_MAX } from '../../kernel/ids.ts'
import { toNaira } from '../../kernel/money.ts'
import { collectedSince } from '../dashboard/index.ts'
import {
  addContract,
  ContractError,
  changeMerchantStatus,
  MerchantStatusError,
  type Rules,
  setDisabled,
  showSettings,
  showTerms,
} from '../settings/index.ts'
import { selectInvitations } from '../sign-in/index.ts'
import { operatorErrors } from './errors.ts'
import { mailOwner, ownersLink } from './owners.ts'
import { findMerchant, pageOf, pageQueryOf } from './pagination.ts'

export interface OperatorDeps {
  readonly core: Core
  readonly rules: Rules
  readonly orders: OrderMaker
  readonly closing: readonly EndOpen[]
  readonly mailer: Mailer
  readonly dashboardUrl: () => string
}

/** The number of days, including today, whose collections are shown with a merchant. */
const COLLECTED_DAYS = 30

const iso = (at: Date): string => at.toISOString()
const isoOrNull = (at: Date | null): string | null => at?.toISOString() ?? null

const head = ({ id, code, name, email, standing, permissions, createdAt }: MerchantRow) => ({
  id: String(id),
  createdOn: iso(createdAt),
  code,
  name,
  email,
  standing,
  permissions: [...permissions],
})

export async function browseMerchants(
  { core }: OperatorDeps,
  query: Input<typeof contract.browseMerchants>['query'],
): Promise<Reply<typeof contract.browseMerchants>> {
  const { before, size, from, to } = pageQueryOf(query)
  const end = to === undefined ? ID_MAX : firstIdAt(new Date(to.getTime() + 1))
  const rows = await selectMerchantPage(
    core.db,
    {
      text: query.text ?? null,
      standing: query.status ?? null,
      from: from === undefined ? 0n : firstIdAt(from),
      before: before < end ? before : end,
    },
    size + 1,
  )
  return pageOf(rows.map(head), size)
}

export async function showMerchant(
  { core }: OperatorDeps,
  code: string,
): Promise<Reply<typeof contract.getOneMerchant>> {
  const merchant = await findMerchant(core, code)
  const { db, clock, wall } = core
  const at = clock.now()
  const from = secondsAfter(startOfDay(at), -(COLLECTED_DAYS - 1) * 86_400)
  const [settings, terms, receivers, standard, team, invitations, balance, collected] = await Promise.all([
    showSettings(db, merchant),
    showTerms(db, merchant),
    selectEndpoints(db, merchant.id),
    selectStandardPrices(db, at),
    selectTeam(db, merchant.id),
    selectInvitations(db, merchant.id, wall.now()),
    walletBalances(db, { merchantId: merchant.id, accountNumber: merchant.walletAccountNumber }),
    collectedSince(db, merchant.id, from, at),
  ])
  const ofMerchant = SETTING_NAMES.filter((one) => SETTINGS[one].of === 'merchant')
  return {
    ...head(merchant),
    apiKey: merchant.apiKey,
    balance: balance === undefined ? null : { available: toNaira(balance.available), ledger: toNaira(balance.ledger) },
    collected: { amount: toNaira(collected.amount), payments: collected.payments, from: iso(from) },
    settings: Object.fromEntries(ofMerchant.map((one) => [one, settings[one]])),
    contracts: [...merchant.contracts.values()].map((one) => ({
      code: one.code,
      name: one.name,
      disabledOn: isoOrNull(one.disabledAt),
      terms: { ...terms.find(({ code }) => code === one.code)?.terms },
    })),
    receivers: receivers.map(({ kind, url, pausedAt }) => ({ kind, url, pausedOn: isoOrNull(pausedAt) })),
    prices: [...merchant.prices.own, ...standard]
      .filter(({ steps, validFrom }) => steps !== null || validFrom > at)
      .map((price) => showPrice(price, at)),
    people: team.map(({ name, email, role, hasSecondFactor }) => ({ name, email, role, hasSecondFactor })),
    invitations: invitations.map(({ email, role, expiresAt }) => ({
      email,
      role: role ?? '',
      expiresOn: iso(expiresAt),
    })),
  }
}

const showPrice = ({ service, merchantId, contractCode, steps, validFrom }: Price, at: Date) => ({
  service,
  of:
    contractCode !== null
      ? ('contract' as const)
      : merchantId !== null
        ? ('merchant' as const)
        : ('everybody' as const),
  contractCode,
  validFrom: iso(validFrom),
  inEffect: validFrom <= at,
  steps:
    steps?.map(({ upTo, basisPoints, flat, cap }) => ({
      upTo: upTo === null ? null : toNaira(upTo),
      percent: basisPoints / 100,
      flat: toNaira(flat),
      cap: cap === null ? null : toNaira(cap),
    })) ?? null,
})

/** Creates a merchant and mails its first owner a sign-in link. Only the owner creates and sees a key. */
export async function makeMerchant(
  deps: OperatorDeps,
  { name, email }: { readonly name: string; readonly email: string },
  person: SignedIn,
  by: By,
): Promise<{ readonly code: string }> {
  const { core, rules } = deps
  const { environment } = rules
  const { id, token } = await unitOfWork(core, async (unit) => {
    const made = await createMerchant(unit, core.keyring, {
      name: name.trim(),
      email,
      environment,
      ipWhitelist: whitelistAtStart(environment),
      permissions: permissionsAtStart(environment),
      by,
    })
    return {
      id: made,
      token: await ownersLink(unit, core, { merchantId: made, email, invitedBy: person.personId }, by),
    }
  })
  await mailOwner(deps, { id, name }, email, token)
  return { code: (await core.directory.byId(id))?.code ?? '' }
}

export const putMerchantStatus = (
  { core: { directory }, closing }: OperatorDeps,
  { id }: Merchant,
  requested: { readonly standing: MerchantStatus; readonly reason: string },
  by: By,
): Promise<void> =>
  changeMerchantStatus({ directory, closing }, id, requested, by).catch((error: unknown) => {
    if (!(error instanceof MerchantStatusError)) throw error
    const { left, order } = error
    if (order !== undefined) throw operatorErrors.orderOpen(order)
    throw left === undefined
      ? operatorErrors.statusStays(error.standing)
      : operatorErrors.moneyLeft(toNaira(left.amount), left.account)
  })

export const putContract = (
  { core }: OperatorDeps,
  { id }: Merchant,
  requested: { readonly name: string; readonly description?: string | undefined },
  by: By,
): Promise<string> => {
  const { name, description = 'Collections' } = requested
  return asApiError(addContract(core.directory, id, { name: name.trim(), description }, by))
}

export const switchContract = (
  { core }: OperatorDeps,
  { id }: Merchant,
  { contractCode, isDisabled }: { readonly contractCode: string; readonly isDisabled: boolean },
  by: By,
): Promise<void> => asApiError(setDisabled(core.directory, id, contractCode, isDisabled, by))

const asApiError = <T>(work: Promise<T>): Promise<T> =>
  work.catch((error: unknown) => {
    throw error instanceof ContractError ? operatorErrors.contractStays(error.message) : error
  })
