import type { Check } from './check.ts'
import { byReference, type History, type Operation, ofKind, type ReadBalance } from './history.ts'

type Seen = ReadBalance & { readonly available: number; readonly ledger: number }

const readsOf = ({ operations }: History): readonly Seen[] =>
  ofKind(operations, 'readBalance').filter(
    (read): read is Seen => read.outcome === 'ok' && read.available !== undefined && read.ledger !== undefined,
  )

const findBelowZero = (history: History): readonly string[] =>
  readsOf(history)
    .filter(({ available, ledger }) => available < 0 || ledger < 0)
    .map(({ available, ledger }) => `the wallet had ${available} kobo available and ${ledger} in the ledger`)

/** Returns the amount with fee that each transfer took from the wallet, and whether it was returned. */
const debitsOf = ({ finalReads }: History) =>
  new Map(
    ofKind(finalReads, 'readTransfer').map(({ reference, status, amount = 0, fee = 0 }) => [
      reference,
      { debit: amount + fee, isReturned: status !== 'SUCCESS' },
    ]),
  )

const earliest = <One extends Operation>(operations: readonly One[], counts: (one: One) => boolean): number =>
  Math.min(...operations.map((one) => (counts(one) ? one.endedAt : Number.POSITIVE_INFINITY)))

/**
 * Finds balances outside their bounds. The lower bound assumes that all transfers that began before the read ended have
 * taken their amounts. The upper bound assumes only those that were done before the read began, and did not fail later.
 */
function findUnconserved(history: History): readonly string[] {
  const debits = debitsOf(history)
  const reads = byReference(ofKind(history.operations, 'readTransfer'))
  const transfers = [...byReference(ofKind(history.operations, 'transfer'))].map(([reference, tries]) => ({
    ...(debits.get(reference) ?? { debit: 0, isReturned: true }),
    invokedAt: Math.min(...tries.map(({ invokedAt }) => invokedAt)),
    // A transfer without a certain outcome may take effect at any later time.
    doneAt: earliest(tries, ({ outcome }) => outcome === 'ok'),
    failedAt: earliest(reads.get(reference) ?? [], ({ status }) => status === 'FAILED'),
  }))
  const taken = (before: (one: (typeof transfers)[number]) => boolean): number =>
    transfers.filter(before).reduce((total, { debit }) => total + debit, 0)
  return readsOf(history).flatMap(({ available, invokedAt, endedAt }) => {
    const least =
      history.startBalance - taken((one) => one.invokedAt <= endedAt && !(one.isReturned && one.failedAt < invokedAt))
    const most = history.startBalance - taken((one) => one.doneAt < invokedAt && !one.isReturned)
    return available >= least && available <= most
      ? []
      : [`the wallet had ${available} kobo, where ${least} to ${most} is possible`]
  })
}

function findWrongEnd(history: History): readonly string[] {
  const spent = [...debitsOf(history).values()].reduce((total, one) => total + (one.isReturned ? 0 : one.debit), 0)
  const expected = history.startBalance - spent
  return expected === history.finalBalance
    ? []
    : [`the wallet ends with ${history.finalBalance} kobo, and its transfers leave ${expected}`]
}

export const BALANCES: readonly Check[] = [
  { promise: 'No wallet is ever below zero', find: findBelowZero },
  { promise: 'Every balance that was read is one that the transfers allow', find: findUnconserved },
  { promise: 'The last balance is what the transfers leave', find: findWrongEnd },
]
