import assert from 'node:assert/strict'
import type { TestContext } from 'node:test'
import * as contract from '@kobo/contract'
import { type Clock, wallClock } from '../../gateway/src/kernel/clock.ts'
import { testWall } from '../../gateway/test/harness/clock.ts'
import { gateway, type Shop } from '../../gateway/test/harness/gateway.ts'
import { ownDatabase, urlsOf } from '../../gateway/test/harness/postgres.ts'
import { commandAt } from '../../gateway/test/harness/processes.ts'
import { anOperator } from '../../gateway/test/harness/users.ts'

export const MASTER_KEY = Buffer.alloc(32, 7).toString('base64')

export const settings = (databaseUrl: string, env: NodeJS.ProcessEnv = {}): NodeJS.ProcessEnv => ({
  DATABASE_URL: databaseUrl,
  KOBO_VAULT_DATABASE_URL: urlsOf(databaseUrl).vault,
  KOBO_MASTER_KEY: MASTER_KEY,
  ...env,
})

/** Creates a database without a gateway, and returns how to run commands on it. */
export async function aDatabase(t: TestContext, env: NodeJS.ProcessEnv = {}) {
  const { url, drop } = await ownDatabase()
  t.after(drop)
  return commandsWith(settings(url, env))
}

/** Starts a gateway, and returns how to run commands on its database. */
export async function aGateway(t: TestContext) {
  const shop = await gateway(t)
  return { shop, ...commandsWith(settings(shop.databaseUrl, { KOBO_PUBLIC_URL: shop.url }), testWall) }
}

/** Returns how to run commands with these environment variables. */
export function commandsWith(env: NodeJS.ProcessEnv, wall: Clock = wallClock) {
  const run = (...args: readonly string[]) => commandAt(wall, env, ...args)
  return {
    env,
    /** Expects success and returns the printed JSON. */
    prints: async (...args: readonly string[]) => {
      const { code, stdout, stderr } = await run(...args)
      assert.deepEqual([code, stderr], [0, ''])
      return JSON.parse(stdout)
    },
    /** Expects each call to fail with exit code 2, a matching message and the usage. */
    misused: async (...calls: readonly (readonly [reason: RegExp, ...args: string[]])[]) => {
      await Promise.all(
        calls.map(async ([reason, ...args]) => {
          const { code, stdout, stderr } = await run(...args)
          assert.deepEqual([code, stdout], [2, ''], stderr)
          assert.match(stderr, reason)
          assert.match(stderr, /^Usage: /m)
        }),
      )
    },
    run,
  }
}

/** An operator with a token, and how they run commands. */
export async function operatorAt(shop: Pick<Shop, 'core' | 'url'>, env: NodeJS.ProcessEnv) {
  const operator = await anOperator(shop, 'operator')
  const { token } = await operator.call(contract.createOperatorToken, {})
  return { operator, email: operator.email, ...commandsWith({ ...env, KOBO_OPERATOR_TOKEN: token }, testWall) }
}
