import { startGateway } from '@kobo/gateway/app/compose.ts'
import { openCore } from '@kobo/gateway/app/core.ts'
import {
  type Credentials,
  createDemoMerchant,
  ensureDemoMerchant,
  readCredentials,
} from '@kobo/gateway/features/sandbox/index.ts'
import { readConfig } from '@kobo/gateway/platform/config/config.ts'
import { openLog } from '@kobo/gateway/platform/observability/log.ts'
import { databaseUrls } from '@kobo/gateway/platform/postgres/roles.ts'
import { MASTER_KEY } from './processes.ts'

/** The gateway as it ships, in its own process, on the database of this benchmark. */
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

/** Creates more merchants; returns their credentials. */
async function makeMerchants(count: number): Promise<readonly (Credentials | undefined)[]> {
  const made: (Credentials | undefined)[] = []
  for (let n = 0; n < count; n++) {
    const merchant = await core.directory.byId(await createDemoMerchant(core))
    made.push(await readCredentials(core, url, merchant?.code))
  }
  return made
}

type Request = 'memory' | { readonly merchants: number }

function handle(request: Request): object | Promise<object> {
  if (request === 'memory') return { rss: process.memoryUsage.rss() }
  return makeMerchants(request.merchants).then((merchants) => ({ merchants }))
}

process.on('message', async (request: Request) => process.send?.(await handle(request)))
