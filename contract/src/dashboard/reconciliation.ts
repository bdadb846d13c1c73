import Type from 'typebox'
import { AccountNumber, BankCode, Naira, nullable, words } from '../fields.ts'
import { NO_PERMISSION } from '../permissions.ts'
import { reconciliationRefusals } from '../refusals/index.ts'
import { group, route } from '../route.ts'
import { REASON_LENGTH_MAX } from './orders.ts'

/** What can be booked for an exception. */
export const BOOKED_AS = ['cost', 'own', 'suspense', 'moved', 'credit'] as const

const PERSON = { access: 'person', permission: NO_PERMISSION.ownBooks } as const
const Day = Type.String({ examples: ['2026-03-01'] })
const Text = Type.String()

const Part = Type.Object({
  day: Day,
  amount: Naira,
  reference: nullable(Type.String({ description: 'the bank’s, or of our journal' })),
  text: nullable(Type.String({ description: 'what the bank wrote to it' })),
})

export const listExceptions = route({
  ...PERSON,
  person: 'operator.read',
  method: 'GET',
  path: '/dashboard/api/operator/reconciliation',
  summary: 'How far each partner is reconciled, and what does not agree, oldest first',
  reply: Type.Object({
    partners: Type.Array(
      Type.Object({
        partner: Text,
        toldUpTo: nullable(Day),
        closedThrough: nullable(Day),
        bank: nullable(Naira),
        books: nullable(Naira),
        unexplained: nullable(Naira),
      }),
    ),
    exceptions: Type.Array(
      Type.Object({
        id: Text,
        partner: Text,
        reason: nullable(Text),
        state: Text,
        day: Day,
        age: Type.String({ description: 'in days', examples: ['2-3'] }),
        amount: Naira,
        note: nullable(Text),
        lines: Type.Array(Part, { description: 'what the bank has' }),
        entries: Type.Array(Part, { description: 'what the books have' }),
        proposal: nullable(
          Type.Object({
            as: words(BOOKED_AS),
            text: Text,
            by: Text,
            because: Text,
            isYours: Type.Boolean({ description: 'then somebody else has to confirm it' }),
          }),
        ),
      }),
    ),
  }),
})

export const decideException = route({
  ...PERSON,
  person: 'operator.manage',
  fresh: true,
  method: 'POST',
  path: '/dashboard/api/operator/reconciliation/:id/decisions',
  summary: 'Say what is to be booked for an exception',
  description:
    'Counts once a second person says the same: the first call proposes, the same call by somebody else confirms, and with that it is booked.',
  params: Type.Object({ id: Type.String({ pattern: '^\\d{1,19}$', 'x-rule': 'the id of an exception' }) }),
  body: Type.Object({
    as: words(BOOKED_AS),
    other: Type.Optional(Type.String({ minLength: 1, maxLength: 64, description: 'the other partner, for `moved`' })),
    bankCode: Type.Optional(BankCode),
    accountNumber: Type.Optional(AccountNumber),
    because: Type.String({ pattern: '\\S', maxLength: REASON_LENGTH_MAX, 'x-rule': 'a reason' }),
  }),
  reply: Type.Object({ state: words(['PROPOSED', 'CARRIED_OUT', 'MOOT']) }),
  refusals: [reconciliationRefusals.notDecided],
})

export const operatorReconciliation = group({
  title: 'Operator: reconciliation',
  text: 'Statements of banks held against the books, and what two people decide where they do not agree.',
  routes: { listExceptions, decideException },
  refusals: reconciliationRefusals,
})
