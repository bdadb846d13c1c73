import { startGateway } from '@kobo/gateway/app/compose.ts'
import { openCore } from '@kobo/gateway/app/core.ts'
import { type Credentials, createDemoMerchant, ensureDemoMerchant, readCredentials } from '@kobo/gateway/app/demo.ts'
import { readConfig } from '@kobo/gateway/platform/config.ts'
import { databaseUrls } from '@kobo/gateway/platform/database-roles.ts'
import { openLog } from '@kobo/gateway/platform/log.ts'

/** The gateway as it ships, in a process of its own, on the database of the run. */
const config = readConfig(process.env)
const masterKey = Buffer.alloc(32, 1)
const core = await openCore({
  ...config,
  database: databaseUrls(config.databaseUrl ?? ''),
  masterKey,
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

process.on('message', async (asked: 'memory' | { readonly merchants: number }) =>
  process.send?.(
    asked === 'memory' ? { rss: process.memoryUsage.rss() } : { merchants: await makeMerchants(asked.merchants) },
  ),
)
