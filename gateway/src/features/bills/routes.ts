import * as contract from '@kobo/contract'
import type { Serve } from '../../core/edge/http/index.ts'
import { ifKnown } from '../../kernel/errors.ts'
import { naira } from '../../kernel/money.ts'
import * as bills from './service.ts'
import { showBillers, showPage, showPrice, showProduct, showVend } from './show.ts'

export function billRoutes(serve: Serve, deps: bills.BillDeps): void {
  const { core, catalogue } = deps

  serve(contract.listBillerCategories, async ({ query }) => showPage(await catalogue.categories(), query))

  serve(contract.listBillers, async ({ query }) =>
    showPage(
      showBillers(await catalogue.products()).filter(({ categories }) =>
        categories.some(({ code }) => matches(code, query.category_code)),
      ),
      query,
    ),
  )

  serve(contract.listBillerProducts, async ({ query }) => {
    const matching = (await catalogue.products()).filter(
      ({ biller, category }) => matches(biller.code, query.biller_code) && matches(category.code, query.category_code),
    )
    return showPage(matching.map(showProduct), query)
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
    async ({ body }, { merchant, person }) =>
      showVend(
        await bills.vendBill(
          deps,
          merchant,
          {
            productCode: body.productCode,
            customerId: body.customerId,
            amount: body.amount === undefined || body.amount === null ? null : naira(body.amount),
            reference: body.reference,
            validationReference: body.validationReference || null,
            emailAddress: body.emailAddress ?? null,
            phoneNumber: body.phoneNumber ?? null,
          },
          person,
        ),
      ),
    async ({ body: { reference, productCode, customerId } }, { merchant }, since) => {
      const vend = await ifKnown(bills.requeryBill(core.db, merchant.id, reference))
      const matchesRequest = vend?.productCode === productCode && vend.customerId === customerId
      return matchesRequest && vend.createdAt >= since ? showVend(vend) : undefined
    },
  )

  serve(contract.requeryBill, async ({ query }, { merchant }) =>
    showVend(await bills.requeryBill(core.db, merchant.id, query.reference)),
  )
}

const matches = (code: string, filter: string | undefined): boolean => filter === undefined || code === filter
