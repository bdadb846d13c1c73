import {
  SETTING_NAMES,
  SETTINGS,
  type SettingName,
  type SettingsChange,
  type ShownSettings,
  settingsTaken,
  type TakenSetting,
} from '@kobo/contract'
import type { Core } from '../../core/core.ts'
import {
  lockMerchant,
  type MerchantRow,
  selectContracts,
  storeLogo,
  updateContract,
  updateMerchant,
} from '../../core/merchants/index.ts'
import { type Notice, notify } from '../../core/messages/notices.ts'
import { selectEndpoints, setEndpoint } from '../../core/messages/outbox/index.ts'
import { type AuditRecord, audit } from '../../core/security/audit.ts'
import type { UnitOfWork } from '../../core/unit-of-work.ts'
import { invariant } from '../../kernel/errors.ts'
import { addressSet } from '../../platform/http/ip-addresses.ts'
import { compileCheck } from '../../platform/http/validation.ts'
import type { Db, Tx } from '../../platform/postgres/db.ts'
import { settingErrors } from './errors.ts'
import { completed, type Endpoint, type Rules, SETTING_RULES, type State, type Writes } from './settings.ts'

/** The actor of a change, and further details for the audit. */
export interface By extends Pick<AuditRecord, 'actor' | 'name' | 'address' | 'reference' | 'details'> {
  readonly act?: string
  /** Whether the merchant is notified by mail. */
  readonly notifiesMerchant?: boolean
}

export interface SettingsDeps {
  readonly core: Core
  readonly rules: Rules
}

/** Shows all settings of a merchant, with the terms of the first enabled contract. */
export const showSettings = async (db: Db, merchant: MerchantRow): Promise<ShownSettings> =>
  shown(firstOf(await readStates(db, merchant)))

/** Shows the terms of each of a merchant's contracts. */
export async function showTerms(
  db: Db,
  merchant: MerchantRow,
): Promise<readonly { readonly code: string; readonly terms: Partial<ShownSettings> }[]> {
  const terms = SETTING_NAMES.filter((name) => SETTINGS[name].of === 'contract')
  return (await readStates(db, merchant)).map((state) => ({ code: state.contract.code, terms: read(state, terms) }))
}

/**
 * Merges a change into a merchant's settings: a missing field stays, null restores the default. Terms change in all
 * contracts, or in the named one. The audit log has the values before and after; every node applies the change at once.
 */
export const changeSettings = (
  { core, rules }: SettingsDeps,
  { id }: Pick<MerchantRow, 'id'>,
  change: SettingsChange,
  by: By,
  contractCode?: string,
): Promise<ShownSettings> =>
  core.directory.change(id, (unit) => applySettings(unit, rules, { id }, change, by, contractCode))

/** Merges a change into a merchant's settings, inside a `directory.change` that the caller has opened. */
export async function applySettings(
  unit: UnitOfWork,
  rules: Rules,
  { id }: Pick<MerchantRow, 'id'>,
  change: SettingsChange,
  { act = 'settings.change', details, notifiesMerchant = false, ...who }: By,
  contractCode?: string,
): Promise<ShownSettings> {
  const names = namesIn(change)
  checkAll(change, rules)
  const merchant = await lockMerchant(unit.tx, id)
  invariant(merchant !== undefined, 'merchants are never deleted')
  const before = await readStates(unit.tx, merchant)
  const after = before.map((state) => {
    const isChosen = contractCode === undefined || state.contract.code === contractCode
    const concerned = names.filter((name) => isChosen || SETTINGS[name].of === 'merchant')
    const writes = writesOf(state, concerned, change, rules)
    writeTerms(unit, state, writes)
    return { state: stateAfter(state, writes), writes }
  })
  writeMerchant(unit, id, after[0]?.writes ?? {})
  const states = after.map(({ state }) => state)
  const audited = {
    before: auditDetails(before, names, contractCode),
    after: auditDetails(states, names, contractCode),
  }
  audit(unit, { merchantId: id, act, ...who, details: { ...audited, ...details } })
  if (notifiesMerchant && names.length > 0) notify(unit, [noticeOf(id, names, who.name)])
  return shown(firstOf(states))
}

/** Rejects a change that merchants cannot make themselves, or that would lock out the caller. */
export function checkOwnChange(change: SettingsChange, callerAddress: string | undefined): void {
  const foreign = namesIn(change).find((name) => SETTINGS[name].changedBy === 'operator')
  if (foreign !== undefined) throw settingErrors.operatorOnly(foreign)
  if (change.otpEnabled === false) throw settingErrors.codesStayOn()
  const ranges = change.ipWhitelist
  if (callerAddress !== undefined && ranges !== undefined && ranges !== null && !addressSet(ranges)(callerAddress))
    throw settingErrors.locksOut(callerAddress)
}

/** Reads a merchant's settings with the terms of each of its contracts, oldest contract first. */
async function readStates(db: Db | Tx, merchant: MerchantRow): Promise<readonly State[]> {
  const [contracts, endpoints] = await Promise.all([selectContracts(db, merchant.id), selectEndpoints(db, merchant.id)])
  const urls = new Map<Endpoint, string>(endpoints.map(({ kind, url }) => [kind, url]))
  return contracts.map((contract) => ({ merchant, contract, urls }))
}

/** Returns the settings with the contract whose terms the merchant sees. */
function firstOf(states: readonly State[]): State {
  const state = states.find(({ contract }) => contract.disabledAt === null)
  invariant(state !== undefined, 'a merchant has a contract that is not disabled')
  return state
}

const read = (state: State, names: readonly SettingName[]): Partial<ShownSettings> =>
  Object.fromEntries(names.map((name) => [name, SETTING_RULES[name].read(state)]))

// All settings are read, so no field is missing.
const shown = (state: State): ShownSettings => read(state, SETTING_NAMES) as ShownSettings

const namesIn = (change: SettingsChange): readonly SettingName[] =>
  SETTING_NAMES.filter((name) => change[name] !== undefined)

function checkAll(change: SettingsChange, rules: Rules): void {
  for (const name of namesIn(change)) check(name, change[name] ?? null, rules)
}

function check<N extends SettingName>(name: N, value: TakenSetting<N>, rules: Rules): void {
  if (value !== null) SETTING_RULES[name].check?.(value, rules)
}

const writeOf = <N extends SettingName>(
  name: N,
  value: TakenSetting<N>,
  state: State,
  { environment }: Rules,
): Writes => SETTING_RULES[name].write(value, state, environment)

/** Merges all writes that a change needs. */
function writesOf(state: State, names: readonly SettingName[], change: SettingsChange, rules: Rules): Writes {
  const all = names.map((name) => writeOf(name, change[name] ?? null, state, rules))
  const contract = Object.assign({}, ...all.map((writes) => writes.contract))
  return {
    merchant: Object.assign({}, ...all.map((writes) => writes.merchant)),
    contract: Object.keys(contract).length === 0 ? {} : completed(state, contract, rules.environment),
    urls: Object.assign({}, ...all.map((writes) => writes.urls)),
    ...onlyLogo(all),
  }
}

const onlyLogo = (all: readonly Writes[]): Pick<Writes, 'logo'> => {
  const logo = all.find((writes) => writes.logo !== undefined)?.logo
  return logo === undefined ? {} : { logo }
}

function stateAfter(state: State, { merchant, contract, urls = {} }: Writes): State {
  const all = new Map<Endpoint, string | null>([
    ...state.urls,
    ...(Object.entries(urls) as [Endpoint, string | null][]),
  ])
  return {
    merchant: { ...state.merchant, ...merchant },
    contract: { ...state.contract, ...contract },
    urls: new Map([...all].filter((entry): entry is [Endpoint, string] => entry[1] !== null)),
  }
}

function writeTerms({ tx }: UnitOfWork, { contract }: State, writes: Writes): void {
  updateContract(tx, contract.merchantId, contract.code, writes.contract ?? {})
}

function writeMerchant({ tx, at }: UnitOfWork, id: bigint, { merchant = {}, urls = {}, logo }: Writes): void {
  if (logo !== undefined) storeLogo(tx, id, logo, at)
  updateMerchant(tx, id, merchant)
  // Written even if the URL is the same: setting a URL ends a pause of its deliveries.
  for (const [kind, url] of Object.entries(urls)) setEndpoint(tx, id, kind as Endpoint, url)
}

/** Returns the named settings for the audit log, with terms by contract. */
function auditDetails(
  states: readonly State[],
  names: readonly SettingName[],
  contractCode: string | undefined,
): object {
  const { merchant = [], contract = [] } = Object.groupBy(names, (name) => SETTINGS[name].of)
  const chosen = states.filter((state) => contractCode === undefined || state.contract.code === contractCode)
  return {
    ...read(firstOf(states), merchant),
    ...(contract.length === 0
      ? {}
      : { contracts: Object.fromEntries(chosen.map((state) => [state.contract.code, read(state, contract)])) }),
  }
}

const noticeOf = (merchantId: bigint, names: readonly SettingName[], by = ''): Notice => ({
  merchantId,
  subject: 'Your account settings were changed',
  text: [
    `${by} just changed these settings: ${names.map((name) => SETTINGS[name].title).join(', ')}.`,
    'If this was not you, contact us at once: someone may be using your account.',
  ].join('\n'),
})

const checkForm = compileCheck(settingsTaken(SETTING_NAMES), 'body')

/** Rejects an invalid or forbidden change before anything is written, for callers that no route has validated. */
export function checkSettings(change: SettingsChange, rules: Rules): void {
  const malformed = checkForm(change)
  if (malformed !== undefined) throw malformed
  checkAll(change, rules)
}
