import { execFile } from 'node:child_process'
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import * as contract from '@kobo/contract'
import type { Measure, Race } from './benchmark.ts'
import { chargeOf } from './card-charge.ts'
import { callOften } from './credits.ts'
import { load } from './load.ts'
import { aTransaction, login } from './merchant.ts'
import { startMedusa } from './processes.ts'

const run = promisify(execFile)

const VERSION = '2.21.2'
const CONNECTIONS = 64
/** More than there can be in a second, on any machine that this is run on. */
const PAYMENTS_A_SECOND = 1_000

/** Medusa's payment module in a folder of its own, installed where it is not: it is none of our dependencies. */
async function installMedusa(progress: (text: string) => void): Promise<string> {
  const folder = join(tmpdir(), `kobo-bench-medusa-${VERSION}`)
  const done = join(folder, 'installed')
  if (existsSync(done)) return folder
  progress(`installing Medusa ${VERSION} into ${folder}`)
  mkdirSync(folder, { recursive: true })
  const dependencies = { '@medusajs/payment': VERSION, '@medusajs/framework': VERSION }
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ private: true, dependencies }))
  await run('npm', ['install', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'], { cwd: folder })
  writeFileSync(done, '')
  return folder
}

/** Whole card payments (initialized, then charged to PAID) beside whole payments of Medusa's module on the same PostgreSQL. */
export const peer: Race = {
  baseline: `payments of Medusa ${VERSION} (collection, session, authorization, capture)`,
  ours: 'init-transactions, each with a card charge to PAID',
  open: async ({ gateway, peerUrl, seconds, progress }) => {
    const medusa = await startMedusa(await installMedusa(progress), peerUrl)
    const merchant = await login(gateway)
    const count = Math.ceil(PAYMENTS_A_SECOND * seconds)
    const payMedusa = async (): Promise<Measure> => {
      const { statuses, ...measured } = await load({
        url: medusa.url,
        connections: CONNECTIONS,
        requestsMax: Number.MAX_SAFE_INTEGER,
        secondsMax: seconds,
        request: () => ({ method: 'POST', url: '/', headers: {} }),
        onAnswer: (_, body) => {
          if (!body.includes('"isCaptured":true')) throw new Error(body)
        },
      })
      return measured
    }
    const payUs = async (n: number | string): Promise<Measure> => {
      const { contractCode } = gateway.credentials
      const started = performance.now()
      const opened = await callOften(gateway, merchant, count, contract.initTransaction, (nth) =>
        aTransaction(contractCode, `peer-${n}-${nth}`),
      )
      const charged = await callOften(gateway, merchant, count, contract.chargeCard, (nth) => ({
        body: chargeOf(opened[nth]?.transactionReference ?? '', nth),
      }))
      if (charged.some(({ status }) => status !== 'SUCCESS')) throw new Error('a charge did not succeed')
      return { requests: count, perSecond: (count / (performance.now() - started)) * 1_000 }
    }
    await payMedusa()
    await payUs('warm')
    return { baseline: payMedusa, ours: payUs, close: medusa.stop }
  },
}
