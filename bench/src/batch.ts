import { setTimeout as pause } from 'node:timers/promises'
import * as contract from '@kobo/contract'
import { type Look, median } from './benchmark.ts'
import { login } from './merchant.ts'

const ITEMS = 10_000
const POLL_MILLISECONDS = 100
const COMPLETE_SECONDS_MAX = 300

/** A batch of ten thousand: until it is accepted, until every item has its end, and what the process takes in memory. */
export const batch: Look = async ({ gateway, rounds, progress }) => {
  const merchant = await login(gateway)
  await merchant.call(contract.changeSettings, { body: { otpEnabled: false } })
  await merchant.call(contract.fundWallet, { body: { amount: 1_000_000_000 } })
  const accepted: number[] = []
  const completed: number[] = []
  let rss = 0
  for (let n = 1; n <= rounds; n++) {
    const reference = `batch-${n}`
    const body = {
      title: 'Salaries',
      batchReference: reference,
      narration: 'Salary for March',
      sourceAccountNumber: gateway.credentials.walletAccountNumber,
      onValidationFailure: 'CONTINUE' as const,
      transactionList: Array.from({ length: ITEMS }, (_, item) => ({
        amount: (10_000 + item) / 100,
        reference: `${reference}-${item}`,
        narration: 'Salary for March',
        destinationBankCode: '058',
        destinationAccountNumber: `${1_000_000 + item}789`,
        destinationAccountName: 'Ada Obi',
        currency: 'NGN',
      })),
    }
    progress(`round ${n} of ${rounds}: accepting`)
    const started = performance.now()
    await merchant.call(contract.initiateBatch, { body })
    accepted.push((performance.now() - started) / 1_000)
    let pending = ITEMS
    while (pending > 0) {
      await pause(POLL_MILLISECONDS)
      pending = (await merchant.call(contract.getBatch, { query: { reference } })).pendingCount
      rss = Math.max(rss, await gateway.rssBytes())
      progress(`round ${n} of ${rounds}: ${pending} items are left`)
      if (performance.now() - started > COMPLETE_SECONDS_MAX * 1_000)
        throw new Error('the batch does not come to its end')
    }
    completed.push((performance.now() - started) / 1_000)
  }
  return {
    [`seconds to accept ${ITEMS} items`]: median(accepted).toFixed(1),
    'seconds until all have their end': median(completed).toFixed(1),
    'resident at most, MB': (rss / 1_000_000).toFixed(0),
  }
}
