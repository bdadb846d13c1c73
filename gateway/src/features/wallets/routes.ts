import type { Input } from '@kobo/contract'
import * as contract from '@kobo/contract'
import type { VirtualAccounts } from '../../core/account-numbers/index.ts'
import type { Core } from '../../core/core.ts'
import type { Serve } from '../../core/edge/http/index.ts'
import type { Balances, WalletFilter, WalletName } from '../../core/money/wallet-balances/index.ts'
import { naira } from '../../kernel/money.ts'
import { numberedPage, showPage } from '../../platform/postgres/pagination.ts'
import * as wallets from './service.ts'
import { showBalances, showLine, showWallet } from './show.ts'

interface Deps {
  readonly core: Core
  readonly virtualAccounts: VirtualAccounts
  readonly readBalances: (wallet: WalletName) => Promise<Balances | undefined>
}

export function walletRoutes(serve: Serve, deps: Deps): void {
  const { core } = deps
  const { db } = core

  serve(
    contract.createWallet,
    async ({ body }, { merchant }) => showWallet(await wallets.createWallet(deps, merchant, readNewWallet(body))),
    async ({ body: { walletReference } }, { merchant }, since) => {
      const recovered = (await wallets.listWallets(core, merchant.id, { walletReference }, { page: 0, size: 1 }))
        .rows[0]
      return recovered && recovered.wallet.createdAt >= since ? showWallet(recovered) : undefined
    },
  )

  serve(contract.listWallets, async ({ query }, { merchant }) => {
    const found = await wallets.listWallets(core, merchant.id, readFilter(query), numberedPage(query))
    return showPage(found, showWallet)
  })

  serve(contract.getCustomerWalletBalance, async ({ query }, { merchant }) =>
    showBalances(await wallets.readBalances(deps.readBalances, merchant.id, query)),
  )

  serve(contract.listWalletTransactions, async ({ query }, { merchant }) => {
    const found = await wallets.readStatement(db, merchant.id, query, numberedPage(query))
    return showPage(found, showLine)
  })

  serve(contract.fundWallet, async ({ body }, { merchant }) => {
    const accountNumber = body.accountNumber ?? merchant.walletAccountNumber
    const balances = await wallets.fundWallet(core, merchant.id, accountNumber, naira(body.amount))
    return { accountNumber, ...showBalances(balances) }
  })
}

const readNewWallet = ({ bvnDetails, ...body }: Input<typeof contract.createWallet>['body']): wallets.NewWallet => ({
  ...body,
  bvnDetails: { bvn: bvnDetails.bvn, bvnDateOfBirth: bvnDetails.bvnDateOfBirth }, // unknown fields are dropped
})

const readFilter = ({ walletReference, customerEmail }: Input<typeof contract.listWallets>['query']): WalletFilter => ({
  walletReference: walletReference || undefined,
  customerEmail: customerEmail || undefined,
})
