import { parseArgs } from 'node:util'
import { DISPUTE_STATUSES, DISPUTE_TYPES } from '@kobo/contract'
import { audit } from '@kobo/gateway/core/security/audit.ts'
import { type UnitOfWork, unitOfWork } from '@kobo/gateway/core/unit-of-work.ts'
import {
  type DisputeRow,
  decideDispute,
  findAnyDispute,
  openDispute,
  selectAnyDisputes,
  withDebts,
} from '@kobo/gateway/features/disputes/index.ts'
import { proposeDispute, proposeDisputeEnd } from '@kobo/gateway/features/operator/index.ts'
import { transactionReads } from '@kobo/gateway/features/transactions/index.ts'
import { fromMoment } from '@kobo/gateway/kernel/dates.ts'
import { ID_MAX } from '@kobo/gateway/kernel/ids.ts'
import { fromNaira, type Kobo, toNaira } from '@kobo/gateway/kernel/money.ts'
import { type Command, print, required, UsageError, withCore, withMerchant } from '../../command.ts'
import { BY_BECAUSE, handledByTwoOperators, TWO_OPERATORS } from '../../operator.ts'

const SHOWN_MAX = 1_000
const TEXT_LENGTH_MAX = 255
const text = { type: 'string' } as const

export const disputesList: Command = {
  usage: '[--status STATUS]',
  summary: 'Lists the disputes of all merchants, newest first',
  details: `\nPrints JSON, at most ${SHOWN_MAX}. STATUS is one of ${DISPUTE_STATUSES.join(', ')}.\n`,
  run: async (args, context) => {
    const { values } = parseArgs({ args, options: { status: text } })
    const status = values.status === undefined ? null : wordIn(DISPUTE_STATUSES, values.status, '--status')
    return withCore(context, async ({ core: { db } }) => {
      const filter = { merchantId: null, status, from: 0n, before: ID_MAX }
      print(context, (await withDebts(db, await selectAnyDisputes(db, filter, SHOWN_MAX))).map(show))
      return 0
    })
  },
}

export const disputesOpen: Command = {
  usage:
    '--merchant CODE --transaction REFERENCE --type TYPE --partner CODE --reference TEXT [--amount NAIRA] [--due MOMENT] --because TEXT [--by EMAIL]',
  summary: 'Opens a dispute that a partner reported by mail and holds the disputed amount',
  details: `
TYPE is one of ${DISPUTE_TYPES.join(', ')}. --reference is the partner's reference; repeating a call with it changes nothing. Without
--amount the rest of the newest payment is disputed. The merchant is notified and can challenge it until --due.
${TWO_OPERATORS}`,
  run: async (args, context) => {
    const { values } = parseArgs({
      args,
      options: {
        merchant: text,
        transaction: text,
        type: text,
        partner: text,
        reference: text,
        amount: text,
        due: text,
        ...BY_BECAUSE,
      },
    })
    const kind = wordIn(DISPUTE_TYPES, required(values.type, '--type'), '--type')
    const transactionReference = required(values.transaction, '--transaction')
    const reported = {
      partner: required(values.partner, '--partner'),
      partnerReference: required(values.reference, '--reference'),
      kind,
      paymentId: undefined,
      amount: values.amount === undefined ? undefined : amountIn(values.amount),
      reason: required(values.because, '--because').slice(0, TEXT_LENGTH_MAX),
      evidenceDueAt: values.due === undefined ? undefined : momentIn(values.due),
    }
    return withMerchant(context, values.merchant, async (gateway, merchant) => {
      const { core } = gateway
      const { partner, partnerReference, evidenceDueAt, amount } = reported
      const requested = { transactionReference, partner, partnerReference, disputeType: kind }
      const isForTwo = await handledByTwoOperators(context, gateway, values, () =>
        proposeDispute(gateway, merchant, {
          ...requested,
          amount: amount === undefined ? null : toNaira(amount),
          respondBy: evidenceDueAt?.toISOString() ?? null,
        }),
      )
      if (isForTwo) return
      const transaction = await transactionReads.find(core.db, merchant.id, { transactionReference })
      if (transaction === undefined)
        throw new UsageError(`${merchant.code} has no transaction ${transactionReference}.`)
      const dispute = await unitOfWork(core, async (unit) => {
        const opened = await openDispute(unit, merchant, transaction, reported)
        if (opened.isNew) record(unit, opened.dispute, 'dispute.open', { reason: reported.reason })
        return opened.dispute
      })
      print(context, (await withDebts(core.db, [dispute])).map(show))
    })
  },
}

export const disputesDecide: Command = {
  usage: 'REFERENCE won|lost --because TEXT [--by EMAIL]',
  summary: 'Records the outcome of a dispute that a partner reported by mail and moves the held amount',
  details: `\nThe merchant is notified. Repeating the same outcome changes nothing.\n${TWO_OPERATORS}`,
  run: async (args, context) => {
    const { values, positionals } = parseArgs({ args, allowPositionals: true, options: BY_BECAUSE })
    const [reference, word, ...more] = positionals
    if (reference === undefined || more.length > 0)
      throw new UsageError('Specify one dispute reference, and won or lost.')
    const outcome = wordIn(['WON', 'LOST'] as const, word ?? '', 'The outcome')
    const comment = required(values.because, '--because').slice(0, TEXT_LENGTH_MAX)
    return withCore(context, async (gateway) => {
      const { core } = gateway
      if (await handledByTwoOperators(context, gateway, values, () => proposeDisputeEnd(gateway, reference, outcome)))
        return 0
      const found = await findAnyDispute(core.db, reference)
      if (found === undefined) throw new UsageError(`No dispute has the reference ${reference}.`)
      const dispute = await unitOfWork(core, async (unit) => {
        const decided = await decideDispute(unit, found, outcome, comment)
        record(unit, decided, 'dispute.decide', { outcome, reason: comment })
        return decided
      })
      print(context, (await withDebts(core.db, [dispute])).map(show))
      return 0
    })
  },
}

const record = (unit: UnitOfWork, { merchantId, reference }: DisputeRow, act: string, details: object): void =>
  audit(unit, { merchantId, act, actor: 'command line', reference, details })

function wordIn<Word extends string>(words: readonly Word[], given: string, what: string): Word {
  const word = words.find((one) => one === given.toUpperCase())
  if (word === undefined) throw new UsageError(`${what} must be one of ${words.join(', ')}.`)
  return word
}

function amountIn(given: string): Kobo {
  const amount = fromNaira(given)
  if (amount === undefined) throw new UsageError('--amount must be naira, such as 1200.50.')
  return amount
}

function momentIn(given: string): Date {
  const moment = fromMoment(given)
  if (moment === undefined) throw new UsageError('--due must be a time, such as 2026-03-11T17:00:00+01:00.')
  return moment
}

const show = ({ dispute, owed }: { readonly dispute: DisputeRow; readonly owed: Kobo }) => ({
  reference: dispute.reference,
  merchantId: dispute.merchantId,
  partner: dispute.partner,
  partnerReference: dispute.partnerReference,
  type: dispute.kind,
  status: dispute.status,
  transactionReference: dispute.transactionReference,
  amount: toNaira(dispute.amount),
  amountOwed: toNaira(owed),
  reason: dispute.reason,
  evidenceDueAt: dispute.evidenceDueAt,
  evidence: dispute.evidence,
  openedAt: dispute.openedAt,
  endedAt: dispute.endedAt,
  comment: dispute.comment,
})
