import type { Check } from './check.ts'
import { byReference, type History, ofKind, type ReadBalance } from './history.ts'

type Seen = ReadBalance & { readonly available: number; readonly ledger: number }

const readsOf = ({ operations }: History): readonly Seen[] =>
  ofKind(operations, 'readBalance').filter(
    (read): read is Seen => read.outcome === 'ok' && read.available !== undefined && read.ledger !== undefined,
  )

const findBelowZero = (history: History): readonly string[] =>
  readsOf(history)
    .filter(({ available, ledger }) => available < 0 || ledger < 0)
    .map(({ available, ledger }) => `the wallet had ${available} kobo available and ${ledger} in the ledger`)

/** The amount that each transfer takes from the wallet in the end: its amount and fee, or nothing. */
const costsOf = ({ finalReads }: History): Map<string, number> =>
  new Map(
    ofKind(finalReads, 'readTransfer').map(({ reference, status, amount = 0, fee = 0 }) => [
      reference,
      status === 'SUCCESS' ? amount + fee : 0,
    ]),
  )

/**
 * Each balance read must lie between two balances: after all transfers that may have happened before the read ended,
 * and after only those that must have happened before it began.
 */
function findUnconserved(history: History): readonly string[] {
  const costs = costsOf(history)
  const transfers = [...byReference(ofKind(history.operations, 'transfer'))].map(([reference, tries]) => ({
    invokedAt: Math.min(...tries.map(({ invokedAt }) => invokedAt)),
    // A transfer without a certain outcome may take effect at any later time.
    doneAt: Math.min(...tries.map(({ outcome, endedAt }) => (outcome === 'ok' ? endedAt : Number.POSITIVE_INFINITY))),
    cost: costs.get(reference) ?? 0,
  }))
  const spent = (before: (one: (typeof transfers)[number]) => boolean): number =>
    transfers.filter(before).reduce((total, { cost }) => total + cost, 0)
  return readsOf(history).flatMap(({ available, invokedAt, endedAt }) => {
    const least = history.startBalance - spent((one) => one.invokedAt <= endedAt)
    const most = history.startBalance - spent((one) => one.doneAt < invokedAt)
    return available >= least && available <= most
      ? []
      : [`the wallet had ${available} kobo, where ${least} to ${most} is possible`]
  })
}

function findWrongEnd(history: History): readonly string[] {
  const expected = history.startBalance - [...costsOf(history).values()].reduce((total, cost) => total + cost, 0)
  return expected === history.finalBalance
    ? []
    : [`the wallet ends with ${history.finalBalance} kobo, and its transfers leave ${expected}`]
}

export const BALANCES: readonly Check[] = [
  { promise: 'No wallet is ever below zero', find: findBelowZero },
  { promise: 'Every balance that was read is one that the transfers allow', find: findUnconserved },
  { promise: 'The last balance is what the transfers leave', find: findWrongEnd },
]
