import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import * as contract from '@kobo/contract'
import { unitOfWork } from '../../../src/core/unit-of-work.ts'
import { demoSignInLink, ensureDemoMerchant } from '../../../src/features/sandbox/index.ts'
import { createLink } from '../../../src/features/sign-in/index.ts'
import { inTransaction } from '../../../src/platform/postgres/db.ts'
import { addMerchant, gateway, type Running, start } from '../../harness/gateway.ts'
import { until, untilWaiting } from '../../harness/until.ts'
import { aBrowser, anOperator, aTeamMember, aWall, type TestBrowser, totpCode } from '../../harness/users.ts'

const PASSWORD = 'correct horse battery'
const wall = aWall()

let running: Running
before(async () => {
  running = await start({ wall, env: { KOBO_RATE_LIMIT: '100000' } })
  await ensureDemoMerchant(running.core)
})
after(() => running.close())

/** The token in the link's fragment. */
const tokenIn = (link: string | null | undefined): string => link?.split('#')[1] ?? assert.fail('there is a link')

let count = 0
/** A user who has just signed up, in a new browser. */
async function aNewcomer() {
  const email = `Owner${++count}@example.com`
  const browser = aBrowser(running.url)
  const { link } = await browser.call(contract.signUp, { body: { email } })
  const body = { token: tokenIn(link), name: 'Ada Obi', password: PASSWORD, merchantName: 'Ada’s Shop' }
  assert.deepEqual(await browser.call(contract.takeLink, { body }), { stage: 'in' })
  return { email, browser, token: body.token }
}

/** Sets up an authenticator app; returns a function that gives its code. */
async function withTotp(browser: TestBrowser) {
  const { id, secret } = await browser.call(contract.beginTotp, { body: {} })
  const body = { code: totpCode(secret, wall.now()) }
  const { backupCodes } = await browser.call(contract.confirmTotp, { params: { id }, body })
  return { id, backupCodes, code: () => totpCode(secret, wall.now()) }
}

const signIn = (browser: TestBrowser, email: string, password = PASSWORD) =>
  browser.call(contract.signInWithPassword, { body: { email, password } })

test('signing up in the sandbox creates a merchant and its owner', async () => {
  const { browser, email } = await aNewcomer()
  const me = await browser.call(contract.whoAmI, {})
  assert.deepEqual(
    [me.stage, me.email, me.role, me.merchant?.name, me.permissions.length],
    ['in', email, 'owner', 'Ada’s Shop', contract.PERSON_PERMISSIONS.length],
  )
  const { teams } = await browser.call(contract.getProfile, {})
  assert.deepEqual(
    teams.map(({ name, role }) => [name, role]),
    [['Ada’s Shop', 'owner']],
  )
})

test('a link works once', async () => {
  const { token } = await aNewcomer()
  const other = aBrowser(running.url)
  await other.rejected(404, contract.lookAtLink, { body: { token } })
  const body = { token, name: 'Eve', password: PASSWORD, merchantName: 'Eve’s' }
  assert.equal((await other.rejected(404, contract.takeLink, { body })).code, 'LINK_NOT_VALID')
})

test('signing up twice sends a mail, and the response reveals nothing', async () => {
  const { email } = await aNewcomer()
  assert.deepEqual(await aBrowser(running.url).call(contract.signUp, { body: { email } }), { link: null })
})

test('a password signs in; an unknown address is rejected like a wrong password', async () => {
  const { email } = await aNewcomer()
  const browser = aBrowser(running.url)
  const wrong = await browser.rejected(401, contract.signInWithPassword, { body: { email, password: 'wrong horse' } })
  const unknown = { email: 'nobody@example.com', password: PASSWORD }
  assert.deepEqual(await browser.rejected(401, contract.signInWithPassword, { body: unknown }), wrong)
  assert.equal(wrong.code, 'WRONG_SIGN_IN')
  assert.deepEqual(await signIn(browser, email.toUpperCase()), { stage: 'in' })
  await browser.call(contract.signOut, {})
  await browser.rejected(401, contract.whoAmI, {})
})

test('passwords, tokens and codes are stored only as hashes', async () => {
  const { browser } = await aNewcomer()
  const { backupCodes } = await withTotp(browser)
  const secrets = [PASSWORD, ...browser.cookies.values(), ...(backupCodes ?? [])]
  const rows = await running.core.db<{ row: string }[]>`
    select p::text as row from person p union all select p::text from password p union all select s::text from session s
    union all select d::text from device d union all select f::text from second_factor f
    union all select b::text from backup_code b union all select l::text from sign_in_link l
    union all select a::text from audit a`
  assert.ok(rows.length > 20)
  for (const { row } of rows) for (const secret of secrets) assert.ok(!row.includes(secret), row)
})

test('with a second factor the password is half of sign-in, a code works once, and the token changes', async () => {
  const { email, browser } = await aNewcomer()
  const { code } = await withTotp(browser)
  const other = aBrowser(running.url)
  assert.deepEqual(await signIn(other, email), { stage: 'second-factor' })
  const halfWay = other.cookies.get('kobo')
  assert.equal((await other.rejected(401, contract.getTeam, {})).code, 'SECOND_FACTOR_NEEDED')
  assert.equal((await other.rejected(401, contract.beginTotp, { body: {} })).code, 'SECOND_FACTOR_NEEDED')
  const used = { code: code() } // it was used for the setup
  assert.equal((await other.rejected(422, contract.showSecondFactor, { body: used })).code, 'WRONG_SECOND_FACTOR')
  wall.pass(31)
  await other.call(contract.showSecondFactor, { body: { code: code() } })
  assert.notEqual(other.cookies.get('kobo'), halfWay)
  await aBrowser(running.url, `kobo=${halfWay}`).rejected(401, contract.whoAmI, {})
  assert.equal((await other.call(contract.whoAmI, {})).isFresh, true)
  await other.rejected(422, contract.showSecondFactor, { body: { code: code() } })
})

test('a second factor is fresh for five minutes, and using it again renews that', async () => {
  const { browser } = await aNewcomer()
  const { code } = await withTotp(browser)
  wall.pass(301)
  assert.equal((await browser.rejected(403, contract.renewBackupCodes, {})).code, 'SECOND_FACTOR_NOT_FRESH')
  await browser.call(contract.showSecondFactor, { body: { code: code() } })
  const { backupCodes } = await browser.call(contract.renewBackupCodes, {})
  assert.equal(new Set(backupCodes).size, 10)
})

test('a backup code works once, however it is typed', async () => {
  const { email, browser } = await aNewcomer()
  const { backupCodes } = await withTotp(browser)
  const [first = ''] = backupCodes ?? []
  const other = aBrowser(running.url)
  await signIn(other, email)
  await other.call(contract.showSecondFactor, { body: { code: first.toLowerCase().replaceAll('-', ' ') } })
  assert.equal((await other.call(contract.getProfile, {})).backupCodesLeft, 9)
  await other.rejected(422, contract.showSecondFactor, { body: { code: first } })
})

test('setting up a second factor ends the sessions that started without it', async () => {
  const { email, browser } = await aNewcomer()
  const other = aBrowser(running.url)
  await signIn(other, email)
  await withTotp(browser)
  await other.rejected(401, contract.whoAmI, {})
  await browser.call(contract.whoAmI, {})
})

test('a second factor can be removed in the sandbox, and an unconfirmed one does not count', async () => {
  const { browser } = await aNewcomer()
  const { id } = await withTotp(browser)
  await browser.rejected(404, contract.removeSecondFactor, { params: { id: '1' } })
  await browser.call(contract.removeSecondFactor, { params: { id } })
  const { secondFactors, backupCodesLeft } = await browser.call(contract.getProfile, {})
  assert.deepEqual([secondFactors, backupCodesLeft], [[], 0])
  await browser.rejected(404, contract.confirmTotp, { params: { id }, body: { code: '000000' } })
  const begun = await browser.call(contract.beginTotp, { body: {} })
  await browser.rejected(422, contract.confirmTotp, { params: { id: begun.id }, body: { code: '000000' } })
  assert.equal((await browser.call(contract.whoAmI, {})).hasSecondFactor, false)
})

test('two removals at once leave one second factor in live mode', async (t) => {
  const live = await gateway(t, { env: { KOBO_ENVIRONMENT: 'live', KOBO_DATABASE_CONNECTIONS: '8' } })
  const owner = await aTeamMember(live, 'owner', { secondFactor: 'fresh' })
  const { personId } = owner
  await live.db`
    insert into second_factor (person_id, id, kind, name, secret, created_at, confirmed_at)
    select person_id, id + 1, kind, 'Other', secret, created_at, confirmed_at
      from second_factor where person_id = ${personId}`
  // Neither can delete before both have started.
  const removeBoth = async (): Promise<readonly number[]> => {
    const { responses } = await inTransaction(live.db, async (tx) => {
      await tx`select from second_factor where person_id = ${personId} for update`
      const sent = [personId, personId + 1n].map((id) =>
        owner.send(contract.removeSecondFactor, { params: { id: String(id) } }),
      )
      await untilWaiting(live.db, 2)
      return { responses: sent }
    })
    const statuses = (await Promise.all(responses)).map(({ status }) => status)
    // On a busy machine, the lock may be held longer than requests wait for one.
    return statuses.includes(503) ? removeBoth() : statuses
  }
  const statuses = await removeBoth()
  assert.deepEqual(statuses.toSorted(), [200, 422])
  assert.equal((await live.db`select from second_factor where person_id = ${personId}`).count, 1)
})

test('a reset by mail sets a new password, ends all sessions, and still requires the second factor', async () => {
  const { email, browser } = await aNewcomer()
  await withTotp(browser)
  const stranger = aBrowser(running.url)
  await stranger.call(contract.requestReset, { body: { email: 'nobody@example.com' } })
  await stranger.call(contract.requestReset, { body: { email } })
  const mails = () => running.core.db<{ text: string }[]>`select text from sandbox_mail where recipient = ${email}`
  await until('the mail is there', async () => (await mails()).length > 0)
  const [mail] = await mails()
  const token = /#(\S+)/.exec(mail?.text ?? '')?.[1] ?? ''
  assert.equal((await stranger.call(contract.lookAtLink, { body: { token } })).kind, 'RESET')
  await stranger.rejected(400, contract.takeLink, { body: { token } })
  const body = { token, password: 'a new pass phrase' }
  assert.deepEqual(await stranger.call(contract.takeLink, { body }), { stage: 'second-factor' })
  await browser.rejected(401, contract.whoAmI, {})
  await browser.rejected(401, contract.signInWithPassword, { body: { email, password: PASSWORD } })
  await signIn(browser, email, body.password)
})

test('a reset responds before it looks for an account', async () => {
  const { email } = await aNewcomer()
  await inTransaction(running.core.db, async (tx) => {
    await tx`lock table person in access exclusive mode`
    await aBrowser(running.url).call(contract.requestReset, { body: { email } })
  })
  const mails = () => running.core.db`select from sandbox_mail where recipient = ${email}`
  await until('the mail is there', async () => (await mails()).length > 0)
})

test('changing the password ends all other sessions, and requires the current one', async () => {
  const { email, browser } = await aNewcomer()
  const other = aBrowser(running.url)
  await signIn(other, email)
  await browser.rejected(401, contract.changePassword, { body: { current: 'a guess', password: 'another phrase' } })
  await browser.call(contract.changePassword, { body: { current: PASSWORD, password: 'another phrase' } })
  await other.rejected(401, contract.whoAmI, {})
  await browser.call(contract.whoAmI, {})
})

test('users see where they are signed in, and can sign out there', async () => {
  const { email, browser } = await aNewcomer()
  const other = aBrowser(running.url)
  await signIn(other, email)
  const { sessions, devices } = await browser.call(contract.getProfile, {})
  assert.equal(sessions.length, 2)
  assert.deepEqual(devices.map(({ isThis }) => isThis).sort(), [false, true])
  const elsewhere = sessions.find(({ isThis }) => !isThis)?.id ?? assert.fail()
  await browser.call(contract.endSession, { params: { id: elsewhere } })
  await other.rejected(401, contract.whoAmI, {})
  await browser.rejected(404, contract.endSession, { params: { id: elsewhere } })
  await signIn(other, email)
  assert.deepEqual(await browser.call(contract.endOtherSessions, {}), { ended: 1 })
  await signIn(other, email)
  const device = devices.find(({ isThis }) => !isThis)?.id ?? assert.fail()
  await browser.call(contract.forgetDevice, { params: { id: device } })
  await other.rejected(401, contract.whoAmI, {})
  await browser.rejected(404, contract.forgetDevice, { params: { id: device } })
})

test('a session ends after eight hours without use, or after 15 minutes if its user can move money', async () => {
  const { browser } = await aNewcomer()
  const shop = { ...running, merchantId: await addMerchant(running) }
  const others = [await aTeamMember(shop, 'viewer'), await aTeamMember(shop, 'support')]
  const quick = [browser, await aTeamMember(shop, 'finance'), await anOperator(shop, 'operator-support')]
  wall.pass(14 * 60)
  for (const user of [...quick, ...others]) await user.call(contract.whoAmI, {})
  wall.pass(15 * 60)
  for (const user of quick) await user.rejected(401, contract.whoAmI, {})
  wall.pass(7 * 3_600)
  for (const user of others) await user.call(contract.whoAmI, {})
  wall.pass(8 * 3_600 + 1)
  for (const user of others) await user.rejected(401, contract.whoAmI, {})
})

test('a new password has 12 characters and is not a common one; an earlier one still works', async () => {
  const { browser, email } = await aNewcomer()
  const change = (password: string) => ({ body: { current: PASSWORD, password } })
  await browser.rejected(400, contract.changePassword, change('short phrase'.slice(0, 11)))
  for (const password of [
    'aaaaaaaaaaaa',
    'P@ssw0rd12345!',
    '123456789012',
    'qwertyuiop[]',
    `${email.split('@')[0]}-2026x`,
  ])
    assert.equal(
      (await browser.rejected(422, contract.changePassword, change(password))).code,
      'WEAK_PASSWORD',
      password,
    )
  await browser.call(contract.changePassword, change('paper tiger ocean'))
  const { link } = await aBrowser(running.url).call(contract.signUp, { body: { email: `weak-${email}` } })
  const body = { token: tokenIn(link), name: 'Ada', password: 'password1234', merchantName: 'Shop' }
  assert.equal((await aBrowser(running.url).rejected(422, contract.takeLink, { body })).code, 'WEAK_PASSWORD')
})

test('a user can change their name, and choose only a team they are in', async () => {
  const { browser } = await aNewcomer()
  await browser.call(contract.changeProfile, { body: { name: 'Ada Nwosu' } })
  const { name, merchant } = await browser.call(contract.whoAmI, {})
  assert.equal(name, 'Ada Nwosu')
  const foreign = await running.core.directory.byId(await addMerchant(running))
  assert.equal(
    (await browser.rejected(404, contract.chooseTeam, { body: { code: foreign?.code } })).code,
    'NOT_IN_TEAM',
  )
  await browser.call(contract.chooseTeam, { body: { code: merchant?.code ?? '' } })
})

test('the link printed at startup signs the demo merchant’s owner in, once', async () => {
  const { core, url } = running
  const token = tokenIn(await demoSignInLink(core, url))
  const browser = aBrowser(url)
  assert.deepEqual(await browser.call(contract.takeLink, { body: { token } }), { stage: 'in' })
  const me = await browser.call(contract.whoAmI, {})
  assert.deepEqual([me.role, me.merchant?.name], ['owner', 'Demo Shop'])
  await browser.rejected(404, contract.takeLink, { body: { token } })
})

test('an operator joins by invitation, and is in no merchant’s team', async () => {
  const { core, url } = running
  const { token } = await unitOfWork(core, (unit) =>
    createLink(unit, { kind: 'INVITATION', email: 'op@example.com', role: 'operator', at: core.wall.now() }),
  )
  const browser = aBrowser(url)
  await browser.call(contract.takeLink, { body: { token, name: 'Op', password: PASSWORD } })
  const me = await browser.call(contract.whoAmI, {})
  assert.deepEqual([me.role, me.merchant, me.permissions], ['operator', null, [...contract.OPERATOR_PERMISSIONS]])
})

test('users’ actions are in the audit log under their names', async () => {
  const { email, browser } = await aNewcomer()
  await withTotp(browser)
  await browser.rejected(401, contract.signInWithPassword, { body: { email, password: 'wrong horse' } })
  const acts = await running.core.db<{ act: string }[]>`
    select act from audit where name = ${email} and actor like 'person/%' order by id`
  assert.deepEqual(
    acts.map(({ act }) => act),
    ['merchant.create', 'sign-in', 'second-factor.add', 'sign-in.refused'],
  )
})
