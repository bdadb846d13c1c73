import { parseArgs } from 'node:util'
import { borrowDatabase } from '@kobo/gateway/app/data-folder.ts'
import { selectNodes } from '@kobo/gateway/core/nodes.ts'
import { distribute, readSpread, ShardsError } from '@kobo/gateway/core/shards/index.ts'
import { readConfig } from '@kobo/gateway/platform/config/config.ts'
import { NO_PROGRESS, progressBar } from '@kobo/gateway/platform/formats/progress-bar.ts'
import { openDatabase } from '@kobo/gateway/platform/postgres/db.ts'
import { checkMigrated } from '@kobo/gateway/platform/postgres/migrate.ts'
import { type Command, print, UsageError, withDatabase } from '../../command.ts'

export const shardsStatus: Command = {
  usage: '',
  summary: 'Shows how merchants are distributed over servers: servers, shards, and tables not yet distributed',
  run: async (args, context) => {
    parseArgs({ args })
    print(context, await withDatabase(context, readSpread))
    return 0
  },
}

export const shardsDistribute: Command = {
  usage: '',
  summary: 'Distributes merchants and their data over the servers of a Citus cluster',
  details: `
The database must be a Citus coordinator with its workers added. Make a backup and stop every gateway first; start them afterwards.
KOBO_MIGRATION_DATABASE_URL must be a superuser that owns the tables. If the command is interrupted, run it again to continue. See
docs/operate/citus.md.
`,
  run: async (args, context) => {
    parseArgs({ args })
    const config = readConfig(context.env, 'command')
    const database = await borrowDatabase(config)
    const owner = openDatabase(database.urls.owner ?? database.urls.program, 1)
    const progress = context.isTerminal === true ? progressBar(context.err, 'Distributing', 'tables') : NO_PROGRESS
    try {
      await checkMigrated(owner)
      const running = await selectNodes(owner)
      if (running.length > 0)
        throw new UsageError(`${running.length} Kobo processes are using this database. Stop them first.`)
      await distribute(owner, progress.show).finally(progress.clear)
      print(context, await readSpread(owner))
      return 0
    } catch (error) {
      throw error instanceof ShardsError ? new UsageError(error.message) : error
    } finally {
      await owner.end()
      await database.release()
    }
  },
}
