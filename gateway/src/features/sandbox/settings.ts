import type * as contract from '@kobo/contract'
import { EVENT_KINDS, type EventKind, type Input, PERMISSIONS, type Permission, type Reply } from '@kobo/contract'
import type { Core } from '../../core/core.ts'
import {
  type Contract,
  type ContractChange,
  type Merchant,
  type MerchantChange,
  updateContracts,
  updateMerchant,
} from '../../core/merchants/index.ts'
import { selectEndpoints, setEndpoint } from '../../core/messages/outbox/index.ts'
import { findBank } from '../../core/money/bank-list/index.ts'
import { STANDARD_TIME } from '../../core/money/settlement-cycle/index.ts'
import { originsAtStart, permissionsAtStart } from '../../core/onboarding.ts'
import { audit } from '../../core/security/audit.ts'
import { invariant } from '../../kernel/errors.ts'
import { naira, toNaira } from '../../kernel/money.ts'
import type { Db } from '../../platform/db.ts'
import { sandboxErrors } from './errors.ts'

type Settings = Reply<typeof contract.getSettings>
type Change = Input<typeof contract.changeSettings>['body']

/** What a setting goes back to when it is cleared. */
const STANDARD = {
  otpEnabled: true,
  mail: 'OK',
  feeBearer: 'MERCHANT',
  underpayment: 'ACCEPT',
  settlement: 'DAILY',
  settlementTime: STANDARD_TIME,
  settlementDestination: 'WALLET',
} as const

/** Where settlements go whose merchant says BANK and names no account: it exists nowhere but in the sandbox. */
const MADE_UP_ACCOUNT = { bankCode: '058', accountNumber: '0102030401' } as const

/** Where sandbox merchants may call from. */
export const LOOPBACK = ['127.0.0.0/8', '::1'] as const

export async function showSettings(db: Db, merchant: Merchant): Promise<Settings> {
  const urls = new Map((await selectEndpoints(db, merchant.id)).map(({ kind, url }) => [kind, url]))
  const terms = firstContract(merchant)
  return {
    webhookUrl: urls.get('default') ?? null,
    webhookUrls: perKind((kind) => urls.get(kind) ?? null),
    otpEnabled: merchant.otpEnabled,
    ipWhitelist: [...merchant.ipWhitelist],
    feeBearer: terms.feeBearer,
    underpayment: terms.underpayment,
    settlement: terms.settlement,
    settlementTime: terms.settlementTime,
    settlementDestination: terms.settlementDestination,
    settlementAccount: showAccount(terms),
    lowBalanceThreshold: merchant.lowBalanceThreshold === null ? null : toNaira(merchant.lowBalanceThreshold),
    mail: merchant.mail,
    permissions: Object.fromEntries(
      PERMISSIONS.map((permission) => [permission, merchant.permissions.includes(permission)]),
    ) as Settings['permissions'],
    inlineOrigins: [...merchant.inlineOrigins],
  }
}

/** Merges a change into a merchant's settings: what is missing stays, null clears. */
export async function changeSettings({ db, directory }: Core, merchant: Merchant, change: Change): Promise<Settings> {
  await directory.change(merchant.id, (unit) => {
    const { tx } = unit
    updateMerchant(tx, merchant.id, merchantChange(merchant, change))
    updateContracts(tx, merchant.id, contractChange(merchant, change))
    if (change.webhookUrl !== undefined) setEndpoint(tx, merchant.id, 'default', change.webhookUrl)
    for (const kind of EVENT_KINDS) {
      const url = change.webhookUrls === null ? null : change.webhookUrls?.[kind]
      if (url !== undefined) setEndpoint(tx, merchant.id, kind, url)
    }
    const details = { changed: Object.keys(change) }
    audit(unit, { merchantId: merchant.id, act: 'settings.change', actor: 'api', details })
  })
  const changed = await directory.byId(merchant.id)
  invariant(changed !== undefined, 'a merchant stays')
  return showSettings(db, changed)
}

function merchantChange(merchant: Merchant, change: Change): MerchantChange {
  const { otpEnabled, ipWhitelist, lowBalanceThreshold, mail, permissions, inlineOrigins } = change
  return {
    ...(otpEnabled !== undefined && { otpEnabled: otpEnabled ?? STANDARD.otpEnabled }),
    ...(ipWhitelist !== undefined && { ipWhitelist: ipWhitelist ?? LOOPBACK }),
    ...(mail !== undefined && { mail: mail ?? STANDARD.mail }),
    ...(lowBalanceThreshold !== undefined && {
      lowBalanceThreshold: lowBalanceThreshold === null ? null : naira(lowBalanceThreshold),
    }),
    ...(inlineOrigins !== undefined && { inlineOrigins: inlineOrigins ?? originsAtStart('sandbox') }),
    ...(permissions !== undefined && { permissions: mergedPermissions(merchant.permissions, permissions) }),
  }
}

function mergedPermissions(present: readonly Permission[], change: Change['permissions']): readonly Permission[] {
  const standard = permissionsAtStart('sandbox')
  return PERMISSIONS.filter((permission) => {
    const wanted = change === null ? null : change?.[permission]
    if (wanted === undefined) return present.includes(permission)
    return wanted ?? standard.includes(permission)
  })
}

function contractChange(merchant: Merchant, change: Change): ContractChange {
  const { feeBearer, underpayment, settlement, settlementTime, settlementDestination } = change
  return {
    ...(feeBearer !== undefined && { feeBearer: feeBearer ?? STANDARD.feeBearer }),
    ...(underpayment !== undefined && { underpayment: underpayment ?? STANDARD.underpayment }),
    ...(settlement !== undefined && { settlement: settlement ?? STANDARD.settlement }),
    ...(settlementTime !== undefined && { settlementTime: settlementTime ?? STANDARD.settlementTime }),
    ...accountChange(merchant, change),
    ...(settlementDestination !== undefined && {
      settlementDestination: settlementDestination ?? STANDARD.settlementDestination,
    }),
  }
}

const NO_ACCOUNT = { settlementBankCode: null, settlementAccountNumber: null, settlementAccountName: null } as const

/** Where settlements go to a bank there must be an account, so one is made up where none is named. */
function accountChange(merchant: Merchant, { settlementAccount, settlementDestination }: Change): ContractChange {
  const present = firstContract(merchant)
  const toBank =
    (settlementDestination === undefined ? present.settlementDestination : settlementDestination) === 'BANK'
  const stays = settlementAccount === undefined && (present.settlementAccountNumber !== null || !toBank)
  if (stays) return {}
  const account = settlementAccount ?? (toBank ? MADE_UP_ACCOUNT : undefined)
  if (account === undefined) return NO_ACCOUNT
  if (findBank(account.bankCode) === undefined) throw sandboxErrors.unknownBank(account.bankCode)
  return {
    settlementBankCode: account.bankCode,
    settlementAccountNumber: account.accountNumber,
    settlementAccountName: ('accountName' in account ? account.accountName : undefined) ?? merchant.name,
  }
}

function showAccount(contract: Contract): Settings['settlementAccount'] {
  const { settlementBankCode, settlementAccountNumber, settlementAccountName } = contract
  if (settlementBankCode === null || settlementAccountNumber === null) return null
  return {
    bankCode: settlementBankCode,
    accountNumber: settlementAccountNumber,
    accountName: settlementAccountName ?? '',
  }
}

function firstContract({ contracts }: Merchant): Contract {
  const [first] = contracts.values()
  invariant(first !== undefined, 'a merchant has a contract')
  return first
}

const perKind = (value: (kind: EventKind) => string | null): Settings['webhookUrls'] =>
  Object.fromEntries(EVENT_KINDS.map((kind) => [kind, value(kind)])) as Settings['webhookUrls']
