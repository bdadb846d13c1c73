import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { promisify } from 'node:util'
import * as contract from '@kobo/contract'
import { EVENTS, type EventType } from '@kobo/contract'
import { ownFolder } from '../../gateway/test/harness/clear-up.ts'
import { kobo, startProgram } from '../../gateway/test/harness/processes.ts'
import { anAccount, aTransaction, pay } from '../../gateway/test/harness/samples.ts'
import { slow } from '../../gateway/test/harness/slow.ts'
import { until } from '../../gateway/test/harness/until.ts'
import { webhookEndpoint } from '../../gateway/test/harness/webhook-endpoint.ts'
import { verifyEvent } from '../../sdk/src/verify-event.ts'
import { start } from '../../sdk/test/started.ts'
import { aDatabase, aGateway, commandsWith } from './commands.ts'

const run = promisify(execFile)

slow('listen checks signatures, forwards events and does not affect the merchant’s webhook URLs', async (t) => {
  const own = await webhookEndpoint(t)
  const forward = await webhookEndpoint(t)
  const { shop, env } = await aGateway(t)
  await shop.call(contract.changeSettings, { body: { webhookUrls: { collection: own.url } } })
  const settings = await shop.call(contract.getSettings, {})
  const listening = startProgram(t, 'cli/src/main.ts', ['listen', '--forward', forward.url], env)
  await listening.says(/^(Listening for events) of /m)

  await pay(shop, await anAccount(shop, { paymentReference: 'order-1' }), 5_000)
  await listening.says(/ (SUCCESSFUL_TRANSACTION) \S+, valid signature\n {2}\{\n {4}"product"/)
  await listening.says(/^ {2}(forwarded: 200)$/m)
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

slow('listen works with a credentials file, filters by event type and stops on Ctrl-C', async (t) => {
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

slow('logs tail prints requests as they happen with secrets masked, also with a credentials file', async (t) => {
  const { shop, env } = await aGateway(t)
  const file = join(ownFolder('credentials'), 'keys.json')
  writeFileSync(file, JSON.stringify(shop.credentials))
  const tail = startProgram(t, 'cli/src/main.ts', ['logs', 'tail'], env)
  const args = ['logs', 'tail', '--credentials', file, '--outcome', 'REFUSED', '--route', 'bvn-details', '--json']
  const refusals = startProgram(t, 'cli/src/main.ts', args, {})
  await tail.says(/^(Following requests) of /m)
  await until('it follows', () => /^Following requests/m.test(refusals.stderr()))
  await shop.rejected(400, contract.matchBvnDetails, { body: { bvn: '22222222226' } })
  await shop.call(contract.initTransaction, { body: aTransaction(shop, { paymentReference: 'order-9' }) })
  const rejected = JSON.parse(await refusals.says(/^(\{.*\})$/m))
  assert.deepEqual(
    [rejected.status, rejected.route, JSON.parse(rejected.requestBody)],
    [400, contract.matchBvnDetails.path, { bvn: '[masked]' }],
  )
  await tail.says(/(POST \S+init-transaction 200, [\d.]+ ms, \S+\n {2}request: .*"order-9".*\n {2}response: )/)
  for (const program of [tail, refusals]) {
    program.child.kill('SIGINT')
    assert.equal(await program.ended, 0, program.stderr())
  }
})

slow('trigger causes and prints every event type', async (t) => {
  const { shop, prints } = await aGateway(t)
  const before = await shop.call(contract.getSettings, {})
  for (const type of Object.keys(EVENTS) as EventType[]) assert.equal((await prints('trigger', type)).eventType, type)
  assert.deepEqual(await shop.call(contract.getSettings, {}), before)
})

test('pay pays an open payment by either reference, in part or in full, or creates one', async (t) => {
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

test('clock, inbox, fixtures and open work in the sandbox', async (t) => {
  const { shop, prints, run: runs } = await aGateway(t)
  const { epochMilliseconds } = await prints('clock')
  const later = await prints('clock', '--advance', '40m')
  assert.ok(later.epochMilliseconds - epochMilliseconds >= 2_400_000)
  const first = await prints('fixtures')
  const made = await prints('fixtures')
  assert.notEqual(made.transfer, first.transfer, 'it can be run again at once')
  const { paymentStatus } = await shop.call(contract.getTransaction, {
    params: { transactionReference: made.partPayment },
  })
  assert.equal(paymentStatus, 'PARTIALLY_PAID')
  const query = { reference: made.failedTransfer }
  assert.equal((await shop.call(contract.getTransfer, { query })).status, 'FAILED')
  const [mail] = await prints('inbox', '--limit', '1')
  assert.match(mail.subject, /./)
  assert.equal((await runs('open', 'docs')).stdout, `${shop.url}/docs\n`)
  const link = (await runs('open', 'dashboard')).stdout.trim()
  assert.match(link, /\/dashboard\/link#\S{20,}$/)
})

test('errors say what is wrong and how to fix it', async (t) => {
  const { misused, env } = await aGateway(t)
  const folder = ownFolder('credentials')
  writeFileSync(join(folder, 'half.json'), '{"baseUrl":"http://localhost"}')
  await misused(
    [/--forward must be an http or https URL/, 'listen', '--forward', 'localhost:3000/events'],
    [/Unknown event type GOSSIP. Use one of SUCCESSFUL_TRANSACTION/, 'listen', '--event', 'GOSSIP'],
    [/No such merchant. Run ".\/kobo merchant list"/, 'listen', '--merchant', 'M-0'],
    [/either --merchant or --credentials/, 'clock', '--merchant', 'M-0', '--credentials', 'keys.json'],
    [/Cannot read .* as JSON/, 'clock', '--credentials', join(folder, 'none.json')],
    [
      /is missing apiKey, secretKey.*output of ".\/kobo credentials"/,
      'clock',
      '--credentials',
      join(folder, 'half.json'),
    ],
    [/--advance must be/, 'clock', '--advance', '3 weeks'],
    [/EVENT must be one of/, 'trigger', 'GOSSIP'],
    [/EVENT must be one of/, 'trigger'],
    [/--amount must be/, 'pay', '--amount', '1.234'],
    [/PAGE must be one of/, 'open', 'sesame'],
    [/Specify a shell/, 'completion', 'powershell'],
    [/Unknown sample nothing. Use one of/, 'samples', 'nothing'],
    [/FOLDER is required/, 'samples', 'shop-node'],
  )
  for (const words of [['listen'], ['open', 'dashboard']]) {
    const alone = await kobo(t, { ...env, KOBO_PUBLIC_URL: 'http://127.0.0.1:1' }, ...words)
    assert.deepEqual(
      [alone.code, alone.stdout, alone.stderr],
      [1, '', 'Cannot reach the gateway at http://127.0.0.1:1. Start it with "npm start".\n'],
    )
  }
})

test('developer commands do not work in live mode', async (t) => {
  const { misused, prints } = await aDatabase(t, { KOBO_ENVIRONMENT: 'live' })
  await prints('merchant', 'create', '--name', 'Shoes', '--email', 'shoes@example.com')
  for (const words of [['listen'], ['trigger', 'SETTLEMENT'], ['pay'], ['clock'], ['inbox'], ['fixtures'], ['open']])
    await misused([/in the sandbox only/, ...(words as [string])])
})

/** How to get completions from each shell with the script loaded, one per line. */
const SHELLS: Readonly<Record<string, (script: string, words: readonly string[]) => readonly string[]>> = {
  bash: (script, words) => [
    '-c',
    `${script}\nCOMP_WORDS=(kobo ${words.join(' ')}); COMP_CWORD=${words.length}; _kobo; printf '%s\\n' "\${COMPREPLY[@]}"`,
  ],
  zsh: (script, words) => [
    '-fc',
    `${script}\n[[ -n $_comps[kobo] ]] || exit 1\nCOMP_WORDS=(kobo ${words.join(' ')}); COMP_CWORD=${words.length}; compgen -F _kobo`,
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

for (const [shell, request] of Object.entries(SHELLS)) {
  const either = shell === 'bash' ? test : slow
  either(`completion makes ${shell} complete the words of commands and their options`, async (t) => {
    const { stdout: script } = await commandsWith({}).run('completion', shell)
    const isHere = await run(shell, ['--version']).then(
      () => true,
      () => false,
    )
    if (!isHere) return t.skip(`${shell} is not installed here`)
    for (const [words, one] of COMPLETED) {
      const { stdout } = await run(shell, request(script, words))
      const begun = words.at(-1) ?? ''
      // zsh filters by prefix itself.
      const offered = stdout.split('\n').filter((word) => word.startsWith(begun) && word !== '')
      assert.deepEqual(offered, [one], words.join(' '))
    }
  })
}

slow('bash completes ./kobo after the command that the help names', async (t) => {
  const { run: runs } = commandsWith({})
  const [, line] = /^ {2}bash: (.*)$/m.exec((await runs('completion', '--help')).stdout) ?? []
  const folder = ownFolder('clone')
  writeFileSync(join(folder, 'script'), (await runs('completion', 'bash')).stdout)
  const program = '#!/bin/sh\nif [ "$1" = completion ]; then cat script; else echo "ran $*."; fi\n'
  writeFileSync(join(folder, 'kobo'), program, { mode: 0o755 })
  // A terminal, because bash completes only there.
  const terminal = start(t, ['script', '-qec', 'bash --norc --noprofile -i', '/dev/null'], folder, { TERM: 'dumb' })
  terminal.type(`${line} && echo is"Ready"\n`)
  assert.equal(await terminal.says(/(isReady)/), 'isReady', terminal.printed())
  terminal.type('./kobo lis\t\n')
  assert.equal(await terminal.says(/ran (.*)\./), 'listen', terminal.printed())
})

test('samples lists the sample programs and copies one', async () => {
  const { run: runs } = commandsWith({})
  const { stdout } = await runs('samples')
  assert.match(stdout, /^shop-node +\S/m)
  assert.ok(
    JSON.parse((await runs('samples', '--json')).stdout).some(({ name }: { name: string }) => name === 'shop-node'),
  )
  const folder = join(ownFolder('samples'), 'mine')
  assert.match((await runs('samples', 'shop-php', folder)).stdout, /^Copied to /)
  assert.ok(existsSync(join(folder, 'readme.md')))
  assert.match(readFileSync(join(folder, '.gitignore'), 'utf8'), /^\.env$/m, 'the secret key is not committed')
  const inGo = join(ownFolder('samples'), 'mine')
  assert.match((await runs('samples', 'shop-go', inGo)).stdout, / with the SDK\./)
  assert.ok(existsSync(join(inGo, 'kobo/client.go')))
  const again = await runs('samples', 'shop-php', folder)
  assert.deepEqual([again.code, /already exists/.test(again.stderr)], [2, true])
})
