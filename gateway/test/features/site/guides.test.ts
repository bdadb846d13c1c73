import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { delimiter, dirname } from 'node:path'
import { test } from 'node:test'
import { promisify } from 'node:util'
import { aShop } from '../../harness/gateway.ts'

const run = promisify(execFile)

/** In the order of a reader who pastes all of them into one terminal. */
const GUIDES = ['first-payment', 'webhooks', 'idempotency', 'reconciling']

const commandsOf = async (guide: string): Promise<string[]> => {
  const text = await readFile(new URL(`../../../../docs/guides/${guide}.md`, import.meta.url), 'utf8')
  return [...text.matchAll(/```sh\n([\s\S]*?)```/g)].map(([, command]) => command ?? '')
}

test('the commands of the guides, pasted into a shell in order, work as described', async () => {
  const { credentials } = await aShop()
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
  assert.deepEqual(rest, ['ACCEPTED', 'PAID', 'PENDING', 'true', 'true', 'true', 'the same transaction', 'true'])
  assert.ok(Number(settled) > 0, `${settled} transactions were settled`)
})
