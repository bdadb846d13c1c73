import assert from 'node:assert/strict'
import * as contract from '@kobo/contract'
import { gateway } from '../harness/gateway.ts'
import { long } from '../harness/long.ts'
import { type ApiResponse, checkFailure } from '../harness/responses.ts'
import { anAccount, aTransaction, pay, statusOf } from '../harness/samples.ts'
import { aPrimary, queryServer, waitForReplay } from '../harness/standby.ts'
import { until } from '../harness/until.ts'

/** So long that waiting for an abandoned key fails the test. */
const LEASE_SECONDS = 3_600

long(
  'a standby takes over: acknowledged requests are kept, the rest is 503, and the gateway recovers on its own',
  async (t) => {
    const { primary, follow } = await aPrimary(t)
    const [{ host, pathname }, standby] = [new URL(primary.url), new URL(await follow())]
    const { username, password } = standby
    // The standby is named first: a client that takes it for the primary fails.
    const databaseUrl = `postgres://${username}:${password}@${standby.host},${host}${pathname}?target_session_attrs=read-write`
    const env = { DATABASE_READ_URL: standby.href }
    const shop = await gateway(t, { databaseUrl, env, requestLeaseSeconds: LEASE_SECONDS })
    const init = (key: string, body: object): Promise<ApiResponse> =>
      shop.send('POST', contract.initTransaction.path, { headers: { 'idempotency-key': key }, body })
    const waitsFor = async (name: string): Promise<void> => {
      await queryServer(primary.url, `alter system set synchronous_standby_names = '${name}'`)
      await queryServer(primary.url, 'select pg_reload_conf()')
      await until('the setting takes effect', async () => {
        const [row] = await queryServer<{ name: string }>(
          primary.url,
          `select current_setting('synchronous_standby_names') as name`,
        )
        return row?.name === name
      })
    }
    await waitsFor('standby')
    const account = await anAccount(shop)
    await pay(shop, account, 5_000)

    // Reads that tolerate old data use the standby while it keeps up, and only then.
    const isReadThere = async (): Promise<boolean> => {
      const [row] = await shop.core.readDb<{ isSo: boolean }[]>`select pg_is_in_recovery() as is_so`
      return row?.isSo === true
    }
    await until('the standby is read', isReadThere)
    await queryServer(standby.href, 'select pg_wal_replay_pause()')
    await until('it is too far behind', async () => {
      await anAccount(shop)
      return !(await isReadThere())
    })
    await queryServer(standby.href, 'select pg_wal_replay_resume()')
    await until('the standby is read again', isReadThere)

    // A standby that never responds, and an administrator who cancels the wait for it.
    const unreplicated = aTransaction(shop)
    await waitsFor('nobody')
    const waiting = init('unreplicated', unreplicated)
    let hasResponse = false
    const answered = waiting.finally(() => {
      hasResponse = true
    })
    await until('the waits are cancelled', async () => {
      await queryServer(
        primary.url,
        `select pg_cancel_backend(pid) from pg_stat_activity where wait_event = 'SyncRep' and datname = current_database()`,
      )
      return hasResponse
    })
    const rejected = await answered
    assert.deepEqual([rejected.status, checkFailure(rejected).code], [503, 'OUTCOME_UNKNOWN'])
    await waitsFor('standby')
    let first = rejected
    await until('it is accepted', async () => {
      first = await init('unreplicated', unreplicated)
      return first.status === 200
    })

    // The primary dies.
    await waitForReplay(primary.url, standby.href)
    await primary.stop()
    const meanwhile = aTransaction(shop)
    const away = await init('meanwhile', meanwhile)
    assert.equal(away.status, 503, away.text)
    assert.equal(away.headers.get('retry-after'), '1')
    await until('it is not ready', async () => (await shop.send('GET', '/health/ready')).status === 503)
    await queryServer(standby.href, 'select pg_promote()')
    await until('it is ready', async () => (await shop.send('GET', '/health/ready')).status === 200)
    await until('payments are accepted', async () => (await init('meanwhile', meanwhile)).status === 200)

    assert.equal(await isReadThere(), false)

    // The response is stored, to the byte.
    const again = await init('unreplicated', unreplicated)
    assert.deepEqual([again.text, again.headers.get('idempotent-replayed')], [first.text, 'true'])
    assert.equal((await statusOf(shop, account.transactionReference)).paymentStatus, 'PAID')
    await pay(shop, await anAccount(shop), 5_000)
  },
)
