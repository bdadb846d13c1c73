import Type from 'typebox'
import { AccountNumber, BankCode, Naira, nullable, words } from '../fields.ts'
import { NO_PERMISSION } from '../permissions.ts'
import { personal } from '../personal-data.ts'
import { reconciliationRefusals } from '../refusals/index.ts'
import { group, route } from '../route.ts'
import { Instant } from './lists.ts'
import { REASON_LENGTH_MAX } from './orders.ts'

/** How an exception can be booked. */
export const BOOKED_AS = ['cost', 'own', 'suspense', 'moved', 'credit', 'merchant'] as const
/**
 * The decisions that an operator can propose for an exception. `join` is for exceptions that cancel each other out; only the command
 * line has it.
 */
export const PROPOSED_AS = [...BOOKED_AS, 'join'] as const

const PERSON = { access: 'person', permission: NO_PERMISSION.ownBooks } as const
const Day = Type.String({ examples: ['2026-03-01'] })
const Text = Type.String()

const Part = Type.Object({
  day: Day,
  amount: Naira,
  reference: nullable(Type.String({ description: 'reference of the bank or of the ledger entry' })),
  text: nullable(personal(Type.String({ description: 'the bank’s description' }))),
})

export const getFloat = route({
  ...PERSON,
  person: 'operator.read',
  method: 'GET',
  path: '/dashboard/api/operator/float',
  summary: 'Get what each partner holds, what is owed to merchants and payers, and whether it is covered',
  reply: Type.Object({
    at: Instant,
    partners: Type.Array(
      Type.Object({
        partner: nullable(Type.String({ description: 'null for entries without a partner' })),
        held: Naira,
        minimum: nullable(Naira),
        suspense: Naira,
        costs: Naira,
        statement: nullable(Type.Object({ day: Day, balance: Naira })),
      }),
    ),
    held: Naira,
    owed: Type.Array(Type.Object({ to: Text, amount: Naira })),
    owedInAll: Naira,
    surplus: Type.Number({ description: 'Naira held minus naira owed; if negative, merchants’ money is missing' }),
    verifiedOn: nullable(Instant),
  }),
})

export const listExceptions = route({
  ...PERSON,
  person: 'operator.read',
  method: 'GET',
  path: '/dashboard/api/operator/reconciliation',
  summary: 'Get each partner’s reconciliation status and exceptions, oldest first',
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
        age: Type.String({ description: 'days', examples: ['2-3'] }),
        amount: Naira,
        note: nullable(Text),
        lines: Type.Array(Part, { description: 'bank statement lines' }),
        entries: Type.Array(Part, { description: 'ledger entries' }),
        proposal: nullable(
          Type.Object({
            as: words(PROPOSED_AS),
            text: Text,
            by: Text,
            because: Text,
            isYours: Type.Boolean({
              description: 'whether the caller proposed it, so that someone else must confirm it',
            }),
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
  summary: 'Decide the entry for an exception',
  description:
    'Takes effect when a second person agrees: the first call proposes, the same call by someone else confirms and books it.',
  params: Type.Object({ id: Type.String({ pattern: '^\\d{1,19}$', 'x-rule': 'a numeric exception ID' }) }),
  body: Type.Object({
    as: words(BOOKED_AS),
    other: Type.Optional(Type.String({ minLength: 1, maxLength: 64, description: 'other partner, for `moved`' })),
    merchantCode: Type.Optional(
      Type.String({ minLength: 1, maxLength: 64, description: 'the merchant to charge, for `merchant`' }),
    ),
    bankCode: Type.Optional(BankCode),
    accountNumber: Type.Optional(AccountNumber),
    reference: Type.Optional(
      Type.String({
        pattern: '^\\S{1,128}$',
        'x-rule': '1 to 128 characters without spaces',
        description: 'the bank’s reference of the credit, if the statement line has none',
      }),
    ),
    because: Type.String({ pattern: '\\S', maxLength: REASON_LENGTH_MAX, 'x-rule': 'a reason' }),
  }),
  reply: Type.Object({ state: words(['PROPOSED', 'CARRIED_OUT', 'MOOT']) }),
  refusals: [reconciliationRefusals.notDecided],
})

export const operatorReconciliation = group({
  title: 'Operator: reconciliation',
  text: 'Bank statements compared with the ledger, and the differences that two people resolve.',
  routes: { listExceptions, decideException, getFloat },
  refusals: reconciliationRefusals,
})
