import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { promisify } from 'node:util'
import * as contract from '@kobo/contract'
import { EVENTS, type EventType } from '@kobo/contract'
import { ownFolder } from '../../gateway/test/harness/clear-up.ts'
import { kobo, startProgram } from '../../gateway/test/harness/processes.ts'
import { receiver } from '../../gateway/test/harness/receiver.ts'
import { anAccount, aTransaction, pay } from '../../gateway/test/harness/samples.ts'
import { until } from '../../gateway/test/harness/wait.ts'
import { verifyEvent } from '../../sdk/src/verify-event.ts'
import { aDatabase, aGateway, commandsWith } from './commands.ts'

const run = promisify(execFile)

test('listen prints events with the verdict on their signature, passes them on, and leaves the merchant’s addresses alone', async (t) => {
  const own = await receiver(t)
  const forward = await receiver(t)
  const { shop, env } = await aGateway(t)
  await shop.call(contract.changeSettings, { body: { webhookUrls: { collection: own.url } } })
  const settings = await shop.call(contract.getSettings, {})
  const listening = startProgram(t, 'cli/src/main.ts', ['listen', '--forward', forward.url], env)
  await listening.says(/^(Listening for events) of /m)

  await pay(shop, await anAccount(shop, { paymentReference: 'order-1' }), 5_000)
  await listening.says(/ (SUCCESSFUL_TRANSACTION) \S+, signature good\n {2}\{\n {4}"product"/)
  await listening.says(/^ {2}(passed on: 200)$/m)
  const [passed] = await forward.count(1)
  const [received] = await own.count(1)
  assert.equal(passed?.body, received?.body)
  const { secretKey } = shop.credentials
  const now = () => Number(passed?.headers['webhook-timestamp']) * 1_000
  for (const signature of ['webhook', 'service'] as const)
    assert.ok(await verifyEvent(passed?.body ?? '', passed?.headers ?? {}, { secretKey, signature, now }))

  listening.child.kill('SIGKILL')
  await listening.ended
  assert.deepEqual(await shop.call(contract.getSettings, {}), settings)
})

test('listen works with a gateway anywhere by a file of credentials, shows what is asked for, and ends by Ctrl-C', async (t) => {
  const { shop } = await aGateway(t)
  const file = join(ownFolder('credentials'), 'keys.json')
  writeFileSync(file, JSON.stringify(shop.credentials))
  const args = ['listen', '--credentials', file, '--json', '--event', 'REJECTED_PAYMENT']
  const listening = startProgram(t, 'cli/src/main.ts', args, {})
  await until('it listens', () => /^Listening for events/m.test(listening.stderr()))
  const account = await anAccount(shop)
  await pay(shop, account, 5_000)
  await pay(shop, account, 5_000)
  const event = JSON.parse(await listening.says(/^(\{.*\})$/m))
  assert.deepEqual(
    [event.eventType, event.genuine, event.event.eventType],
    ['REJECTED_PAYMENT', true, 'REJECTED_PAYMENT'],
  )
  listening.child.kill('SIGINT')
  assert.equal(await listening.ended, 0, listening.stderr())
  assert.equal(listening.stdout().trim().split('\n').length, 1)
})

test('logs tail prints requests as they come, with secrets masked, by a file of credentials too', async (t) => {
  const { shop, env } = await aGateway(t)
  const file = join(ownFolder('credentials'), 'keys.json')
  writeFileSync(file, JSON.stringify(shop.credentials))
  const tail = startProgram(t, 'cli/src/main.ts', ['logs', 'tail'], env)
  const args = ['logs', 'tail', '--credentials', file, '--outcome', 'REFUSED', '--route', 'bvn-details', '--json']
  const refusals = startProgram(t, 'cli/src/main.ts', args, {})
  await tail.says(/^(Following requests) of /m)
  await until('it follows', () => /^Following requests/m.test(refusals.stderr()))
  await shop.refused(400, contract.matchBvnDetails, { body: { bvn: '22222222226' } })
  await shop.call(contract.initTransaction, { body: aTransaction(shop, { paymentReference: 'order-9' }) })
  const refused = JSON.parse(await refusals.says(/^(\{.*\})$/m))
  assert.deepEqual(
    [refused.status, refused.route, JSON.parse(refused.requestBody)],
    [400, contract.matchBvnDetails.path, { bvn: '[masked]' }],
  )
  await tail.says(/(POST \S+init-transaction 200, [\d.]+ ms, \S+\n {2}asked: .*"order-9".*\n {2}answered: )/)
  for (const program of [tail, refusals]) {
    program.child.kill('SIGINT')
    assert.equal(await program.ended, 0, program.stderr())
  }
})

test('trigger brings about every event there is, by what leads to it, and prints it', async (t) => {
  const { shop, prints } = await aGateway(t)
  const before = await shop.call(contract.getSettings, {})
  for (const type of Object.keys(EVENTS) as EventType[]) assert.equal((await prints('trigger', type)).eventType, type)
  assert.deepEqual(await shop.call(contract.getSettings, {}), before)
})

test('pay pays what is open by either reference, in part or in full, or opens a payment of its own', async (t) => {
  const { shop, prints, run: runs } = await aGateway(t)
  const body = aTransaction(shop, { paymentReference: 'order-7' })
  const { transactionReference } = await shop.call(contract.initTransaction, { body })
  assert.equal((await prints('pay', 'order-7', '--amount', '2000')).paymentStatus, 'PARTIALLY_PAID')
  assert.equal((await prints('pay', transactionReference)).paymentStatus, 'PAID')
  assert.equal((await prints('pay')).amountPaid, '9000.00')
  assert.equal((await prints('pay', '--amount', '99.50')).amountPaid, '99.50')
  const unknown = await runs('pay', 'order-8')
  assert.deepEqual([unknown.code, unknown.stderr], [1, 'Could not find specified transaction\n'])
})

test('clock, inbox, fixtures and open answer from the sandbox', async (t) => {
  const { shop, prints, run: runs } = await aGateway(t)
  const { epochMilliseconds } = await prints('clock')
  const later = await prints('clock', '--advance', '40m')
  assert.ok(later.epochMilliseconds - epochMilliseconds >= 2_400_000)
  const made = await prints('fixtures')
  const { paymentStatus } = await shop.call(contract.getTransaction, {
    params: { transactionReference: made.partPayment },
  })
  assert.equal(paymentStatus, 'PARTIALLY_PAID')
  const query = { reference: made.failedTransfer }
  assert.equal((await shop.call(contract.getTransfer, { query })).status, 'FAILED')
  const [mail] = await prints('inbox', '--limit', '1')
  assert.match(mail.subject, /./)
  assert.equal((await runs('open', 'docs')).stdout, `${shop.url}/docs\n`)
})

test('what is wrong with a call is said with its way out', async (t) => {
  const { misused, env } = await aGateway(t)
  const folder = ownFolder('credentials')
  writeFileSync(join(folder, 'half.json'), '{"baseUrl":"http://localhost"}')
  await misused(
    [/--forward must be an address/, 'listen', '--forward', 'nowhere'],
    [/no event GOSSIP; there are SUCCESSFUL_TRANSACTION/, 'listen', '--event', 'GOSSIP'],
    [/no such merchant: merchant list shows/, 'listen', '--merchant', 'M-0'],
    [/Either --merchant or --credentials/, 'clock', '--merchant', 'M-0', '--credentials', 'keys.json'],
    [/cannot be read as JSON/, 'clock', '--credentials', join(folder, 'none.json')],
    [/lacks apiKey, secretKey.*as kobo credentials prints/, 'clock', '--credentials', join(folder, 'half.json')],
    [/--advance must be/, 'clock', '--advance', '3 weeks'],
    [/EVENT must be one of/, 'trigger', 'GOSSIP'],
    [/EVENT must be one of/, 'trigger'],
    [/--amount must be/, 'pay', '--amount', '1.234'],
    [/PAGE must be one of/, 'open', 'sesame'],
    [/Name a shell/, 'completion', 'powershell'],
    [/no sample nothing; there are/, 'samples', 'nothing'],
    [/FOLDER is required/, 'samples', 'shop-node'],
  )
  const alone = await kobo(t, { ...env, KOBO_PUBLIC_URL: 'http://127.0.0.1:1' }, 'listen')
  assert.deepEqual(
    [alone.code, alone.stderr],
    [1, 'The gateway does not answer at http://127.0.0.1:1: start it with npm start.\n'],
  )
})

test('in live none of it works', async (t) => {
  const { misused, prints } = await aDatabase(t, { KOBO_ENVIRONMENT: 'live' })
  await prints('merchant', 'create', '--name', 'Shoes', '--email', 'shoes@example.com')
  for (const words of [['listen'], ['trigger', 'SETTLEMENT'], ['pay'], ['clock'], ['inbox'], ['fixtures'], ['open']])
    await misused([/in the sandbox only/, ...(words as [string])])
})

/** How each shell is asked what may follow some words, with the script loaded; a word for each line. */
const SHELLS: Readonly<Record<string, (script: string, words: readonly string[]) => readonly string[]>> = {
  bash: (script, words) => [
    '-c',
    `${script}\nCOMP_WORDS=(kobo ${words.join(' ')}); COMP_CWORD=${words.length}; _kobo; printf '%s\\n' "\${COMPREPLY[@]}"`,
  ],
  zsh: (script, words) => [
    '-fc',
    `autoload -Uz compinit && compinit -u -D\n${script}\nCOMP_WORDS=(kobo ${words.join(' ')}); COMP_CWORD=${words.length}; compgen -F _kobo`,
  ],
  fish: (script, words) => ['-Nc', `${script}\ncomplete -C 'kobo ${words.join(' ')}'`],
}

const COMPLETED: readonly (readonly [words: readonly string[], one: string])[] = [
  [['lis'], 'listen'],
  [['merchant', 'cr'], 'create'],
  [['credits', 'conflicts', 'd'], 'dismiss'],
  [['listen', '--fo'], '--forward'],
  [['clock', '--advance', '40m', '--cred'], '--credentials'],
  [['merchant', 'list', '--js'], '--json'],
]

for (const [shell, asked] of Object.entries(SHELLS))
  test(`completion makes ${shell} complete the words of commands and their options`, async (t) => {
    const { stdout: script } = await commandsWith({}).run('completion', shell)
    const isHere = await run(shell, ['--version']).then(
      () => true,
      () => false,
    )
    if (!isHere) return t.skip(`${shell} is not installed here`)
    for (const [words, one] of COMPLETED) {
      const { stdout } = await run(shell, asked(script, words))
      const begun = words.at(-1) ?? ''
      // zsh looks by itself which of them begin so.
      const offered = stdout.split('\n').filter((word) => word.startsWith(begun) && word !== '')
      assert.deepEqual(offered, [one], words.join(' '))
    }
  })

test('samples lists programs to start from, and copies one', async () => {
  const { run: runs } = commandsWith({})
  const { stdout } = await runs('samples')
  assert.match(stdout, /^shop-node +\S/m)
  assert.ok(
    JSON.parse((await runs('samples', '--json')).stdout).some(({ name }: { name: string }) => name === 'shop-node'),
  )
  const folder = join(ownFolder('samples'), 'mine')
  assert.match((await runs('samples', 'shop-php', folder)).stdout, /^Copied to /)
  assert.ok(existsSync(join(folder, 'readme.md')))
  const again = await runs('samples', 'shop-php', folder)
  assert.deepEqual([again.code, /is there already/.test(again.stderr)], [2, true])
})
