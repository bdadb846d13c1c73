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
 * The decisions that an operator can propose for an exception. `join` is for exceptions that cancel each other out, and
 * only the command line has it.
 */
export const PROPOSED_AS = [...BOOKED_AS, 'join'] as const

const PERSON = { access: 'person', permission: NO_PERMISSION.operator } as const
const Day = Type.String({ examples: ['2026-03-01'] })
const Text = Type.String()
const ExceptionId = Type.Object({ id: Type.String({ pattern: '^\\d{1,19}$', 'x-rule': 'a numeric exception ID' }) })
const OfPartner = Type.Object({
  partner: Type.String({ pattern: '^[a-z0-9][a-z0-9-]{0,31}$', 'x-rule': 'a partner code' }),
})
/** The maximum size of a statement uploaded in the dashboard. Larger ones are imported on the command line. */
export const STATEMENT_UPLOAD_BYTES_MAX = 1_500_000
/** Base64 uses four characters for three bytes. */
const UPLOAD_LENGTH_MAX = Math.ceil(STATEMENT_UPLOAD_BYTES_MAX / 3) * 4

const Why = Type.String({ pattern: '\\S', maxLength: REASON_LENGTH_MAX, 'x-rule': 'a reason' })

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
        statementUpTo: nullable(Day),
        closedThrough: nullable(Day),
        bank: nullable(Naira),
        books: nullable(Naira),
        unexplained: nullable(Naira),
        next: nullable(
          Type.Object(
            { day: Day, problem: nullable(Type.String({ description: 'why it cannot be closed yet' })) },
            { description: 'the next day to close; null if it has not ended' },
          ),
        ),
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
        orders: Type.Array(Text, {
          description:
            'orders of its amount: for a debit without an outcome yet, for a credit those that may still come back',
        }),
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
  params: ExceptionId,
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
    because: Why,
  }),
  reply: Type.Object({ state: words(['PROPOSED', 'CARRIED_OUT', 'MOOT']) }),
  refusals: [reconciliationRefusals.notDecided],
})

export const explainException = route({
  ...PERSON,
  person: 'operator.manage',
  fresh: true,
  method: 'POST',
  path: '/dashboard/api/operator/reconciliation/:id/explanations',
  summary: 'Explain an exception without an entry, so that its day can be closed',
  description:
    'Closed days list the difference as explained, until its counterpart arrives or two operators decide it.',
  params: ExceptionId,
  body: Type.Object({ because: Why }),
  reply: Type.Object({ state: Text }),
  refusals: [reconciliationRefusals.notDecided],
})

const ClosedDay = Type.Object({
  day: Day,
  bank: Naira,
  books: Naira,
  explained: Type.Integer({ description: 'number of explained differences' }),
  lines: Type.Integer(),
  entries: Type.Integer(),
  closedOn: Instant,
  closedBy: Text,
})

export const getReconciledPartner = route({
  ...PERSON,
  person: 'operator.read',
  method: 'GET',
  path: '/dashboard/api/operator/reconciliation/partners/:partner',
  summary: 'Get a partner’s last closed days and imported statements',
  params: OfPartner,
  reply: Type.Object({
    days: Type.Array(ClosedDay, { description: 'newest first' }),
    files: Type.Array(
      Type.Object({
        name: Text,
        lines: Type.Integer(),
        newLines: Type.Integer(),
        firstDay: nullable(Day),
        lastDay: nullable(Day),
        importedOn: Instant,
      }),
      { description: 'newest first' },
    ),
  }),
  refusals: [reconciliationRefusals.unknownAccount],
})

export const importStatement = route({
  ...PERSON,
  person: 'operator.manage',
  fresh: true,
  method: 'POST',
  path: '/dashboard/api/operator/reconciliation/partners/:partner/statements',
  summary: 'Import a bank statement and match it with the ledger',
  description:
    'CSV, MT940, camt.053 or camt.054, detected by content. A file is imported whole or not at all; a file or line that was imported before changes nothing. Import larger files with `kobo statement import`.',
  takesFiles: true,
  params: OfPartner,
  body: Type.Object({
    name: Type.String({
      pattern: '^[^\\p{C}/\\\\]{1,100}$',
      'x-rule': 'a file name of at most 100 characters',
      examples: ['2026-03-01.csv'],
    }),
    content: Type.String({
      minLength: 4,
      maxLength: UPLOAD_LENGTH_MAX,
      pattern: '^[A-Za-z0-9+/]+={0,2}$',
      'x-rule': `a file of at most ${STATEMENT_UPLOAD_BYTES_MAX / 1_000} kB in base64`,
    }),
  }),
  reply: Type.Object({
    isKnown: Type.Boolean({ description: 'whether the file was imported before' }),
    lines: Type.Integer(),
    newLines: Type.Integer(),
    tooEarly: Type.Integer({ description: 'lines before the first reconciled day' }),
    firstDay: nullable(Day),
    lastDay: nullable(Day),
    matched: Type.Integer({ description: 'groups of lines and entries that were matched' }),
    exceptions: Type.Integer({ description: 'the partner’s exceptions that need manual review' }),
  }),
  refusals: [reconciliationRefusals.unknownAccount, reconciliationRefusals.notImported],
})

export const closeDay = route({
  ...PERSON,
  person: 'operator.manage',
  fresh: true,
  method: 'POST',
  path: '/dashboard/api/operator/reconciliation/partners/:partner/days',
  summary: 'Close a partner’s days up to a given day, once bank and ledger match',
  description: 'A closed day is final.',
  params: OfPartner,
  body: Type.Object({
    through: Type.String({ 'x-day': true, description: 'yyyy-MM-dd', examples: ['2026-03-01'] }),
  }),
  reply: Type.Object({ days: Type.Array(ClosedDay) }),
  refusals: [reconciliationRefusals.unknownAccount, reconciliationRefusals.notClosed],
})

export const operatorReconciliation = group({
  title: 'Operator: reconciliation',
  text: 'Bank statements compared with the ledger, the differences that two people resolve, and closed days.',
  routes: {
    listExceptions,
    decideException,
    explainException,
    getReconciledPartner,
    importStatement,
    closeDay,
    getFloat,
  },
  refusals: reconciliationRefusals,
})
