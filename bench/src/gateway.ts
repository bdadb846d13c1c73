import { startGateway } from '@kobo/gateway/app/compose.ts'
import { openCore } from '@kobo/gateway/app/core.ts'
import { ensureDemoMerchant, readCredentials } from '@kobo/gateway/app/demo.ts'
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
process.on('message', () => process.send?.({ rss: process.memoryUsage.rss() }))
