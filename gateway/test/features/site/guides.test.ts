import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { delimiter, dirname } from 'node:path'
import { test } from 'node:test'
import { promisify } from 'node:util'
import * as contract from '@kobo/contract'
import { aShop } from '../../harness/gateway.ts'
import { slow } from '../../harness/slow.ts'

const run = promisify(execFile)

/** In the order of a reader who pastes all of them into one terminal. */
const GUIDES = ['first-payment', 'webhooks', 'idempotency', 'reconciling']

const commandsOf = async (guide: string): Promise<string[]> => {
  const text = await readFile(new URL(`../../../../docs/guides/${guide}.md`, import.meta.url), 'utf8')
  return [...text.matchAll(/```sh\n([\s\S]*?)```/g)].map(([, command]) => command ?? '')
}

test('the idempotency guide alone, in a fresh shell without the variables, claims no success', async () => {
  const commands = await commandsOf('idempotency')
  assert.ok(commands.length > 0)
  const { PATH } = process.env
  const { stdout } = await run('bash', ['-c', commands.join('\n')], { env: { PATH } }).catch((failed) => failed)
  assert.equal(stdout, '')
})

slow('the commands of the guides, pasted into a shell in order, work as described', async () => {
  const shop = await aShop()
  const { credentials } = shop
  const before = await shop.call(contract.getSettings, {})
  const commands = (await Promise.all(GUIDES.map(commandsOf))).flat()
  assert.ok(commands.length > 10)
  const credentialsCommand = `./kobo() { printf '%s' "$CREDENTIALS"; }`
  const { stdout } = await run('bash', ['-euc', [credentialsCommand, ...commands].join('\n')], {
    env: {
      ...process.env,
      PATH: [dirname(process.execPath), process.env['PATH']].join(delimiter),
      CREDENTIALS: JSON.stringify(credentials),
    },
  })
  const [checkoutUrl = '', ...rest] = stdout.trim().split('\n')
  assert.match(checkoutUrl, /\/checkout\//)
  const settled = rest.pop()
  assert.deepEqual(rest, ['ACCEPTED', 'PAID', 'PENDING', ...Array(4).fill('true'), 'the same transaction', 'true'])
  assert.deepEqual(await shop.call(contract.getSettings, {}), before, 'no webhook URL is left')
  assert.deepEqual(await shop.call(contract.listWebhookEndpoints, {}), [])
  assert.ok(Number(settled) > 0, `${settled} transactions were settled`)
})
