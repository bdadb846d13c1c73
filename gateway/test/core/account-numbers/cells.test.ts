import assert from 'node:assert/strict'
import * as contract from '@kobo/contract'
import { gateway, type Shop, start } from '../../harness/gateway.ts'
import { aTransaction } from '../../harness/samples.ts'
import { slow } from '../../harness/slow.ts'

const PAYMENTS = 5

/**
 * The references and account numbers that an installation assigns, at a bank where every installation may assign any
 * number.
 */
async function handedOut(shop: Shop): Promise<{ readonly references: readonly string[]; readonly numbers: string[] }> {
  const references: string[] = []
  const numbers: string[] = []
  for (let n = 0; n < PAYMENTS; n++) {
    const { transactionReference } = await shop.call(contract.initTransaction, { body: aTransaction(shop) })
    const { accountNumber } = await shop.call(contract.initBankTransfer, {
      body: { transactionReference, bankCode: '035' },
    })
    references.push(transactionReference)
    numbers.push(accountNumber)
  }
  const wallets = await shop.db<{ accountNumber: string }[]>`select account_number from wallet`
  return { references, numbers: [...numbers, ...wallets.map(({ accountNumber }) => accountNumber)] }
}

slow(
  'installations with their own prefixes and digits never assign the same reference or account number',
  async (t) => {
    const first = await gateway(t, { env: { KOBO_REFERENCE_PREFIX: 'ONE', KOBO_CELL_DIGITS: '1' } })
    const second = await gateway(t, {
      env: { KOBO_REFERENCE_PREFIX: 'TWO', KOBO_CELL_DIGITS: '02', KOBO_NODE_NUMBERS: '20-29' },
    })
    await first.anotherMerchant()
    await second.anotherMerchant()
    const [one, two] = [await handedOut(first), await handedOut(second)]
    // Ids become references at partners, so they must differ between installations. Each id contains its node number, and
    // no two installations share a node number.
    const nodes = [first, second].map(({ core }) => (core.ids.id() >> 15n) & 127n)
    assert.deepEqual(nodes, [10n, 20n])
    const others = new Set([...two.references, ...two.numbers])
    assert.deepEqual(
      [...one.references, ...one.numbers].filter((text) => others.has(text)),
      [],
    )
    assert.ok(one.numbers.length > PAYMENTS && one.numbers.every((number) => number.startsWith('1')))
    assert.ok(two.numbers.length > PAYMENTS && two.numbers.every((number) => number.startsWith('02')))

    // Cell digits that do not match the numbers already assigned must belong to another installation.
    for (const wrong of ['3', '11'])
      await assert.rejects(
        start({ databaseUrl: first.databaseUrl, env: { KOBO_CELL_DIGITS: wrong, KOBO_NODE_NUMBERS: '30-39' } }),
        { message: /has issued 1\d{9}/ },
      )
    const same = await start({ databaseUrl: first.databaseUrl, env: { KOBO_CELL_DIGITS: '1' } })
    await same.close()
  },
)
