import type { AccountSources } from '../../core/account-numbers/index.ts'
import { offeredBanks } from '../../core/bank-list/index.ts'
import type { Core } from '../../core/core.ts'
import type { Page, Pages } from '../../core/edge/pages/index.ts'
import { findMerchantId, firstContract } from '../../core/merchants/index.ts'
import { html } from '../../platform/formats/html.ts'
import { CUSTOMER } from './bank-app.ts'

const NEEDS_SCRIPT = html`<div id="app"></div><noscript><p class="notice warn">This page needs JavaScript.</p></noscript>`

const named = ({ code, name }: { readonly code: string; readonly name: string }) => ({ code, name })

/** Lists the banks of merchants' accounts first, since transfers go there. */
function partnersFirst({ bankCodes }: AccountSources) {
  const place = ({ code }: { readonly code: string }): number => bankCodes.indexOf(code)
  const banks = offeredBanks()
  const partners = banks.filter((bank) => place(bank) >= 0).toSorted((one, other) => place(one) - place(other))
  return [...partners, ...banks.filter((bank) => place(bank) < 0)].map(named)
}

/** Serves the sandbox's web pages: the customer's banking app, and a shop. */
export function sandboxPages(pages: Pages, { db, directory }: Core, sources: () => AccountSources): void {
  const simulator = (): Page => ({
    title: 'Bank simulator',
    body: NEEDS_SCRIPT,
    scripts: ['simulator.js'],
    data: { banks: partnersFirst(sources()), customer: CUSTOMER },
  })
  pages.get('/simulator', async () => ({ page: simulator() }))

  pages.get('/demo-shop', async () => {
    const id = await findMerchantId(db)
    const merchant = id === undefined ? undefined : await directory.byId(id)
    return {
      page: {
        title: merchant?.name ?? 'Demo shop',
        body: NEEDS_SCRIPT,
        scripts: ['/plugin/checkout.js', 'shop.js'],
        hasFrames: true,
        data: {
          shopName: merchant?.name ?? null,
          apiKey: merchant?.apiKey ?? null,
          contractCode: merchant === undefined ? null : firstContract(merchant).code,
        },
      },
    }
  })
}
