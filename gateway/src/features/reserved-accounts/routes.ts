import type { Input, Reply } from '@kobo/contract'
import * as contract from '@kobo/contract'
import type { Core } from '../../core/core.ts'
import type { Serve } from '../../core/edge/http/index.ts'
import type { Merchant } from '../../core/merchants/index.ts'
import type { Keyring } from '../../core/security/keyring.ts'
import { ifKnown, invariant } from '../../kernel/errors.ts'
import { showPage } from '../../platform/postgres/pagination.ts'
import { showLimitProfileConfig } from '../limit-profiles/index.ts'
import * as changes from './changes.ts'
import { openSources } from './identity.ts'
import * as reservedAccounts from './service.ts'
import { showAccountTransaction, showFlat, showIdentity, showReservedAccount, showSources } from './show.ts'
import type { PaymentSources } from './sources.ts'
import { feeBearerOf, showSplits } from './splits.ts'
import { listTransactions } from './transactions.ts'

export function reservedAccountRoutes(serve: Serve, deps: reservedAccounts.Deps): void {
  creationRoutes(serve, deps)
  lookUpRoutes(serve, deps.core)
  changeRoutes(serve, deps)
}

function creationRoutes(serve: Serve, deps: reservedAccounts.Deps): void {
  const { core } = deps
  const { keyring } = core
  /** Rebuilds the response of an interrupted request, if it created the account. */
  const recover =
    <Shown>(show: (keyring: Keyring, record: reservedAccounts.ReservedAccountRecord) => Shown) =>
    async (
      { body }: { readonly body: { readonly accountReference: string } },
      { merchant }: { readonly merchant: Merchant },
      since: Date,
    ): Promise<Shown | undefined> => {
      const found = await ifKnown(reservedAccounts.getReservedAccount(core, merchant.id, body.accountReference))
      return found && found.record.account.createdAt >= since ? show(keyring, found.record) : undefined
    }

  serve(
    contract.reserveAccount,
    async ({ body }, { merchant }) =>
      showReservedAccount(keyring, await reservedAccounts.reserveAccount(deps, merchant, readAccount(body))),
    recover(showReservedAccount),
  )

  serve(
    contract.reserveInvoiceAccount,
    async ({ body }, { merchant }) => {
      const needsIdentity = !merchant.compat.includes('accountsWithoutIdentity')
      const requested = { ...readAccount(body), type: body.reservedAccountType ?? 'GENERAL', needsIdentity }
      return showFlat(keyring, await reservedAccounts.reserveAccount(deps, merchant, requested))
    },
    recover(showFlat),
  )

  serve(
    contract.reserveAccountWithLimit,
    async ({ body }, { merchant }) => {
      const requested = { ...readAccount(body), limitProfileCode: body.limitProfileCode }
      return showLimited(keyring, await reservedAccounts.reserveAccount(deps, merchant, requested))
    },
    recover(showLimited),
  )
}

function lookUpRoutes(serve: Serve, core: Core): void {
  const { db, keyring } = core

  serve(contract.getReservedAccount, async ({ params }, { merchant }) => {
    const found = await reservedAccounts.getReservedAccount(core, merchant.id, params.accountReference)
    const { account, limitProfile } = found.record
    const { name = '', code = '', description = '' } = merchant.contracts.get(account.contractCode) ?? {}
    return {
      ...showFlat(keyring, found.record),
      contract: { name, code, description },
      transactionCount: found.transactionCount,
      ...(limitProfile === undefined ? {} : { limitProfileConfig: showLimitProfileConfig(limitProfile) }),
    }
  })

  serve(contract.listReservedAccountTransactions, async ({ query }, { merchant }) => {
    const found = await listTransactions(db, merchant.id, query.accountReference, query)
    return showPage(found, (row) => showAccountTransaction(merchant, row, found.lastPayments.get(row.id)))
  })
}

function changeRoutes(serve: Serve, deps: reservedAccounts.Deps): void {
  const { core } = deps
  const { keyring } = core

  serve(contract.addLinkedAccounts, async ({ params, body }, { merchant }) =>
    showReservedAccount(
      keyring,
      await changes.addLinkedAccounts(deps, merchant.id, params.accountReference, readBanks(body)),
    ),
  )

  serve(contract.updateCustomerBvn, async ({ params, body }, { merchant }) =>
    showFlat(keyring, await changes.updateBvn(core, merchant.id, params.accountReference, body.bvn)),
  )

  serve(contract.updateKycInfo, async ({ params, body }, { merchant }) => {
    const identity = { bvn: body.bvn ?? null, nin: body.nin ?? null }
    const { account } = await changes.updateIdentity(core, merchant.id, params.accountReference, identity)
    const { accountReference, accountName, customerEmail, customerName } = account
    return { accountReference, accountName, customerEmail, customerName, ...showIdentity(keyring, account) }
  })

  serve(contract.updatePaymentSourceFilter, async ({ params, body }, { merchant }) => {
    const requested = { restricted: readFlag(body.restrictPaymentSource), sources: readSources(body) ?? undefined }
    const { account } = await changes.updatePaymentSources(core, merchant.id, params.accountReference, requested)
    return {
      restrictPaymentSource: account.restrictPaymentSource,
      allowedPaymentSources: showSources(openSources(keyring, account, account.allowedPaymentSources)),
    }
  })

  serve(contract.updateIncomeSplitConfig, async ({ params, body }, { merchant }) => {
    const { account } = await changes.updateSplits(core, merchant, params.accountReference, body)
    return {
      code: account.splitConfigCode,
      reservedAccountCode: account.reservationReference,
      feeBearer: feeBearerOf(account),
      configDetails: showSplits(account),
    }
  })

  serve(contract.deallocateReservedAccount, async ({ params }, { merchant }) =>
    showFlat(keyring, await changes.deallocate(deps, merchant.id, params.accountReference)),
  )

  serve(contract.setLimitProfile, async ({ body }, { merchant }) =>
    showLimited(
      keyring,
      await changes.setLimitProfile(core, merchant.id, body.accountReference, body.limitProfileCode),
    ),
  )
}

function showLimited(
  keyring: Keyring,
  record: reservedAccounts.ReservedAccountRecord,
): Reply<typeof contract.reserveAccountWithLimit> {
  invariant(record.limitProfile !== undefined, 'an account has the limit profile just set')
  return {
    ...showReservedAccount(keyring, record),
    limitProfileConfig: showLimitProfileConfig(record.limitProfile),
  }
}

type AccountBody = Omit<Input<typeof contract.reserveInvoiceAccount>['body'], 'reservedAccountType'>

const readAccount = (body: AccountBody): reservedAccounts.NewReservedAccount => ({
  accountReference: body.accountReference,
  type: 'GENERAL',
  accountName: body.accountName,
  currencyCode: body.currencyCode,
  contractCode: body.contractCode,
  customerName: body.customerName ?? null,
  customerEmail: body.customerEmail,
  bvn: body.bvn ?? null,
  nin: body.nin ?? null,
  banks: readBanks(body),
  restrictPaymentSource: readFlag(body.restrictPaymentSource) ?? false,
  allowedPaymentSources: readSources(body),
  incomeSplitConfig: body.incomeSplitConfig ?? [],
  limitProfileCode: null,
  metaData: body.metaData ?? body.metadata ?? {},
  needsIdentity: true,
})

const readFlag = (flag: boolean | 'true' | 'false' | null | undefined): boolean | undefined =>
  flag === null || flag === undefined ? undefined : flag === true || flag === 'true'

const readBanks = (body: Input<typeof contract.addLinkedAccounts>['body']): reservedAccounts.RequestedBanks => ({
  all: readFlag(body.getAllAvailableBanks) ?? false,
  preferred: body.preferredBanks ?? [],
})

/** Reads the allowed payers. The field has two accepted spellings; if both are sent, `allowedPaymentSources` counts. */
function readSources(body: Input<typeof contract.updatePaymentSourceFilter>['body']): PaymentSources | null {
  const requested = body.allowedPaymentSources ?? body.allowedPaymentSource ?? null
  return requested === null
    ? null
    : {
        bvns: requested.bvns ?? [],
        bankAccounts: (requested.bankAccounts ?? []).map(({ accountNumber, bankCode }) => ({
          accountNumber,
          bankCode,
        })),
        accountNames: requested.accountNames ?? [],
      }
}
