import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { cpSync, existsSync, globSync, mkdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import * as contract from '@kobo/contract'
import type { Credentials } from '@kobo/gateway/features/sandbox/index.ts'
import { ownFolder } from '../../gateway/test/harness/clear-up.ts'
import { basic, type Client, client, gateway } from '../../gateway/test/harness/gateway.ts'
import { kobo } from '../../gateway/test/harness/processes.ts'
import {
  anAccount,
  aTransaction,
  CARDS,
  charge,
  codeFor,
  openTransaction,
  pay,
  transferTo,
} from '../../gateway/test/harness/samples.ts'
import { slow } from '../../gateway/test/harness/slow.ts'
import { until } from '../../gateway/test/harness/until.ts'
import { aBrowser, aTeamMember } from '../../gateway/test/harness/users.ts'
import { COMMANDS } from '../src/commands/index.ts'
import { help } from '../src/run.ts'
import { aDatabase, aGateway, commandsWith, MASTER_KEY } from './commands.ts'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))

const MERCHANT = ['merchant', 'create', '--name', 'Shoes', '--email', 'shoes@example.com'] as const

const NOWHERE = { DATABASE_URL: 'postgres://127.0.0.1:1/nowhere', KOBO_MASTER_KEY: MASTER_KEY }

slow('the program prints to stdout, reports errors to stderr and sets the exit code', async (t) => {
  const { env, prints } = await aDatabase(t)
  const [printed, misused, failed] = await Promise.all([
    kobo(t, env, 'credentials'),
    kobo(t, env, 'merchant', 'burn'),
    kobo(t, NOWHERE, 'merchant', 'list'),
  ])
  assert.deepEqual([printed.code, printed.stderr], [0, ''])
  assert.deepEqual(JSON.parse(printed.stdout), await prints('credentials'))
  assert.deepEqual([misused.code, misused.stdout], [2, ''])
  assert.match(misused.stderr, /^Unknown command: merchant burn\.\n/)
  assert.deepEqual([failed.code, failed.stdout], [1, ''])
  assert.match(failed.stderr, /^[^\n]*ECONNREFUSED[^\n]*\n$/)
})

/** A command without `./`: in a clone, the PATH does not lead to it. */
const BARE = new RegExp(`(?<![\\w./@-])kobo (?=(${Object.keys(COMMANDS).join('|')})\\b)`)

test('--help lists every command, and each command has its own help, without a database', async () => {
  const { run } = commandsWith(NOWHERE)
  const all = Object.keys(COMMANDS)
  for (const { code, stdout, stderr } of await Promise.all([run(), run('--help'), run('help')])) {
    assert.deepEqual([code, stderr], [0, ''])
    for (const words of all) assert.match(stdout, new RegExp(`^  ${words} `, 'm'))
  }
  for (const option of ['--help', '-h'])
    for (const words of all) {
      const { code, stdout } = await run(...words.split(' '), option)
      assert.equal(code, 0, words)
      assert.match(stdout, new RegExp(`^Usage: \\./kobo ${words} `, 'm'))
      assert.doesNotMatch(stdout, BARE, words)
    }
})

test('--json is accepted by every command that prints data, and rejected by the others', async () => {
  const { run } = commandsWith(NOWHERE)
  for (const [words, { prints, usage }] of Object.entries(COMMANDS)) {
    assert.equal(usage.includes('--json'), prints === 'text or JSON', words)
    if (words === 'serve') continue // would start
    const { stderr } = await run(...words.split(' '), '--json')
    assert.equal(/Unknown option '--json'/.test(stderr), prints === 'no data', `${words}: ${stderr}`)
  }
})

/** Commands that only read; MERCHANT is replaced by a merchant's code. */
const READING = [
  'credentials',
  'clock',
  'inbox',
  'samples',
  'open docs',
  'merchant list',
  'merchant show MERCHANT',
  'contract list --merchant MERCHANT',
  'events list --merchant MERCHANT',
  'price list',
  'orders list',
  'credits conflicts list',
  'accounts sources list',
  'banks list',
  'returns list',
  'partners list',
  'routes history',
  'statement list',
  'ledger verify',
  'ledger partners',
  'audit verify',
  'keys list',
]

slow('commands that read print JSON with --json', async (t) => {
  const { prints } = await aGateway(t)
  const [{ code }] = await prints('merchant', 'list')
  for (const words of READING) await prints(...words.replace('MERCHANT', code).split(' '), '--json')
})

test('an unknown command prints the nearest ones, exit code 2', async () => {
  const { run } = commandsWith({})
  for (const [words, near] of [
    ['nothing like it', undefined],
    ['toString', undefined],
    ['constructor', undefined],
    ['merchant', 'merchant create'],
    ['merchant burn', 'merchant list'],
    ['ledger', 'ledger verify'],
    ['lissten', 'listen'],
    ['merchnat create --name Ada', 'merchant create'],
  ] as const) {
    const { code, stdout, stderr } = await run(...words.split(' '))
    assert.deepEqual([code, stdout], [2, ''])
    assert.match(stderr, new RegExp(`^Unknown command: ${words}\\.\n\n`))
    const offered = [...stderr.matchAll(/^ {2}(\S+(?: \S+)*) {2}/gm)].map(([, name]) => name)
    if (near === undefined) assert.deepEqual(offered, [], words)
    else assert.ok(offered.includes(near), stderr)
    assert.match(stderr, /"\.\/kobo --help"/)
  }
})

test('no message of the command line names a command without ./', () => {
  const folder = join(ROOT, 'cli/src')
  const named = globSync('**/*.ts', { cwd: folder }).filter((path) =>
    BARE.test(readFileSync(join(folder, path), 'utf8')),
  )
  assert.deepEqual(named, [])
})

test('--version and --help need neither the program nor an installation', () => {
  const folder = ownFolder('clone')
  for (const file of ['kobo', 'package.json', 'cli/bin/kobo.js', 'cli/src/help.txt'])
    cpSync(join(ROOT, file), join(folder, file))
  const printed = (option: string): string => execFileSync(join(folder, 'kobo'), [option], { encoding: 'utf8' })
  assert.match(printed('--version'), /^\d+\.\d+\.\d+\n$/)
  assert.equal(printed('--help'), help())
})

test('./kobo belongs to its clone, also from another folder, through a link and with a space in the path', () => {
  const folder = join(ownFolder('clone'), 'my clone')
  for (const file of ['kobo', 'package.json', 'cli/bin/kobo.js', 'cli/src/help.txt'])
    cpSync(join(ROOT, file), join(folder, file))
  mkdirSync(join(folder, 'tools'))
  writeFileSync(join(folder, 'tools/prepare.js'), '')
  writeFileSync(
    join(folder, 'cli/src/main.ts'),
    'console.log(JSON.stringify([process.env.KOBO_DATA_DIR, process.argv.slice(2)]))',
  )
  const elsewhere = ownFolder('elsewhere')
  symlinkSync(join(folder, 'kobo'), join(elsewhere, 'kobo'))
  const { KOBO_DATA_DIR: _, ...env } = process.env
  for (const program of [join(folder, 'kobo'), './kobo']) {
    const printed = execFileSync(program, ['pay', '--amount', '5'], { cwd: elsewhere, encoding: 'utf8', env })
    assert.deepEqual(JSON.parse(printed), [join(folder, 'data'), ['pay', '--amount', '5']])
  }
})

test('a command creates no database: without a gateway it says how to start one', async () => {
  const folder = join(ownFolder('data'), 'none')
  const { run } = commandsWith({ KOBO_DATA_DIR: folder })
  for (const words of ['pay', 'credentials', 'merchant list', 'ledger verify']) {
    const { code, stdout, stderr } = await run(...words.split(' '))
    assert.deepEqual([code, stdout], [1, ''])
    assert.match(stderr, /^There is no Kobo in .*\. Start one with "npm start"/)
  }
  assert.equal(existsSync(folder), false)
})

test('-h and help print help for one command, a group or all; --version and -v print the version', async () => {
  const { run } = commandsWith(NOWHERE)
  const [all, ofWord, ofWords, one, words, version, short, helpOf] = await Promise.all([
    run('-h'),
    run('merchant', '--help'),
    run('credits', 'conflicts', '-h'),
    run('merchant', 'create', '-h'),
    run('merchant', 'set', '-h'),
    run('--version'),
    run('-v'),
    run('help', 'listen'),
  ])
  for (const { code, stderr } of [all, ofWord, ofWords, one, words, version, short, helpOf])
    assert.deepEqual([code, stderr], [0, ''])
  assert.match(all.stdout, /^ {2}ledger verify /m)
  assert.match(words.stdout, /^ {2}settlement +.* \(INSTANT or DAILY\)$/m)
  assert.match(ofWord.stdout, /^ {2}merchant create /m)
  assert.doesNotMatch(ofWord.stdout, /^ {2}ledger verify /m)
  assert.match(ofWords.stdout, /^ {2}credits conflicts take /m)
  assert.match(one.stdout, /^Usage: \.\/kobo merchant create /m)
  assert.match(version.stdout, /^\d+\.\d+\.\d+\n$/)
  assert.equal(short.stdout, version.stdout)
  assert.match(helpOf.stdout, /^Usage: \.\/kobo listen /m)
})

test('credentials prints working keys and creates the first merchant if there is none', async (t) => {
  const { prints, misused, run } = await aDatabase(t)
  const first: Credentials = await prints('credentials')
  assert.deepEqual(Object.keys(first), ['baseUrl', 'apiKey', 'secretKey', 'contractCode', 'walletAccountNumber'])
  assert.equal(first.baseUrl, 'http://localhost:8080')
  assert.deepEqual(await prints('credentials'), first)
  await misused(
    [/No merchant has the code M-0/, 'credentials', '--merchant', 'M-0'],
    [/--colour/, 'credentials', '--colour'],
  )

  const file = join(ownFolder('shop'), '.env')
  writeFileSync(file, 'KOBO_URL=old\n', { mode: 0o644 })
  const { code, stdout, stderr } = await run('credentials', '--env', file)
  assert.deepEqual([code, stdout, stderr], [0, '', ''])
  assert.match(readFileSync(file, 'utf8'), new RegExp(`^KOBO_URL=http.*^KOBO_SECRET_KEY=${first.secretKey}$`, 'ms'))
  assert.equal(statSync(file).mode & 0o777, 0o600)
  await misused([/one FILE, after --env/, 'credentials', file])

  const { shop, ...beside } = await aGateway(t)
  assert.deepEqual(await beside.prints('credentials'), shop.credentials)
})

test('credentials and listen work in the sandbox only', async (t) => {
  const { misused, prints } = await aDatabase(t, { KOBO_ENVIRONMENT: 'live' })
  await prints(...MERCHANT)
  await misused([/in the sandbox only/, 'credentials'], [/in the sandbox only/, 'listen'])
})

test('ledger verify is clean after payments and finds a changed balance, exit code 1', async (t) => {
  const { shop, prints, run, misused } = await aGateway(t)
  await pay(shop, await anAccount(shop), 5_000)
  const { journals, moves, accounts, imbalance, wrong } = await prints('ledger', 'verify', '--json')
  assert.ok(journals >= 1 && moves >= 2 && accounts >= 2)
  assert.deepEqual([imbalance, wrong], ['0', []])
  await misused([/Unexpected argument/, 'ledger', 'verify', 'quickly'])

  const [account] = await shop.db<{ code: string }[]>`select code from account where balance > 0 limit 1`
  await shop.db`update account set balance = balance + 1 where code = ${account?.code}`

  const { code, stdout } = await run('ledger', 'verify', '--json')
  assert.equal(code, 1)
  const verdict = JSON.parse(stdout)
  assert.equal(verdict.imbalance, '1')
  assert.ok(
    verdict.wrong.some(({ reference }: { reference: string }) => reference === account?.code),
    stdout,
  )
})

test('a new merchant can log in at once, and the list shows it without secrets', async (t) => {
  const { shop, prints, misused, run } = await aGateway(t)
  const { merchantCode, ...created }: Credentials & { merchantCode: string } = await prints(...MERCHANT)
  await client(shop.url, created)
  const { stdout } = await run('merchant', 'list')
  const listed: { name: string; email: string; code: string }[] = JSON.parse(stdout)
  assert.deepEqual(
    listed.map(({ name }) => name),
    ['Demo Shop', 'Shoes'],
  )
  for (const { secretKey } of [created, shop.credentials]) assert.ok(!stdout.includes(secretKey))
  assert.equal(listed[1]?.code, merchantCode)
  assert.deepEqual(await prints('credentials', '--merchant', merchantCode), created)

  await misused(
    [/--name is required/, 'merchant', 'create', '--email', 'a@example.com'],
    [/--name is required/, 'merchant', 'create', '--name', ' ', '--email', 'a@example.com'],
    [/--email is required/, 'merchant', 'create', '--name', 'A'],
    [/--email must be/, 'merchant', 'create', '--name', 'A', '--email', 'nobody'],
    [/ipWhitelist\[0\] must be an IP address/, ...MERCHANT, '--ip', '999.1.1.1'],
    [/Unexpected argument/, 'merchant', 'list', 'all'],
  )
  assert.equal((await prints('merchant', 'list')).length, 2)
})

test('after a rotation the old secret key is valid for the overlap only', async (t) => {
  const { shop, prints, misused } = await aGateway(t)
  const [{ code }] = await prints('merchant', 'list')
  const before = shop.core.clock.now().getTime()
  const { secretKey, oldValidUntil } = await prints('merchant', 'rotate-secret', '--merchant', code, '--overlap', '2')
  assert.notEqual(secretKey, shop.credentials.secretKey)
  const rotatedAt = Date.parse(oldValidUntil) - 2 * 3_600_000
  assert.ok(rotatedAt >= before && rotatedAt <= shop.core.clock.now().getTime(), oldValidUntil)
  const logsIn = async (key: string): Promise<number> => {
    const authorization = basic({ ...shop.credentials, secretKey: key })
    return (await shop.send('POST', contract.login.path, { headers: { authorization } })).status
  }
  await until('the gateway knows the new one', async () => (await logsIn(secretKey)) === 200)
  assert.equal(await logsIn(shop.credentials.secretKey), 200)
  await shop.advance(2 * 3_600 + 1)
  assert.deepEqual([await logsIn(secretKey), await logsIn(shop.credentials.secretKey)], [200, 401])

  const rotate = ['merchant', 'rotate-secret'] as const
  await misused([/--merchant is required/, ...rotate], [/No merchant has the code M-0/, ...rotate, '--merchant', 'M-0'])
  await misused(
    ...['', 'soon', '721', '-1'].map(
      (overlap) => [/--overlap must be 0 to 720 hours/, ...rotate, '--merchant', code, `--overlap=${overlap}`] as const,
    ),
  )
})

test('merchant show lists restricted keys, and merchant revoke-key ends one', async (t) => {
  const { shop, prints, misused } = await aGateway(t)
  const { code } = (await shop.core.directory.byId(shop.merchantId)) ?? assert.fail()
  const owner = await aTeamMember(shop, 'owner', { secondFactor: 'fresh' })
  const body = { name: 'Till', scopes: ['money.read' as const] }
  const { secretKey, key } = await owner.call(contract.createRestrictedKey, { body })
  const restricted = await client(shop.url, { ...shop.credentials, secretKey })
  const [listed] = (await prints('merchant', 'show', code, '--json')).restrictedKeys
  assert.deepEqual([listed.id, listed.name, listed.scopes], [key.id, 'Till', ['money.read']])
  const revoke = ['merchant', 'revoke-key', '--merchant', code, '--key'] as const
  assert.deepEqual((await prints(...revoke, key.id)).revoked, { name: 'Till', hint: key.hint })
  await until('the gateway knows', async () => (await restricted.send('GET', contract.listBanks.path)).status === 401)
  await misused([/no such key/, ...revoke, key.id], [/--key must be/, ...revoke, 'Till'])
})

test('merchant permit changes only the given permissions and is audited', async (t) => {
  const { shop, prints, misused } = await aGateway(t)
  const [{ code }] = await prints('merchant', 'list')
  const permit = ['merchant', 'permit', '--merchant', code] as const
  const granted = await prints(...permit, '--grant', 'transfers', '--grant', 'cards')
  assert.equal(granted.merchant, code)
  assert.ok(granted.permissions.includes('transfers') && granted.permissions.includes('cards'))
  const left = await prints(...permit, '--withdraw', 'cards')
  assert.deepEqual(
    left.permissions,
    granted.permissions.filter((permission: string) => permission !== 'cards'),
  )
  await until('the gateway knows the change', async () => {
    const { permissions } = await shop.call(contract.getSettings, {})
    return permissions.transfers && !permissions.cards
  })
  const acts = await shop.db<
    { actor: string; details: Record<'before' | 'after', { permissions: { cards: boolean } }> }[]
  >`
    select actor, details from audit where act = 'merchant.permit' order by id`
  assert.deepEqual(
    acts.map(({ actor, details: { before, after } }) => [actor, before.permissions.cards, after.permissions.cards]),
    [
      ['command line', true, true],
      ['command line', true, false],
    ],
  )
  await misused(
    [/Unknown permission flying/, ...permit, '--grant', 'flying'],
    [/--grant or --withdraw is required/, ...permit],
    [/--merchant is required/, 'merchant', 'permit', '--grant', 'cards'],
  )
})

test('merchant origins sets and clears the allowed websites at once', async (t) => {
  const { shop, prints, misused } = await aGateway(t)
  const [{ code }] = await prints('merchant', 'list')
  const origins = ['merchant', 'origins', '--merchant', code] as const
  const inlineOrigins = ['https://shop.example', 'http://localhost:3000']
  const set = await prints(...origins, ...inlineOrigins.flatMap((origin) => ['--origin', origin]))
  assert.deepEqual(set, { merchant: code, inlineOrigins })
  const known = async (): Promise<readonly string[]> => (await shop.call(contract.getSettings, {})).inlineOrigins
  await until('the gateway knows the change', async () => (await known()).includes('https://shop.example'))
  assert.deepEqual((await prints(...origins, '--clear')).inlineOrigins, [])
  await until('the gateway knows the change', async () => (await known()).length === 0)
  assert.equal((await shop.db`select from audit where act = 'merchant.origins'`).count, 2)
  await misused(
    [/either --origin or --clear/, ...origins],
    [/either --origin or --clear/, ...origins, '--clear', '--origin', '*'],
    [/must be an origin/, ...origins, '--origin', 'https://shop.example/cart'],
    [/must be an origin/, ...origins, '--origin', 'shop.example'],
    [/must have at most 20 items/, ...origins, ...Array(21).fill('--origin=https://shop.example')],
  )
})

test('merchant set --compat relaxes what a client needs, and none ends it', async (t) => {
  const { shop, prints, misused } = await aGateway(t)
  const [{ code }] = await prints('merchant', 'list')
  const compat = ['merchant', 'set', code, '--compat'] as const
  const { needs } = contract.CLIENT_PROFILES.java
  assert.deepEqual(await prints(...compat, 'java'), { merchant: code, compat: needs })
  const known = async () => (await shop.call(contract.getMerchantSettings, {})).compat
  await until('the gateway knows the change', async () => (await known()).length === needs.length)
  assert.deepEqual((await prints(...compat, 'none')).compat, [])
  assert.deepEqual((await prints(...compat, 'monnifySignature, go')).compat.toSorted(), [
    'monnifySignature',
    'transfersWithoutName',
  ])
  await misused([/Unknown client or setting "cobol"/, ...compat, 'cobol'])
})

test('in live mode an origin must be https and not a wildcard', async (t) => {
  const { prints, misused } = await aDatabase(t, { KOBO_ENVIRONMENT: 'live' })
  await prints('merchant', 'create', '--name', 'Shop', '--email', 'shop@example.com')
  const [{ code }] = await prints('merchant', 'list')
  const origins = ['merchant', 'origins', '--merchant', code, '--origin'] as const
  await misused(
    [/in live mode, origins must be https/, ...origins, 'http://shop.example'],
    [/list your own origins instead/, ...origins, '*'],
  )
  assert.deepEqual((await prints(...origins, 'https://shop.example')).inlineOrigins, ['https://shop.example'])
})

test('merchant unlock-codes unlocks authorization codes and is audited', async (t) => {
  const { shop, prints } = await aGateway(t)
  const [{ code }] = await prints('merchant', 'list')
  const unlock = ['merchant', 'unlock-codes', '--merchant', code] as const
  assert.deepEqual(await prints(...unlock), { merchant: code, wasLocked: false })
  const transfers = []
  for (const end of ['785', '786', '787', '788']) transfers.push(await transferTo(shop, end))
  for (const { reference } of transfers) {
    const authorizationCode = (await codeFor(shop, reference)) === '000000' ? '000001' : '000000'
    for (let n = 0; n < 5; n++)
      await shop.rejected(400, contract.authorizeTransfer, { body: { reference, authorizationCode } })
  }
  const { reference } = await transferTo(shop, '789')
  const body = { reference, authorizationCode: await codeFor(shop, reference) }
  assert.equal((await shop.rejected(400, contract.authorizeTransfer, { body })).code, 'CODES_LOCKED')
  assert.deepEqual(await prints(...unlock), { merchant: code, wasLocked: true })
  assert.equal((await shop.call(contract.authorizeTransfer, { body })).status, 'SUCCESS')
  assert.equal((await shop.db`select from audit where act = 'transfer-codes.unlock'`).count, 2)
})

test('a whitelist without the caller’s address blocks it at once', async (t) => {
  const { shop, prints, misused } = await aGateway(t)
  const [{ code }] = await prints('merchant', 'list')
  const whitelist = ['merchant', 'whitelist', '--merchant', code] as const
  const ipWhitelist = ['10.1.0.0/16', '192.0.2.7']
  assert.deepEqual(await prints(...whitelist, ...ipWhitelist.flatMap((range) => ['--ip', range])), {
    merchant: code,
    ipWhitelist,
  })
  await until(
    'the gateway knows the change',
    async () => (await shop.send('GET', contract.listBanks.path)).status === 403,
  )
  await misused(
    [/--ip is required/, ...whitelist],
    [/must be an IP address or a CIDR range/, ...whitelist, '--ip', '10.0.0.0/99'],
    [/--merchant is required/, 'merchant', 'whitelist', '--ip', '10.0.0.1'],
  )
})

test('in live mode huge IP ranges and webhook ports that are not allowed are rejected', async (t) => {
  const { prints, misused, env } = await aDatabase(t, { KOBO_ENVIRONMENT: 'live' })
  const wide = ['0.0.0.0/0', '41.0.0.0/7', '::/0', '::ffff:0:0/96'] as const
  await misused(...wide.map((range) => [/is too wide/, ...MERCHANT, '--ip', range] as const))
  await prints(...MERCHANT, '--ip', '41.0.0.0/8')
  const [{ code }] = await prints('merchant', 'list')
  await misused([/is too wide/, 'merchant', 'whitelist', '--merchant', code, '--ip', '0.0.0.0/0'])
  const webhook = ['merchant', 'webhook', '--merchant', code, '--url'] as const
  await misused(
    [/must be an https URL/, ...webhook, 'http://shop.example.com/'],
    [/uses port 8443, which is not allowed/, ...webhook, 'https://shop.example.com:8443/'],
  )
  await prints(...webhook, 'https://shop.example.com/')
  const listed = commandsWith({ ...env, KOBO_RECEIVER_PORTS: '443,8443' })
  await listed.prints(...webhook, 'https://shop.example.com:8443/')
})

test('merchant settle sets schedule and destination and rejects invalid combinations', async (t) => {
  const { shop, prints, misused } = await aGateway(t)
  const [{ code }] = await prints('merchant', 'list')
  const settle = ['merchant', 'settle', '--merchant', code] as const
  const account = ['--bank', '057', '--account', '0123456789', '--account-name', 'Shoes Limited'] as const
  assert.deepEqual(await prints(...settle, '--cycle', '06:30', ...account), {
    merchant: code,
    settlement: 'DAILY',
    settlementTime: '06:30',
    settlementDestination: 'BANK',
    settlementAccount: { bankCode: '057', accountNumber: '0123456789', accountName: 'Shoes Limited' },
  })
  const settings = async () => shop.call(contract.getSettings, {})
  assert.deepEqual(
    [(await settings()).settlementTime, (await settings()).settlementDestination, (await settings()).settlementAccount],
    ['06:30', 'BANK', { bankCode: '057', accountNumber: '0123456789', accountName: 'Shoes Limited' }],
  )
  await prints(...settle, '--cycle', 'INSTANT', '--to', 'WALLET')
  await until('the gateway knows the change', async () => (await settings()).settlement === 'INSTANT')
  assert.equal((await settings()).settlementDestination, 'WALLET')
  await misused(
    [/--merchant is required/, 'merchant', 'settle', '--cycle', 'INSTANT'],
    [/--cycle, --to or --bank is required/, ...settle],
    [/settlementTime must be a time of day/, ...settle, '--cycle', '25:00'],
    [/either --to WALLET/, ...settle, '--to', 'WALLET', ...account],
    [/either --to WALLET/, ...settle, '--to', 'BANK'],
    [/--account is required/, ...settle, '--bank', '999'],
    [/999 is not a known bank/, ...settle, '--bank', '999', '--account', '0123456789', '--account-name', 'Shoes'],
    [/accountNumber must be/, ...settle, '--bank', '057', '--account', '12', '--account-name', 'Shoes'],
    [/--account-name is required/, ...settle, '--bank', '057', '--account', '0123456789'],
  )
})

test('merchant webhook sets and clears the URL for all kinds or one', async (t) => {
  const { shop, prints, misused } = await aGateway(t)
  const [{ code }] = await prints('merchant', 'list')
  const webhook = ['merchant', 'webhook', '--merchant', code] as const
  await prints(...webhook, '--url', 'https://shop.example.com/all')
  await prints(...webhook, '--kind', 'collection', '--url', 'https://shop.example.com/collections')
  const { webhookUrl, webhookUrls } = await shop.call(contract.getSettings, {})
  assert.deepEqual(
    [webhookUrl, webhookUrls.collection, webhookUrls.refund],
    ['https://shop.example.com/all', 'https://shop.example.com/collections', null],
  )
  assert.deepEqual(await prints(...webhook, '--clear'), { merchant: code, kind: 'default', url: null })
  assert.equal((await shop.call(contract.getSettings, {})).webhookUrl, null)
  await misused(
    [/--url or --clear/, ...webhook],
    [/webhookUrl must be an http or https URL/, ...webhook, '--url', 'ftp://shop.example.com'],
    [/Unknown kind/, ...webhook, '--kind', 'gossip', '--clear'],
  )
})

slow(
  'the master key is replaced while the gateway runs: saved cards are charged before, during and after',
  async (t) => {
    const { shop, misused, env } = await aGateway(t)
    const next = Buffer.alloc(32, 8).toString('base64')
    const transactionReference = await openTransaction(shop)
    await charge(shop, transactionReference, CARDS.success)
    const { cardDetails } = await shop.call(contract.getTransaction, { params: { transactionReference } })
    const renew = (client: Client) =>
      client.call(contract.chargeCardToken, {
        body: {
          ...aTransaction(shop, { amount: 100 }),
          customerName: 'Ada Obi',
          paymentDescription: 'March',
          cardToken: cardDetails?.cardToken ?? '',
          apiKey: shop.credentials.apiKey,
        },
      })

    await misused(
      [/KOBO_MASTER_KEY_NEXT is required/, 'keys', 'rotate'],
      [/Unexpected argument/, 'keys', 'rotate', 'all'],
    )
    const rotating = commandsWith({ ...env, KOBO_MASTER_KEY_NEXT: next })
    assert.deepEqual(await rotating.prints('keys', 'rotate'), { finished: false, dataKeys: 5 })
    await misused([/still the old key/, 'keys', 'rotate', '--finish'])
    const restarted = await gateway(t, { databaseUrl: shop.databaseUrl, masterKey: Buffer.from(next, 'base64') })
    assert.equal((await renew(shop)).paymentStatus, 'PAID')
    assert.equal((await renew(restarted)).paymentStatus, 'PAID')

    const moved = commandsWith({ ...env, KOBO_MASTER_KEY: next })
    assert.deepEqual(await moved.prints('keys', 'rotate', '--finish'), { finished: true, dataKeys: 5 })
    assert.equal((await renew(restarted)).paymentStatus, 'PAID')
    const { code, stderr } = await commandsWith(env).run('merchant', 'list')
    assert.equal(code, 1)
    assert.match(stderr, /KOBO_MASTER_KEY is not the master key/)
  },
)

test('operator create prints a sign-in link that works once', async (t) => {
  const { shop, prints, misused } = await aGateway(t)
  const { email, role, link } = await prints('operator', 'create', 'op@example.com')
  assert.deepEqual([email, role], ['op@example.com', 'operator'])
  const browser = aBrowser(shop.url)
  const body = { token: String(link).split('#')[1] ?? '', name: 'Op', password: 'correct horse' }
  await browser.call(contract.takeLink, { body })
  assert.equal((await browser.call(contract.whoAmI, {})).role, 'operator')
  await browser.rejected(404, contract.takeLink, { body })
  await misused(
    [/one email address/, 'operator', 'create'],
    [/--role must be one of/, 'operator', 'create', 'a@b', '--role', 'king'],
  )
})
