import { Session } from 'node:inspector/promises'
import { startGateway } from '@kobo/gateway/app/compose.ts'
import { openCore } from '@kobo/gateway/app/core.ts'
import { type Credentials, createDemoMerchant, ensureDemoMerchant, readCredentials } from '@kobo/gateway/app/demo.ts'
import { readConfig } from '@kobo/gateway/platform/config.ts'
import { databaseUrls } from '@kobo/gateway/platform/database-roles.ts'
import { openLog } from '@kobo/gateway/platform/log.ts'
import { MASTER_KEY } from './processes.ts'

/** The gateway as it ships, in a process of its own, on the database of the run. */
const config = readConfig(process.env)
const core = await openCore({
  ...config,
  database: databaseUrls(config.databaseUrl ?? ''),
  masterKey: MASTER_KEY,
  onNodeLost: () => process.exit(1),
})
await ensureDemoMerchant(core)
const { url } = await startGateway(core, config, openLog(config.logLevel), { serves: true, works: true })
process.on('disconnect', () => process.exit())
process.send?.({ url, credentials: await readCredentials(core, url) })

/** Makes so many further merchants; answers how each calls. */
async function makeMerchants(count: number): Promise<readonly (Credentials | undefined)[]> {
  const made: (Credentials | undefined)[] = []
  for (let n = 0; n < count; n++) {
    const merchant = await core.directory.byId(await createDemoMerchant(core))
    made.push(await readCredentials(core, url, merchant?.code))
  }
  return made
}

const session = new Session()
session.connect()

async function startProfile(): Promise<object> {
  await session.post('Profiler.enable')
  await session.post('Profiler.start')
  return {}
}

const endProfile = async (): Promise<object> => ({ profile: (await session.post('Profiler.stop')).profile })

type Asked = 'memory' | 'start profile' | 'end profile' | { readonly merchants: number }

function answer(asked: Asked): object | Promise<object> {
  if (asked === 'memory') return { rss: process.memoryUsage.rss() }
  if (asked === 'start profile') return startProfile()
  if (asked === 'end profile') return endProfile()
  return makeMerchants(asked.merchants).then((merchants) => ({ merchants }))
}

process.on('message', async (asked: Asked) => process.send?.(await answer(asked)))
