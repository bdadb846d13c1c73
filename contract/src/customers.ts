import Type from 'typebox'
import { nullable, words } from './fields.ts'
import { NO_PERMISSION } from './permissions.ts'
import { personal } from './personal-data.ts'
import { group, route } from './route.ts'

/** The kinds of records that make someone a customer. */
export const CUSTOMER_RECORDS = ['TRANSACTION', 'RESERVED_ACCOUNT', 'MANDATE'] as const
export type CustomerRecordKind = (typeof CUSTOMER_RECORDS)[number]

const CUSTOMERS_SIZE_DEFAULT = 50
const CUSTOMERS_SIZE_MAX = 100

/** Where a page of customers starts. It is longer than an ID, because it also contains the record's time and kind. */
export const CustomerPlace = Type.String({ pattern: '^\\d{1,40}$', 'x-rule': 'a numeric ID' })

export const CustomerSearch = personal(
  Type.String({
    minLength: 1,
    maxLength: 255,
    description: 'email address, part of a name, phone number or account number',
    examples: ['ada@example.com'],
  }),
)

/** The fields of a customer. Each email address in the merchant's records is a customer. */
export const CustomerFacts = {
  customerEmail: personal(Type.String({ examples: ['ada@example.com'] })),
  customerName: nullable(personal(Type.String({ examples: ['Ada Obi'] }))),
  lastRecord: words(CUSTOMER_RECORDS, 'kind of the newest record; a transaction, if there is one'),
}

export const listCustomers = route({
  method: 'GET',
  path: '/api/v1/customers',
  summary: 'List customers, the latest first',
  description:
    'A customer is an email address in your transactions, reserved accounts or mandates; the name is that of the newest record. There is no separate customer record to create or update. Each page starts where the previous one ended, and there is no total. A search by name or by a payer’s account number covers part of the history, and `searchedBackTo` says how far back it went. For a customer’s payments, search transactions by `customerEmail`.',
  permission: NO_PERMISSION.ownData,
  person: 'payer.read',
  query: Type.Object({
    search: Type.Optional(CustomerSearch),
    before: Type.Optional(CustomerPlace),
    size: Type.Optional(Type.Integer({ minimum: 1, maximum: CUSTOMERS_SIZE_MAX, default: CUSTOMERS_SIZE_DEFAULT })),
  }),
  reply: Type.Object({
    customers: Type.Array(
      Type.Object({ ...CustomerFacts, lastActivityOn: Type.String({ examples: ['01/03/2026 10:30:00 AM'] }) }),
    ),
    next: nullable(Type.String({ description: 'value of `before` for the next page; null on the last page' })),
    searchedBackTo: nullable(
      Type.String({
        description: 'set if the search stopped early: everything back to this time was searched',
        examples: ['01/03/2026 10:30:00 AM'],
      }),
    ),
  }),
})

export const customers = group({
  title: 'Customers',
  text: 'The people who pay you, taken from your transactions, reserved accounts and mandates.',
  routes: { listCustomers },
  refusals: {},
})
