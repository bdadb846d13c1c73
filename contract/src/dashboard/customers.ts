import Type from 'typebox'
import { Email, Naira, nullable } from '../fields.ts'
import { NO_PERMISSION } from '../permissions.ts'
import { personal } from '../personal-data.ts'
import { customerRefusals } from '../refusals/index.ts'
import { group, route } from '../route.ts'
import {
  browseDisputes,
  browseInvoices,
  browseMandates,
  browseRefunds,
  browseReservedAccounts,
  browseTransactions,
  Instant,
} from './lists.ts'

export const getCustomer = route({
  method: 'GET',
  path: '/dashboard/api/customers/:customerEmail',
  summary: 'Get a customer with the newest payments, refunds, disputes, cards, mandates, invoices and accounts',
  access: 'person',
  permission: NO_PERMISSION.ownData,
  person: 'payer.read',
  params: Type.Object({ customerEmail: Email }),
  reply: Type.Object({
    customerEmail: personal(Type.String()),
    customerName: nullable(personal(Type.String())),
    phoneNumber: nullable(personal(Type.String({ description: 'of the newest mandate' }))),
    firstActivityOn: Instant,
    payments: Type.Integer({ description: 'transactions in which something was paid' }),
    amountPaid: Naira,
    amountRefunded: Naira,
    isPartial: Type.Boolean({ description: 'whether older transactions are left out of numbers and lists' }),
    transactions: Type.Array(browseTransactions.reply.properties.items.items),
    refunds: Type.Array(browseRefunds.reply.properties.items.items),
    disputes: Type.Array(browseDisputes.reply.properties.items.items),
    savedCards: Type.Array(
      Type.Object({
        cardType: nullable(Type.String({ examples: ['Visa'] })),
        last4: nullable(Type.String({ examples: ['1234'] })),
        expiryMonth: Type.String(),
        expiryYear: Type.String(),
        savedOn: Instant,
      }),
    ),
    mandates: Type.Array(browseMandates.reply.properties.items.items),
    invoices: Type.Array(browseInvoices.reply.properties.items.items),
    reservedAccounts: Type.Array(browseReservedAccounts.reply.properties.items.items),
  }),
  refusals: [customerRefusals.notFound],
})

export const dashboardCustomers = group({
  title: 'Customer pages',
  text: 'Everything about one customer, read from the merchant’s records.',
  routes: { getCustomer },
  refusals: customerRefusals,
})
