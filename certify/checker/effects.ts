import type { Check } from './check.ts'
import { type BankEffect, byReference, type History, ofKind, type ReadPayment, type ReadTransfer } from './history.ts'

const finalPayments = ({ finalReads }: History): Map<string, ReadPayment> =>
  new Map(ofKind(finalReads, 'readPayment').map((read) => [read.reference, read]))

const finalTransfers = ({ finalReads }: History): Map<string, ReadTransfer> =>
  new Map(ofKind(finalReads, 'readTransfer').map((read) => [read.reference, read]))

/** Whether no lie of the bank affected a transfer. Wrong effects are then our fault. */
const isHonest = (effects: readonly BankEffect[]): boolean => effects.every(({ lie }) => lie === undefined)

const sum = (amounts: readonly number[]): number => amounts.reduce((total, amount) => total + amount, 0)

function findLost(history: History): readonly string[] {
  const payments = finalPayments(history)
  const transfers = finalTransfers(history)
  const acknowledged = history.operations.filter(({ outcome }) => outcome === 'ok')
  return [
    ...ofKind(acknowledged, 'init')
      .filter(({ reference, transactionReference }) =>
        transactionReference === undefined
          ? payments.get(reference)?.status === undefined
          : payments.get(reference)?.transactionReference !== transactionReference,
      )
      .map(({ reference }) => `payment ${reference} was created and is gone, or is another one`),
    ...[...byReference(ofKind(acknowledged, 'pay'))]
      .filter(([reference, paid]) => (payments.get(reference)?.amountPaid ?? 0) < sum(paid.map((one) => one.amount)))
      .map(
        ([reference, paid]) =>
          `of payment ${reference}, ${sum(paid.map((one) => one.amount))} kobo were paid and less is there`,
      ),
    ...ofKind(acknowledged, 'transfer')
      .filter(({ reference }) => transfers.get(reference)?.status === undefined)
      .map(({ reference }) => `transfer ${reference} was accepted and is gone`),
  ]
}

function findDoubled(history: History): readonly string[] {
  const paid = byReference(ofKind(history.operations, 'pay').filter(({ outcome }) => outcome !== 'failed'))
  return [
    ...[...finalPayments(history).values()]
      .filter(({ reference, amountPaid = 0 }) => amountPaid > sum((paid.get(reference) ?? []).map((one) => one.amount)))
      .map(({ reference, amountPaid }) => `payment ${reference} has ${amountPaid} kobo, more than was paid`),
    ...[...byReference(history.bankEffects)]
      .filter(([, effects]) => effects.length > 1 && isHonest(effects))
      .map(([reference, effects]) => `the bank paid transfer ${reference} ${effects.length} times`),
  ]
}

function findInvented({ operations, finalReads, bankEffects, events }: History): readonly string[] {
  const known = new Set(
    operations
      .filter(({ kind, outcome }) => (kind === 'init' || kind === 'transfer') && outcome !== 'failed')
      .map(({ reference }) => reference),
  )
  const found = [...finalReads.filter(({ status }) => status !== undefined), ...bankEffects, ...events]
  return [...new Set(found.map(({ reference }) => reference))]
    .filter((reference) => !known.has(reference))
    .map((reference) => `${reference} exists, but no one requested it`)
}

function findWrongAtBank(history: History): readonly string[] {
  const effects = byReference(history.bankEffects)
  return [...finalTransfers(history).values()].flatMap(({ reference, status, amount }) => {
    const there = effects.get(reference) ?? []
    const left = sum(there.map((one) => one.amount))
    const expected = status === 'SUCCESS' ? amount : 0
    return status === undefined || left === expected || !isHonest(there)
      ? []
      : [`transfer ${reference} is ${status} with ${amount} kobo, and ${left} left at the bank`]
  })
}

/** Finds transfers that reconciliation should list but does not, or lists although statement and API agree. */
function findUnnoticed(history: History): readonly string[] {
  const { exceptions } = history
  if (exceptions === undefined) return []
  const listed = new Set(exceptions)
  const effects = byReference(history.bankEffects)
  return [...finalTransfers(history).values()].flatMap(({ reference, status, amount = 0 }) => {
    const stated = sum((effects.get(reference) ?? []).map((one) => one.stated ?? one.amount))
    const ours = status === 'SUCCESS' ? amount : 0
    if ((stated !== ours) === listed.has(reference)) return []
    const facts = `the statement has ${stated} kobo for transfer ${reference}, the API ${ours}`
    return [`${facts}, and reconciliation ${listed.has(reference) ? 'lists it' : 'does not list it'}`]
  })
}

const findUnfinished = (history: History): readonly string[] =>
  [...finalTransfers(history).values()]
    .filter(({ status }) => status !== undefined && status !== 'SUCCESS' && status !== 'FAILED')
    .map(({ reference, status }) => `transfer ${reference} is still ${status} after all faults`)

export const EFFECTS: readonly Check[] = [
  { promise: 'Nothing that was acknowledged is lost', find: findLost },
  { promise: 'Nothing happens twice', find: findDoubled },
  { promise: 'Nothing is invented', find: findInvented },
  { promise: 'What left at the bank is what the API says', find: findWrongAtBank },
  { promise: 'A bank that lies is found', find: findUnnoticed },
  { promise: 'Every transfer ends', find: findUnfinished },
]
