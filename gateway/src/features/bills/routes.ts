import * as contract from '@kobo/contract'
import type { Serve } from '../../core/edge/http/index.ts'
import { ifKnown } from '../../kernel/errors.ts'
import { naira } from '../../kernel/money.ts'
import * as bills from './service.ts'
import { showBillers, showPage, showPrice, showProduct, showVend } from './show.ts'

export function billRoutes(serve: Serve, deps: bills.BillDeps): void {
  const { core, shop } = deps

  serve(contract.listBillerCategories, async ({ query }) => showPage(await shop.categories(), query))

  serve(contract.listBillers, async ({ query }) =>
    showPage(
      showBillers(await shop.products()).filter(({ categories }) =>
        categories.some(({ code }) => isWanted(code, query.category_code)),
      ),
      query,
    ),
  )

  serve(contract.listBillerProducts, async ({ query }) => {
    const wanted = (await shop.products()).filter(
      ({ biller, category }) =>
        isWanted(biller.code, query.biller_code) && isWanted(category.code, query.category_code),
    )
    return showPage(wanted.map(showProduct), query)
  })

  serve(contract.validateBillCustomer, async ({ body }, { merchant }) => {
    const { product, customerName, validationReference } = await bills.validateCustomer(deps, merchant, body)
    return {
      ...showPrice(product),
      customerName,
      vendInstruction: { requireValidationRef: product.needsValidation, validationReference },
    }
  })

  serve(
    contract.vendBill,
    async ({ body }, { merchant }) =>
      showVend(
        await bills.vendBill(deps, merchant, {
          productCode: body.productCode,
          customerId: body.customerId,
          amount: body.amount === undefined || body.amount === null ? null : naira(body.amount),
          reference: body.reference,
          validationReference: body.validationReference || null,
          emailAddress: body.emailAddress ?? null,
          phoneNumber: body.phoneNumber ?? null,
        }),
      ),
    async ({ body: { reference, productCode, customerId } }, { merchant }, since) => {
      const vend = await ifKnown(bills.requeryBill(core.db, merchant.id, reference))
      const isAskedFor = vend?.productCode === productCode && vend.customerId === customerId
      return isAskedFor && vend.createdAt >= since ? showVend(vend) : undefined
    },
  )

  serve(contract.requeryBill, async ({ query }, { merchant }) =>
    showVend(await bills.requeryBill(core.db, merchant.id, query.reference)),
  )
}

const isWanted = (code: string, wanted: string | undefined): boolean => wanted === undefined || code === wanted
